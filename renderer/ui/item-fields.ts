import { isObject } from '../../server/kernel/json.ts';

/** The fields of an item. */
export type Fields = Readonly<Record<string, unknown>>;

const LONGEST_CELL = 160;
/** Items whose values decide how wide a column is. */
const MEASURED = 50;
/** Pixels. */
const NARROWEST = 80;
const WIDEST = 260;
const LETTER = 8;
const PADDING = 24;

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

/** Pixels that a field's column takes: as wide as its name and its first values, within bounds. */
export function fieldWidth(name: string, items: readonly Fields[]): number {
  const values = items.slice(0, MEASURED).map((item) => shortFieldText(item[name]).length);
  const letters = Math.max(name.length, ...values);
  return Math.min(WIDEST, Math.max(NARROWEST, PADDING + letters * LETTER));
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
