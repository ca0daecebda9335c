import { isJsonObject, type JsonObject } from '../kernel/json.ts';
import { parseTimestamp } from '../kernel/timestamp.ts';

/**
 * Reads of what the contract leaves open, and of names that other platforms use: a value of the
 * wrong type counts as absent (dashboard.md 9).
 */
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

/** An object, else the empty one. */
export function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** The objects of a list; nothing else of it. */
export function objectsOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** The texts of a list; nothing else of it. */
export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** Epoch milliseconds of an ISO text or of epoch seconds. */
export function timeOf(value: unknown): number | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return value * 1000;
  return typeof value === 'string' ? parseTimestamp(value) : undefined;
}

type PageFacts = {
  readonly [Name in 'total' | 'limit' | 'offset' | 'window']?: number | null | undefined;
};

/** What a page of the platform says of itself, with the request's word where it is silent. */
export function pageFacts(
  body: PageFacts,
  rows: number,
  request: { readonly limit: number; readonly offset: number },
): { count: number; total: number; limit: number; offset: number; window: number } {
  const total = body.total ?? rows;
  return {
    count: rows,
    total,
    limit: body.limit ?? request.limit,
    offset: body.offset ?? request.offset,
    window: body.window ?? total,
  };
}
