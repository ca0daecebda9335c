/**
 * A parsed source document. Objects are maps, so that the order of the file holds for every key
 * (also integer-like ones) and no key can reach a prototype.
 */
export type Value = string | number | boolean | null | Value[] | ValueMap;
export type ValueMap = Map<string, Value>;

const EMPTY: ValueMap = new Map();

/** The value as a map, or an empty one. */
export function mapOf(value: Value | undefined): ValueMap {
  return value instanceof Map ? value : EMPTY;
}

/** The value as a list, or an empty one. */
export function listOf(value: Value | undefined): readonly Value[] {
  return Array.isArray(value) ? value : [];
}

/** The value when it is text, otherwise undefined. */
export function textOf(value: Value | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The value when it is a number, otherwise undefined. */
export function numberOf(value: Value | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** The value at a path of keys, undefined when a step on the way is missing or no object. */
export function at(value: Value | undefined, ...path: readonly string[]): Value | undefined {
  let current: Value | undefined = value;
  for (const key of path) {
    if (!(current instanceof Map)) return undefined;
    current = current.get(key);
  }
  return current;
}

/** True for text with something in it beside blanks. */
export function hasText(value: Value | undefined): value is string {
  return typeof value === 'string' && value.trim() !== '';
}
