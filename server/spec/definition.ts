import { declarationOf, type NameSpot, nameAt, namesIn } from './name-index.ts';
import { parseSpecText, type SpecFormat } from './parse-yaml.ts';
import type { SourceRange } from './source-map.ts';

/** The range of the declaration behind the name at an offset. */
export function definitionAt(
  text: string,
  offset: number,
  format: SpecFormat = 'yaml',
): SourceRange | undefined {
  const { source } = parseSpecText(text, format);
  const names = namesIn(source.root);
  const name = nameAt(names, offset);
  const declared = name && declarationOf(names, name);
  return (
    declared && { start: source.positionOf(declared.start), end: source.positionOf(declared.end) }
  );
}

/** True when two spots stand for the same name. */
export function isSameName(a: NameSpot, b: NameSpot): boolean {
  return a.kind === b.kind && a.name === b.name && a.scope === b.scope;
}

/** The ranges of all places that declare or use the name at an offset, in the order of the text. */
export function referencesAt(
  text: string,
  offset: number,
  format: SpecFormat = 'yaml',
): SourceRange[] {
  const { source } = parseSpecText(text, format);
  const names = namesIn(source.root);
  const name = nameAt(names, offset);
  if (name === undefined) return [];
  return names
    .filter((one) => isSameName(one, name))
    .map(({ start, end }) => ({ start: source.positionOf(start), end: source.positionOf(end) }));
}
