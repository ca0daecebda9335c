import { isObject, type JsonObject } from '../kernel/json.ts';
import { parseTimestamp } from '../kernel/timestamp.ts';
import { protocolError } from '../platform-client/protocol.ts';

/** Defensive reads of platform answers: a value of the wrong type counts as absent (dashboard.md 9). */
export type Source = Readonly<Record<string, unknown>>;

/** Text, else null. */
export function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** Text, else the empty one. */
export function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The first of the values that is text and not empty. */
export function firstText(...values: readonly unknown[]): string | null {
  for (const value of values) if (typeof value === 'string' && value !== '') return value;
  return null;
}

/** A whole number that can be told from its neighbours, else null. */
export function integerOrNull(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : null;
}

/** A truth value, else null. */
export function booleanOrNull(value: unknown): boolean | null {
  return typeof value === 'boolean' ? value : null;
}

/** An object, else the empty one. */
export function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** Answers are parsed JSON, so an object among them is JSON all the way down. */
export function isJsonObject(value: unknown): value is JsonObject {
  return isObject(value);
}

/** The objects of a list; nothing else of it. */
export function objectsOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** The texts of a list; nothing else of it. */
export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** The objects of a list that the answer must have. @throws PlatformError `protocol`. */
export function requireObjects(body: Source, name: string): readonly JsonObject[] {
  if (!Array.isArray(body[name])) throw protocolError(`${name} is not a list`);
  return objectsOf(body[name]);
}

/** Epoch milliseconds of an ISO text or of epoch seconds. */
export function timeOf(value: unknown): number | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return value * 1000;
  return typeof value === 'string' ? parseTimestamp(value) : undefined;
}

/** What a page of the platform says of itself, with the request's word where it is silent. */
export function pageFacts(
  body: Source,
  rows: number,
  request: { readonly limit: number; readonly offset: number },
): { count: number; total: number; limit: number; offset: number; window: number } {
  const total = integerOrNull(body['total']) ?? rows;
  return {
    count: rows,
    total,
    limit: integerOrNull(body['limit']) ?? request.limit,
    offset: integerOrNull(body['offset']) ?? request.offset,
    window: integerOrNull(body['window']) ?? total,
  };
}
