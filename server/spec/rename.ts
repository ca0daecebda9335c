import { isSameName } from './definition.ts';
import { emitInline } from './emit-yaml.ts';
import { nameAt, namesIn } from './name-index.ts';
import { parseSpecText, type SpecFormat } from './parse-yaml.ts';
import type { SourceRange } from './source-map.ts';
import { flowSafe, type TextEdit } from './text-edit.ts';

/** The name that a rename at an offset would change. */
export function renameTarget(
  text: string,
  offset: number,
  format: SpecFormat = 'yaml',
): { name: string; range: SourceRange } | undefined {
  const { source } = parseSpecText(text, format);
  const name = nameAt(namesIn(source.root), offset);
  return (
    name && {
      name: name.name,
      range: { start: source.positionOf(name.start), end: source.positionOf(name.end) },
    }
  );
}

/**
 * The edits that give the name at an offset a new one everywhere. Nothing when there is no name at
 * the offset, or the text cannot be read, or the new name is taken.
 */
export function renameAt(
  text: string,
  offset: number,
  newName: string,
  format: SpecFormat = 'yaml',
): TextEdit[] {
  const { source, value } = parseSpecText(text, format);
  if (value === undefined || newName === '') return [];
  const names = namesIn(source.root);
  const name = nameAt(names, offset);
  if (name === undefined || name.name === newName) return [];
  const taken = names.some((one) => one.declares && isSameName(one, { ...name, name: newName }));
  if (taken) return [];
  const written =
    format === 'json' ? JSON.stringify(newName) : flowSafe(emitInline(newName), newName);
  const places = new Map<number, TextEdit>();
  for (const one of names) {
    if (isSameName(one, name))
      places.set(one.start, { start: one.start, end: one.end, text: written });
  }
  return [...places.values()].sort((a, b) => a.start - b.start);
}
