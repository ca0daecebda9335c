import { isObject } from '../../server/kernel/json.ts';

/** The fields of an item. */
export type Fields = Readonly<Record<string, unknown>>;

const LONGEST_CELL = 160;

/** The names of all fields, in the order in which the items bring them. */
export function fieldNames(items: readonly Fields[]): readonly string[] {
  return [...new Set(items.flatMap((item) => Object.keys(item)))];
}

/** A field's value: a text as it is, the rest as indented JSON; nothing for an absent one. */
export function fieldText(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

/** A field's value on one line, cut where it is long. */
export function shortFieldText(value: unknown): string {
  if (value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > LONGEST_CELL ? `${text.slice(0, LONGEST_CELL)}…` : text;
}

/** The items of a text that is a JSON list of objects; null for any other text or an empty list. */
export function itemsInText(text: string): readonly Fields[] | null {
  if (!/^\s*\[/.test(text)) return null;
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) && value.length > 0 && value.every(isObject) ? value : null;
  } catch {
    return null;
  }
}
