import { type Json, type JsonObject, setOwn } from '../kernel/json.ts';
import type { Value } from './value.ts';

/** What happens to a text on its way; undefined leaves the member out. */
export type TextRule = (key: string, text: string) => string | undefined;

/** True for a number that a spec can hold; another one is carried as text. */
export function isWritable(value: number): boolean {
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
}

/** A source value as plain JSON, every text and every name passed through its rule. */
export function jsonOf(
  value: Value,
  rule: TextRule,
  key = '',
  nameOf: (name: string) => string = (name) => name,
): Json | undefined {
  if (typeof value === 'string') return rule(key, value);
  if (typeof value === 'number' && !isWritable(value)) return rule(key, String(value));
  if (Array.isArray(value)) {
    return value
      .map((item) => jsonOf(item, rule, key, nameOf))
      .filter((item) => item !== undefined);
  }
  if (!(value instanceof Map)) return value;
  const out: JsonObject = {};
  for (const [name, item] of value) {
    const json = jsonOf(item, rule, name, nameOf);
    if (json !== undefined) setOwn(out, nameOf(name), json);
  }
  return out;
}
