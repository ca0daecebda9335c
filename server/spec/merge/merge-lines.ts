import { diff3Merge, diffIndices } from 'node-diff3';
import { eolOf } from '../yaml/text-layout.ts';
import { cutAtAnchors } from './line-anchors.ts';

export interface LineMerge {
  readonly text: string;
  /** Places where both sides changed the same lines; each is marked in the text. */
  readonly conflicts: number;
}

/** How places that two sides changed are marked. */
export interface Marks {
  readonly mine: string;
  readonly theirs: string;
  /** Signs of a mark; git says which when a text holds marks of its own. */
  readonly size: number;
}

export const PLAIN_MARKS: Marks = { mine: 'mine', theirs: 'theirs', size: 7 };

const lines = (text: string): string[] => text.split('\n');

function marked(mine: readonly string[], theirs: readonly string[], marks: Marks, eol: string) {
  const sign = (letter: string, label: string) =>
    letter.repeat(marks.size) + (label === '' ? '' : ` ${label}`) + (eol === '\r\n' ? '\r' : '');
  return [sign('<', marks.mine), ...mine, sign('=', ''), ...theirs, sign('>', marks.theirs)];
}

function regionsOf(base: string, mine: string, theirs: string) {
  const parts = cutAtAnchors([lines(mine), lines(base), lines(theirs)]);
  return parts.flatMap(([own = [], old = [], other = []]) =>
    own.length === 1 &&
    own[0] === old[0] &&
    own[0] === other[0] &&
    old.length === 1 &&
    other.length === 1
      ? [{ ok: own }]
      : diff3Merge(own, old, other, { excludeFalseConflicts: true }),
  );
}

/** Merges two versions of a text by lines. Overlapping changes are kept both, between markers. */
export function mergeLines(
  base: string,
  mine: string,
  theirs: string,
  marks: Marks = PLAIN_MARKS,
): LineMerge {
  let conflicts = 0;
  const eol = eolOf(mine);
  const merged = regionsOf(base, mine, theirs).flatMap(({ ok, conflict }) => {
    if (conflict === undefined) return ok ?? [];
    conflicts += 1;
    return marked(conflict.a, conflict.b, marks, eol);
  });
  return { text: merged.join('\n'), conflicts };
}

/** As {@link mergeLines}, with one side's lines, or both, where both sides changed the same ones. */
export function mergeLinesFor(
  base: string,
  mine: string,
  theirs: string,
  choice: 'mine' | 'both',
): LineMerge {
  let conflicts = 0;
  const merged = regionsOf(base, mine, theirs).flatMap(({ ok, conflict }) => {
    if (conflict === undefined) return ok ?? [];
    conflicts += 1;
    return choice === 'mine' ? conflict.a : [...conflict.a, ...conflict.b];
  });
  return { text: merged.join('\n'), conflicts };
}

/** Two outcomes of a merge as one text: where their lines differ, both, between markers. */
export function markDifferences(mine: string, theirs: string, marks: Marks): string {
  const eol = eolOf(mine);
  const made = cutAtAnchors([lines(mine), lines(theirs)]).flatMap(([left = [], right = []]) => {
    const part: string[] = [];
    let at = 0;
    for (const { buffer1, buffer2Content, buffer1Content } of diffIndices(left, right)) {
      part.push(...left.slice(at, buffer1[0]));
      part.push(...marked(buffer1Content, buffer2Content, marks, eol));
      at = buffer1[0] + buffer1[1];
    }
    return [...part, ...left.slice(at)];
  });
  return made.join('\n');
}

/** True while a merged text still holds conflict markers. */
export function hasConflictMarkers(text: string): boolean {
  return /^(<<<<<<< mine|=======|>>>>>>> theirs)$/m.test(text);
}
