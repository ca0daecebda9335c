import { isJsonObject, type Json, type JsonObject, setOwn } from '../../kernel/json.ts';
import { sameJson } from '../../kernel/same-json.ts';

/**
 * How one JSON object becomes the next. Long lists that only grow (visited steps, threads) cost what
 * was added, so that checkpoints of a long run stay linear in size.
 */
export interface ObjectDelta {
  /** Members set or replaced. */
  set?: JsonObject;
  /** Members changed inside. */
  in?: { [key: string]: ObjectDelta };
  /** Lists: how many leading items stay, and what follows them. */
  list?: { [key: string]: { keep: number; tail: Json[] } };
  /** Members removed. */
  drop?: string[];
}

/** Masks what must not be stored; called once per value that the delta keeps. */
export type MaskValue = (key: string, value: Json) => Json;

function isList(value: unknown): value is Json[] {
  return Array.isArray(value);
}

function commonPrefix(a: readonly Json[], b: readonly Json[]): number {
  const length = Math.min(a.length, b.length);
  let index = 0;
  while (index < length && sameJson(a[index], b[index])) index += 1;
  return index;
}

function isEmpty(delta: ObjectDelta): boolean {
  for (const _part in delta) return false;
  return true;
}

function addMember(
  delta: ObjectDelta,
  key: string,
  before: Json | undefined,
  after: Json,
  mask: MaskValue,
): void {
  if (isList(before) && isList(after)) {
    const keep = commonPrefix(before, after);
    if (keep === before.length && keep === after.length) return;
    const tail = after.slice(keep);
    const masked = mask(key, tail);
    if (isList(masked)) {
      delta.list ??= {};
      setOwn(delta.list, key, { keep, tail: masked });
      return;
    }
  }
  if (isJsonObject(before) && isJsonObject(after) && isJsonObject(mask(key, {}))) {
    const inside = diffObjects(before, after, mask);
    if (isEmpty(inside)) return;
    delta.in ??= {};
    setOwn(delta.in, key, inside);
    return;
  }
  if (before !== undefined && sameJson(before, after)) return;
  delta.set ??= {};
  setOwn(delta.set, key, mask(key, after));
}

/** The change from `before` to `after`; kept values are masked, `before` is compared as it is. */
export function diffObjects(before: JsonObject, after: JsonObject, mask: MaskValue): ObjectDelta {
  const delta: ObjectDelta = {};
  for (const [key, value] of Object.entries(after)) {
    const old = Object.hasOwn(before, key) ? before[key] : undefined;
    if (old !== value) addMember(delta, key, old, value, mask);
  }
  const dropped = Object.keys(before).filter((key) => !Object.hasOwn(after, key));
  if (dropped.length > 0) delta.drop = dropped;
  return delta;
}

function listAfter(old: Json | undefined, change: { keep: number; tail: Json[] }, own: boolean) {
  if (!isList(old)) return change.tail;
  if (!own) return [...old.slice(0, change.keep), ...change.tail];
  old.length = Math.min(old.length, change.keep);
  for (const item of change.tail) old.push(item);
  return old;
}

/**
 * Applies a delta; the input stays as it is, unless it is the caller's `own`: its lists and objects
 * then become those of the result, so that a list that grows is not copied each time.
 */
export function applyDelta(before: JsonObject, delta: ObjectDelta, own = false): JsonObject {
  const after: JsonObject = own ? before : { ...before };
  for (const key of delta.drop ?? []) delete after[key];
  for (const [key, value] of Object.entries(delta.set ?? {})) setOwn(after, key, value);
  for (const [key, change] of Object.entries(delta.list ?? {})) {
    setOwn(after, key, listAfter(before[key], change, own));
  }
  for (const [key, change] of Object.entries(delta.in ?? {})) {
    const old = before[key];
    setOwn(after, key, applyDelta(isJsonObject(old) ? old : {}, change, own));
  }
  return after;
}

function picked<Value>(
  members: Readonly<Record<string, Value>> | undefined,
  names: ReadonlySet<string>,
): Record<string, Value> {
  return Object.fromEntries(Object.entries(members ?? {}).filter(([name]) => names.has(name)));
}

/** What a delta does to these members; it takes nothing of the others, however much they hold. */
export function deltaOf(delta: ObjectDelta, names: ReadonlySet<string>): ObjectDelta {
  return {
    set: picked(delta.set, names),
    in: picked(delta.in, names),
    list: picked(delta.list, names),
    drop: (delta.drop ?? []).filter((name) => names.has(name)),
  };
}
