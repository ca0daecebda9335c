import type { CodeAnswer } from '../../expressions/port/evaluator.ts';
import type { Item, JsonObject, PairedItem } from '../../items/item.ts';

/** Code gave what is no list of items: the step fails in the words of its source. */
export class WrongReturn extends Error {
  override readonly name = 'WrongReturn';
}

const ITEM_KEYS = new Set(['json', 'binary', 'pairedItem', 'error', 'index', 'metadata']);
const NO_ITEMS = "Code doesn't return items properly";

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function jsonOf(value: JsonObject, at: number): JsonObject {
  const json = value['json'];
  if (!isObject(json)) throw new WrongReturn(`A 'json' property isn't an object [item ${at}]`);
  return json;
}

function itemOf(value: JsonObject, at: number): Item {
  const { binary, pairedItem } = value;
  return {
    json: jsonOf(value, at),
    ...(isObject(binary) ? { binary: binary as NonNullable<Item['binary']> } : {}),
    ...(pairedItem === undefined ? {} : { pairedItem: pairedItem as PairedItem }),
  };
}

/** Items of code that ran once. @throws WrongReturn */
export function itemsOfList({ type, value }: Extract<CodeAnswer, { kind: 'value' }>): Item[] {
  if (type === 'null') return [];
  if (type !== 'array' && type !== 'object') throw new WrongReturn(NO_ITEMS);
  const list = Array.isArray(value) ? (value as unknown[]) : [value];
  const objects = list.map((one) => {
    if (!isObject(one)) throw new WrongReturn(NO_ITEMS);
    return one;
  });
  if (!objects.some((one) => 'json' in one)) return objects.map((json) => ({ json }));
  return objects.map((one, at) => {
    for (const key of Object.keys(one))
      if (!ITEM_KEYS.has(key))
        throw new WrongReturn(`Unknown top-level item key: ${key} [item ${at}]`);
    return itemOf(one, at);
  });
}

/** The item of code that ran for one; undefined when it gave none. @throws WrongReturn */
export function itemOfOne(
  { type, value }: Extract<CodeAnswer, { kind: 'value' }>,
  at: number,
  wrapsFields: boolean,
): Item | undefined {
  if (type === 'null' || type === 'undefined') return undefined;
  if (!isObject(value)) throw new WrongReturn(`A 'json' property isn't an object [item ${at}]`);
  if ('json' in value) return { ...itemOf(value, at), pairedItem: { item: at } };
  return { json: wrapsFields ? value : {}, pairedItem: { item: at } };
}
