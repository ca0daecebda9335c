import type { Item, JsonObject } from '../../items/item.ts';
import { setOwn } from '../../kernel/json.ts';
import { fieldsRead } from '../compile/fields-read.ts';
import { KeptByText } from './kept-by-text.ts';
import { isPlain } from './plain-values.ts';

const MOST_KEPT = 2_000;
const kept = new KeptByText<ReadonlySet<string> | null>(MOST_KEPT);

function onlyFields(json: JsonObject, names: ReadonlySet<string>): JsonObject {
  const some: JsonObject = {};
  for (const name of names) if (Object.hasOwn(json, name)) setOwn(some, name, json[name]);
  return some;
}

function isPlainObject(json: unknown): boolean {
  return typeof json === 'object' && json !== null && isPlain(json);
}

/** Items with no more than expressions can see of them: all of it goes to the interpreter as a text. */
export function seenItems(items: readonly Item[], expressions: readonly string[]): readonly Item[] {
  const names = new Set<string>();
  for (const text of expressions) {
    const fields = kept.get(text, () => fieldsRead(text));
    if (fields === null) return items;
    for (const name of fields) names.add(name);
  }
  if (!items.every(({ json }) => isPlainObject(json))) return items;
  return items.map(({ json }) => ({ json: onlyFields(json, names) }));
}
