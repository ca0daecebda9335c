import { isObject, type Json, type JsonObject, setOwn } from '../../kernel/json.ts';
import { copyJson, copyObject } from '../values/copy-json.ts';
import { carryMarks } from '../values/non-text.ts';
import { formatPath, type PathSegment } from '../values/path.ts';

/** Which layer gave a value. `overlay` counts from 0 in the order of application. */
export type Origin =
  | { readonly layer: 'base' }
  | { readonly layer: 'overlay'; readonly index: number }
  | { readonly layer: 'overrides' };

function isDeletion(value: Json): boolean {
  return (
    value === null ||
    (isObject(value) && Object.hasOwn(value, '__delete__') && value['__delete__'] === true)
  );
}

function ownObject(document: JsonObject, key: string): JsonObject | undefined {
  const value = Object.hasOwn(document, key) ? document[key] : undefined;
  return isObject(value) ? value : undefined;
}

/**
 * Lays one document over another (spec-v1 7). Null and `{__delete__: true}` remove a key, two
 * objects merge, everything else replaces in place or is appended. Neither input changes.
 */
export function mergeDocuments(base: JsonObject, top: JsonObject): JsonObject {
  const merged = copyObject(base);
  mergeInto(merged, top);
  return merged;
}

function mergeInto(target: JsonObject, top: JsonObject): void {
  for (const key of Object.keys(top)) {
    const value = top[key] ?? null;
    if (isDeletion(value)) {
      delete target[key];
      continue;
    }
    const below = ownObject(target, key);
    if (below !== undefined && isObject(value)) mergeInto(below, value);
    else setOwn(target, key, copyJson(value));
    carryMarks(top, target, key);
  }
}

/** base ← overlay 1 ← … ← overlay n ← overrides (spec-v1 7). No input changes. */
export function layerDocuments(
  base: JsonObject,
  overlays: readonly JsonObject[] = [],
  overrides?: JsonObject | null,
): JsonObject {
  const layered = copyObject(base);
  for (const overlay of overlays) mergeInto(layered, overlay);
  if (overrides) mergeInto(layered, overrides);
  return layered;
}

type OriginTree = Origin | Map<string, OriginTree>;

function treeOf(value: Json, origin: Origin): OriginTree {
  if (!isObject(value) || Object.keys(value).length === 0) return origin;
  return new Map(Object.entries(value).map(([key, item]) => [key, treeOf(item, origin)]));
}

function mergeOrigins(
  tree: Map<string, OriginTree>,
  target: JsonObject,
  top: JsonObject,
  origin: Origin,
): void {
  for (const key of Object.keys(top)) {
    const value = top[key] ?? null;
    if (isDeletion(value)) {
      tree.delete(key);
      continue;
    }
    const below = ownObject(target, key);
    if (below === undefined || !isObject(value)) {
      tree.set(key, treeOf(value, origin));
      continue;
    }
    const known = tree.get(key);
    const branch = known instanceof Map ? known : new Map<string, OriginTree>();
    mergeOrigins(branch, below, value, origin);
    tree.set(key, branch.size > 0 ? branch : origin);
  }
}

function flatten(tree: OriginTree, path: PathSegment[], out: Map<string, Origin>): void {
  if (!(tree instanceof Map)) {
    out.set(formatPath(path), tree);
    return;
  }
  for (const [key, branch] of tree) flatten(branch, [...path, key], out);
}

/**
 * As {@link layerDocuments}, with the origin of every leaf by its path. Lists are replaced whole,
 * so a list is one leaf; so is an empty object.
 */
export function layerWithOrigins(
  base: JsonObject,
  overlays: readonly JsonObject[] = [],
  overrides?: JsonObject | null,
): { document: JsonObject; origins: Map<string, Origin> } {
  const document = copyObject(base);
  const start = treeOf(base, { layer: 'base' });
  const tree = start instanceof Map ? start : new Map<string, OriginTree>();
  const lay = (top: JsonObject, origin: Origin): void => {
    mergeOrigins(tree, document, top, origin);
    mergeInto(document, top);
  };
  overlays.forEach((overlay, index) => {
    lay(overlay, { layer: 'overlay', index });
  });
  if (overrides) lay(overrides, { layer: 'overrides' });
  const origins = new Map<string, Origin>();
  if (tree.size > 0) flatten(tree, [], origins);
  return { document, origins };
}
