import type { SourceRange } from '../yaml/source-map.ts';
import { declarationOf, type NameSpot, nameAt } from './name-index.ts';
import type { OpenDocument } from './open-document.ts';

/** The range of the declaration behind the name at an offset. */
export function definitionAt(document: OpenDocument, offset: number): SourceRange | undefined {
  const { source } = document;
  const names = document.names();
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
export function referencesAt(document: OpenDocument, offset: number): SourceRange[] {
  const { source } = document;
  const names = document.names();
  const name = nameAt(names, offset);
  if (name === undefined) return [];
  return names
    .filter((one) => isSameName(one, name))
    .map(({ start, end }) => ({ start: source.positionOf(start), end: source.positionOf(end) }));
}
