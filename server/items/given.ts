import { isJsonObject } from '../kernel/json.ts';
import type { Item } from './item.ts';

/** What a run of an item flow was given. */
export interface Given {
  /** The name of the trigger that begins; null = the graph's start. */
  readonly trigger: string | null;
  readonly items: readonly Item[];
  /** Items in place of what steps would give, by the step's name. */
  readonly pinned: Readonly<Record<string, readonly Item[]>>;
}

function itemOf(value: unknown): Item {
  if (!isJsonObject(value)) return { json: { value } };
  const { json, binary, ...rest } = value;
  if (!isJsonObject(json) || Object.keys(rest).some((key) => key !== 'pairedItem'))
    return { json: value };
  return isJsonObject(binary) ? { json, binary: binary as Item['binary'] & object } : { json };
}

function itemsOf(value: unknown): readonly Item[] {
  return (Array.isArray(value) ? value : [value]).map(itemOf);
}

function parsed(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Reads the input of a run as items: an object with `items` (and `trigger`, `pinned`), a list of
 * objects, one object, or any other text as what somebody says.
 *
 * @param said The field that such a text becomes.
 */
export function readGiven(text: string, said = 'chatInput'): Given {
  const value = parsed(text);
  if (value === undefined) {
    const json = text.trim() === '' ? {} : { [said]: text };
    return { trigger: null, items: [{ json }], pinned: {} };
  }
  if (!isJsonObject(value) || !Array.isArray(value['items']))
    return { trigger: null, items: itemsOf(value), pinned: {} };
  const { items, trigger, pinned } = value;
  const answers = isJsonObject(pinned) ? Object.entries(pinned) : [];
  return {
    trigger: typeof trigger === 'string' ? trigger : null,
    items: itemsOf(items),
    pinned: Object.fromEntries(answers.map(([name, list]) => [name, itemsOf(list)])),
  };
}
