import { isObject, type Json, type JsonObject } from '../../kernel/json.ts';
import type { PathSegment } from './path.ts';

/**
 * Marks for what JSON cannot say. YAML 1.1 reads `2026-01-31` as a date and `off:` as a boolean
 * key; documents carry both as text, and the container remembers which ones were not written as
 * text, so that the schema check can refuse them where text is wanted (spec-v1 1).
 */
const VALUES = Symbol('values that were not text');
const KEYS = Symbol('keys that were not text');

type Kind = typeof VALUES | typeof KEYS;

function marks(container: object, kind: Kind): Set<string> | undefined {
  const found: unknown = Reflect.get(container, kind);
  return found instanceof Set ? found : undefined;
}

function mark(container: object, kind: Kind, key: string): void {
  const known = marks(container, kind);
  if (known !== undefined) known.add(key);
  else Object.defineProperty(container, kind, { value: new Set([key]), writable: true });
}

/** Remembers that the text under `key` was written as a date or timestamp. */
export function markNonTextValue(container: object, key: string | number): void {
  mark(container, VALUES, String(key));
}

/** Remembers that `key` was written as something else than text. */
export function markNonTextKey(container: object, key: string): void {
  mark(container, KEYS, key);
}

/** True when the text under `key` was written as a date or timestamp. */
export function isNonTextValue(container: object, key: string | number): boolean {
  return marks(container, VALUES)?.has(String(key)) === true;
}

/** True when `key` was written as a number, boolean, null or date. */
export function isNonTextKey(container: object, key: string): boolean {
  return marks(container, KEYS)?.has(key) === true;
}

/** Forgets what a key was written as. */
export function clearMarks(container: object, key: string): void {
  for (const kind of [VALUES, KEYS] as const) marks(container, kind)?.delete(key);
}

/** The keys that were written as something else than text. */
export function nonTextKeys(container: object): Iterable<string> {
  return marks(container, KEYS) ?? [];
}

/** Takes the marks of one key over to a copy; marks that the copy had for it are dropped. */
export function carryMarks(from: object, to: object, key: string): void {
  for (const kind of [VALUES, KEYS] as const) {
    if (marks(from, kind)?.has(key) === true) mark(to, kind, key);
    else marks(to, kind)?.delete(key);
  }
}

/** Takes all marks over to a copy of the same container. */
export function carryAllMarks(from: object, to: object): void {
  for (const kind of [VALUES, KEYS] as const) {
    for (const key of marks(from, kind) ?? []) mark(to, kind, key);
  }
}

/** Where a document carries marks: places of values and of keys, as JSON. */
export interface NonTextPlaces {
  values: PathSegment[][];
  keys: PathSegment[][];
}

function collect(value: Json, path: readonly PathSegment[], into: NonTextPlaces): void {
  if (typeof value !== 'object' || value === null) return;
  const list = Array.isArray(value);
  for (const key of marks(value, VALUES) ?? [])
    into.values.push([...path, list ? Number(key) : key]);
  for (const key of marks(value, KEYS) ?? []) into.keys.push([...path, key]);
  for (const [key, item] of Object.entries(value)) {
    collect(item, [...path, list ? Number(key) : key], into);
  }
}

/**
 * The marks of a document, to be stored beside its JSON, which loses them; undefined when there are
 * none. {@link markPlaces} puts them back.
 */
export function nonTextPlaces(document: JsonObject): NonTextPlaces | undefined {
  const places: NonTextPlaces = { values: [], keys: [] };
  collect(document, [], places);
  return places.values.length + places.keys.length > 0 ? places : undefined;
}

function holderOf(document: Json, path: readonly unknown[]): object | undefined {
  let at: unknown = document;
  for (const segment of path.slice(0, -1)) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, String(segment))) {
      return undefined;
    }
    at = Reflect.get(at, String(segment));
  }
  return typeof at === 'object' && at !== null ? at : undefined;
}

function markAll(document: Json, paths: unknown, kind: Kind): void {
  if (!Array.isArray(paths)) return;
  for (const path of paths) {
    if (!Array.isArray(path) || path.length === 0) continue;
    const holder = holderOf(document, path);
    const key = String(path.at(-1));
    if (holder !== undefined && Object.hasOwn(holder, key)) mark(holder, kind, key);
  }
}

/** Puts stored marks back on a document that was read from JSON; places that it lacks are left out. */
export function markPlaces(document: JsonObject, places: unknown): void {
  if (!isObject(places)) return;
  markAll(document, places['values'], VALUES);
  markAll(document, places['keys'], KEYS);
}
