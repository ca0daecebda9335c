/** A JSON value as it stands after parsing. */
export type Json = string | number | boolean | null | Json[] | JsonObject;
/** A JSON object. */
export type JsonObject = { [key: string]: Json };

/** True for an object that is neither null nor a list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** As isObject, of what `JSON.parse` gave: it is JSON all the way down. */
export function isJsonObject(value: unknown): value is JsonObject {
  return isObject(value);
}

/**
 * Sets a key as an own property, also for names such as `__proto__`, which an assignment would
 * turn into a change of the prototype.
 */
export function setOwn<T>(target: Record<string, T>, key: string, value: T): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, {
      value,
      enumerable: true,
      writable: true,
      configurable: true,
    });
  } else {
    target[key] = value;
  }
}
