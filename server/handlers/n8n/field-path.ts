import type { JsonObject } from '../../items/item.ts';
import { setOwn } from '../../kernel/json.ts';
import { keptByText } from './kept-by-text.ts';

type Container = Record<string, unknown> | unknown[];

const PART = /([^.[\]]+)|\[(?:(\d+)|"([^"]*)"|'([^']*)')\]/g;

/** The keys of a name with dots and brackets. */
export const pathOf = keptByText(100, (name): readonly string[] => {
  const parts = [...name.matchAll(PART)].map(
    ([, plain, index, double, single]) => plain ?? index ?? double ?? single ?? '',
  );
  return parts.length === 0 ? [name] : parts;
});

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null;
}

function put(target: Container, key: string, value: unknown): void {
  if (!Array.isArray(target)) {
    setOwn(target, key, value);
    return;
  }
  const at = Number(key);
  while (Number.isInteger(at) && target.length < at && at < 100_000) target.push(null);
  Object.defineProperty(target, key, {
    value,
    enumerable: true,
    writable: true,
    configurable: true,
  });
}

/** A value of JSON that shares nothing with another. Faster by far than `structuredClone`. */
export function copyOf<T>(value: T): T;
export function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => copyOf(one));
  if (!isContainer(value)) return value;
  const copy: JsonObject = {};
  for (const [key, one] of Object.entries(value)) setOwn(copy, key, copyOf(one));
  return copy;
}

/** Sets what a path leads to; lists and objects on the way are made. */
export function setPath(target: JsonObject, path: readonly string[], value: unknown): void {
  let at: Container = target;
  path.slice(0, -1).forEach((key, index) => {
    const inside: unknown = Object.hasOwn(at, key)
      ? (at as Record<string, unknown>)[key]
      : undefined;
    const next = isContainer(inside) ? inside : /^\d+$/.test(path[index + 1] ?? '') ? [] : {};
    if (next !== inside) put(at, key, next);
    at = next;
  });
  put(at, path.at(-1) ?? '', value);
}

/** What a path leads to; undefined where it leads nowhere. */
export function getPath(source: unknown, path: readonly string[]): unknown {
  let at = source;
  for (const key of path) {
    if (!isContainer(at) || !Object.hasOwn(at, key)) return undefined;
    at = (at as Record<string, unknown>)[key];
  }
  return at;
}

/** Removes what a path leads to. */
export function removePath(target: JsonObject, path: readonly string[]): void {
  const holder = path.length === 1 ? target : getPath(target, path.slice(0, -1));
  if (isContainer(holder)) delete (holder as Record<string, unknown>)[path.at(-1) ?? ''];
}

/** The keys that a name stands for in an object: a field of exactly that name comes first. */
function pathIn(json: JsonObject, name: string, dotted: boolean): readonly string[] {
  return !dotted || Object.hasOwn(json, name) ? [name] : pathOf(name);
}

/** What a field holds; with `dotted`, names may lead inside. */
export function fieldOf(json: JsonObject, name: string, dotted: boolean): unknown {
  if (Object.hasOwn(json, name)) return json[name];
  return dotted ? getPath(json, pathOf(name)) : undefined;
}

/** Sets a field in place; as `fieldOf`. */
export function setField(json: JsonObject, name: string, value: unknown, dotted: boolean): void {
  setPath(json, pathIn(json, name, dotted), value);
}

/** Removes a field in place; as `fieldOf`. */
export function removeField(json: JsonObject, name: string, dotted: boolean): void {
  removePath(json, pathIn(json, name, dotted));
}
