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
 * The names that change together: a step that is written as the bare name of its agent is named by
 * it, so that both follow each other.
 */
function renamedTogether(names: readonly NameSpot[], first: NameSpot): NameSpot[] {
  const together: NameSpot[] = [first];
  for (const name of together) {
    const places = new Set(names.filter((one) => isSameName(one, name)).map(({ start }) => start));
    for (const one of names) {
      if (places.has(one.start) && !together.some((known) => isSameName(known, one))) {
        together.push(one);
      }
    }
  }
  return together;
}

const WHERE: Readonly<Partial<Record<NameSpot['kind'], string>>> = { step: ' in this workflow' };

function collision(
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

/** Gives the name at an offset a new one everywhere: where it is declared and where it is used. */
export function renameAt(document: OpenDocument, offset: number, newName: string): Rename {
  const { parsed, format } = document;
  const names = document.names();
  const name = nameAt(names, offset);
  if (name === undefined) return { problem: 'There is no name to change here.' };
  if (parsed.problems.length > 0) {
    return { problem: 'The text has a fault. Mend it first, then every use of the name is known.' };
  }
  if (name.name === newName) return { edits: [] };
  const fault = nameFault(newName);
  if (fault !== undefined) return { problem: fault };
  const together = renamedTogether(names, name);
  const problem = collision(names, together, newName);
  if (problem !== undefined) return { problem };
  const text = format === 'json' ? JSON.stringify(newName) : flowSafe(emitInline(newName), newName);
  const places = new Map<number, TextEdit>();
  for (const { kind, name: own, scope, start, end } of names) {
    if (together.some((one) => one.kind === kind && one.name === own && one.scope === scope)) {
      places.set(start, { start, end, text });
    }
  }
  return { edits: [...places.values()].sort((a, b) => a.start - b.start) };
}
