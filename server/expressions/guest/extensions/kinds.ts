import { OwnError } from '../own-error.ts';

/** A function that the source adds to a type: the value first, then what the call names. */
export type Extension = (value: never, ...words: never[]) => unknown;
export type Extensions = Readonly<Record<string, Extension>>;

/** Values of JSON are the same when their texts are, whatever the order of keys. */
export function isSame(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null)
    return Number.isNaN(left) && Number.isNaN(right);
  const keys = Object.keys(left);
  if (Array.isArray(left) !== Array.isArray(right) || keys.length !== Object.keys(right).length)
    return false;
  return keys.every(
    (key) =>
      Object.hasOwn(right, key) &&
      isSame((left as Record<string, unknown>)[key], (right as Record<string, unknown>)[key]),
  );
}

/** True for what `compact` leaves out. */
export function isBlank(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true;
  if (typeof value !== 'object' || value instanceof Date) return false;
  return (Array.isArray(value) ? value : Object.keys(value)).length === 0;
}

/** @throws OwnError in the words of the source */
export function fail(message: string): never {
  throw new OwnError(message);
}
