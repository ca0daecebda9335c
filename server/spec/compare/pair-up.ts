import { diffIndices } from 'node-diff3';
import { canonicalJson } from '../../kernel/canonical-json.ts';
import type { Json, JsonObject } from '../../kernel/json.ts';

/** What is kept, and what stands at another place among what is kept. */
export interface Pairs {
  readonly removed: readonly string[];
  readonly added: readonly string[];
  readonly kept: readonly string[];
  readonly moved: ReadonlySet<string>;
}

/** Pairs up the keys of two lists; of two that changed places the one that has the longer way has moved. */
export function pairUp(before: readonly string[], after: readonly string[]): Pairs {
  const [earlier, later] = [new Set(before), new Set(after)];
  const kept = after.filter((key) => earlier.has(key));
  const old = before.filter((key) => later.has(key));
  const moved = new Set<string>();
  for (const { buffer2Content } of diffIndices(old, kept)) {
    for (const key of buffer2Content) moved.add(key);
  }
  return {
    removed: before.filter((key) => !later.has(key)),
    added: after.filter((key) => !earlier.has(key)),
    kept,
    moved,
  };
}

/** A key for each item of a list: its own name, made unique where several share it. */
export function keyed<T>(items: readonly T[], nameOf: (item: T) => string): Map<string, T> {
  const seen = new Map<string, number>();
  const made = new Map<string, T>();
  for (const item of items) {
    const name = nameOf(item);
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    made.set(count === 1 ? name : `${name} (${count})`, item);
  }
  return made;
}

function withoutNames(value: Json | undefined, names: readonly string[]): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return canonicalJson(value ?? null);
  }
  const rest: JsonObject = { ...value };
  for (const name of names) delete rest[name];
  return canonicalJson(rest);
}

/**
 * Old name → new name of what is the same but for its name. Only where it is plain: of several that
 * are alike none counts as renamed. `names` are the fields that repeat the name.
 */
export function renames(
  before: Readonly<Record<string, Json>>,
  after: Readonly<Record<string, Json>>,
  names: readonly string[],
): ReadonlyMap<string, string> {
  const single = (from: Readonly<Record<string, Json>>, to: Readonly<Record<string, Json>>) => {
    const found = new Map<string, string | null>();
    for (const [name, value] of Object.entries(from)) {
      if (Object.hasOwn(to, name)) continue;
      const content = withoutNames(value, names);
      found.set(content, found.has(content) ? null : name);
    }
    return found;
  };
  const later = single(after, before);
  const made = new Map<string, string>();
  for (const [content, old] of single(before, after)) {
    const now = later.get(content);
    if (old !== null && now !== undefined && now !== null) made.set(old, now);
  }
  return made;
}
