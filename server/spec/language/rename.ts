import { flowSafe, type TextEdit } from '../edit/text-edit.ts';
import { nameFault } from '../values/name-fault.ts';
import { emitInline } from '../yaml/emit-yaml.ts';
import type { SourceRange } from '../yaml/source-map.ts';
import { isSameName } from './definition.ts';
import { type NameSpot, nameAt } from './name-index.ts';
import type { OpenDocument } from './open-document.ts';

/** The name that a rename at an offset would change. */
export function renameTarget(
  document: OpenDocument,
  offset: number,
): { name: string; range: SourceRange } | undefined {
  const { source } = document;
  const name = nameAt(document.names(), offset);
  return (
    name && {
      name: name.name,
      range: { start: source.positionOf(name.start), end: source.positionOf(name.end) },
    }
  );
}

/** The edits of a rename, or why it is refused. */
export type Rename = { readonly edits: readonly TextEdit[] } | { readonly problem: string };

/**
 * The names of some texts that change together: a step that is written as the bare name of its agent is named by
 * it, so that both follow each other.
 */
export function renamedTogether(
  texts: readonly (readonly NameSpot[])[],
  first: NameSpot,
): NameSpot[] {
  const together: NameSpot[] = [first];
  for (const name of together) {
    for (const names of texts) {
      const same = names.filter((one) => isSameName(one, name));
      const places = new Set(same.map(({ start }) => start));
      const tied = names.filter(({ start }) => places.has(start));
      for (const one of tied) {
        if (!together.some((known) => isSameName(known, one))) together.push(one);
      }
    }
  }
  return together;
}

const WHERE: Readonly<Partial<Record<NameSpot['kind'], string>>> = { step: ' in this workflow' };

/** Why a text cannot take a new name: something of the kind is called so; undefined when it can. */
export function collisionOf(
  names: readonly NameSpot[],
  together: readonly NameSpot[],
  name: string,
): string | undefined {
  const taken = names.find(
    (one) => one.declares && together.some((each) => isSameName(one, { ...each, name })),
  );
  if (taken === undefined) return undefined;
  const kind = taken.kind.replace('_', ' ');
  return `"${name}" is already the name of another ${kind}${WHERE[taken.kind] ?? ''}.`;
}

/** A name as it is written in the place of another: in the same quotes. */
function writtenLike(
  { text, format }: OpenDocument,
  { start, flow }: NameSpot,
  name: string,
): string {
  const quote = text[start];
  if (format === 'json' || quote === '"') return JSON.stringify(name);
  if (quote === "'") return `'${name.replaceAll("'", "''")}'`;
  const written = emitInline(name);
  return flow ? flowSafe(written, name) : written;
}

/** The edits that give some names of a text a new one, in its order. */
export function renameSpots(
  document: OpenDocument,
  names: readonly NameSpot[],
  together: readonly NameSpot[],
  newName: string,
): TextEdit[] {
  const places = new Map<number, TextEdit>();
  for (const spot of names) {
    if (!together.some((one) => isSameName(one, spot))) continue;
    const { start, end } = spot;
    places.set(start, { start, end, text: writtenLike(document, spot, newName) });
  }
  return [...places.values()].sort((a, b) => a.start - b.start);
}

/** Gives the name at an offset a new one everywhere: where it is declared and where it is used. */
export function renameAt(document: OpenDocument, offset: number, newName: string): Rename {
  const { parsed } = document;
  const names = document.names();
  const name = nameAt(names, offset);
  if (name === undefined) return { problem: 'There is no name to change here.' };
  if (parsed.problems.length > 0) {
    return { problem: 'The text has a fault. Mend it first, then every use of the name is known.' };
  }
  if (name.name === newName) return { edits: [] };
  const fault = nameFault(newName);
  if (fault !== undefined) return { problem: fault };
  const together = renamedTogether([names], name);
  const problem = collisionOf(names, together, newName);
  if (problem !== undefined) return { problem };
  return { edits: renameSpots(document, names, together, newName) };
}
