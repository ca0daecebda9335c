/** A stretch of a merged text: agreed lines, or a place where both sides changed the same ones. */
export type MergePart =
  | { readonly kind: 'agreed'; readonly lines: readonly string[] }
  | {
      readonly kind: 'conflict';
      readonly mine: readonly string[];
      readonly theirs: readonly string[];
    };

export const CHOICES = ['mine', 'theirs', 'both'] as const;
export type Choice = (typeof CHOICES)[number];

const START = '<<<<<<< mine';
const MIDDLE = '=======';
const END = '>>>>>>> theirs';

/** Takes a text that `mergeLines` marked apart. */
export function mergeParts(text: string): MergePart[] {
  const parts: MergePart[] = [];
  let agreed: string[] = [];
  let mine: string[] | undefined;
  let theirs: string[] | undefined;
  for (const line of text.split('\n')) {
    if (line === START && mine === undefined) {
      parts.push({ kind: 'agreed', lines: agreed });
      agreed = [];
      mine = [];
    } else if (line === MIDDLE && mine !== undefined && theirs === undefined) {
      theirs = [];
    } else if (line === END && mine !== undefined && theirs !== undefined) {
      parts.push({ kind: 'conflict', mine, theirs });
      mine = undefined;
      theirs = undefined;
    } else {
      (theirs ?? mine ?? agreed).push(line);
    }
  }
  return [...parts, { kind: 'agreed', lines: agreed }];
}

function chosen(part: MergePart, choice: Choice | undefined): readonly string[] | undefined {
  if (part.kind === 'agreed') {
    return part.lines;
  }
  if (choice === undefined) {
    return undefined;
  }
  return choice === 'both' ? [...part.mine, ...part.theirs] : part[choice];
}

/** The text with every place decided; undefined while one is open. Choices stand at their part. */
export function chooseText(
  parts: readonly MergePart[],
  choices: ReadonlyMap<number, Choice>,
): string | undefined {
  const lines: string[] = [];
  for (const [index, part] of parts.entries()) {
    const own = chosen(part, choices.get(index));
    if (own === undefined) {
      return undefined;
    }
    lines.push(...own);
  }
  return lines.join('\n');
}
