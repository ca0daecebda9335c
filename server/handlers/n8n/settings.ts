import type { JsonObject } from '../../items/item.ts';
import { isObject } from '../../kernel/json.ts';

/** The object under a key of a setting; empty where there is none. */
export function objectIn(value: unknown, key: string): JsonObject {
  const found = isObject(value) ? value[key] : undefined;
  return isObject(found) ? found : {};
}

/** The objects in the list under a key of a setting. */
export function listIn(value: unknown, key: string): JsonObject[] {
  const found = isObject(value) ? value[key] : undefined;
  return Array.isArray(found) ? found.filter(isObject) : [];
}
