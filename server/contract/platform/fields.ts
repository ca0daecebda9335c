import { z } from 'zod';
import { isObject, type JsonObject } from '../../kernel/json.ts';

const encoder = new TextEncoder();

/** Bytes of the compact UTF-8 JSON of a value. */
function jsonBytes(value: unknown): number {
  return encoder.encode(JSON.stringify(value)).length;
}

const anyObject = z.custom<JsonObject>(isObject, {
  error: 'Input should be a valid dictionary',
  params: { type: 'dict_type' },
  abort: true,
});

/** A JSON object, of at most so many bytes as compact UTF-8 JSON when that is said. */
export function jsonObject(maxBytes?: number): z.ZodType<JsonObject, JsonObject> {
  if (maxBytes === undefined) return anyObject;
  return anyObject.refine((value) => jsonBytes(value) <= maxBytes, {
    error: `Value should have at most ${maxBytes} bytes as JSON`,
  });
}

/** Characters are counted as code points. */
export function textUpTo(maxChars: number): z.ZodType<string, string> {
  return z.string().refine((text) => text.length <= maxChars || [...text].length <= maxChars, {
    error: `String should have at most ${maxChars} characters`,
    params: { type: 'string_too_long' },
  });
}

/** A path below the spec root as a caller may spell it (contract/platform.md 3.1). */
export function specPath(maxChars: number): z.ZodType<string, string> {
  return textUpTo(maxChars).refine(
    (path) => !path.startsWith('~') && !path.split(/[\\/]/).includes('..'),
    { error: 'Value error, path must not start with ~ nor contain a .. segment' },
  );
}

/** An object or a list of at most so many members, counted before any of them is read. */
export function fewMembers<Schema extends z.ZodType>(max: number, schema: Schema) {
  return z.preprocess((value, context) => {
    const isList = Array.isArray(value);
    if (isList ? value.length > max : isObject(value) && Object.keys(value).length > max) {
      const message = `${isList ? 'List' : 'Dictionary'} should have at most ${max} items`;
      context.addIssue({ code: 'custom', message, params: { type: 'too_long' } });
    }
    return value;
  }, schema);
}

function toNumber(value: unknown): unknown {
  if (typeof value !== 'string' || value.trim() === '') return value;
  const parsed = Number(value);
  return Number.isFinite(parsed) ? parsed : value;
}

/** A number above zero; numeric text is accepted. */
export function positiveNumber(): z.ZodType<number> {
  return z.preprocess(toNumber, z.number().positive());
}

/** JSON facts whose inside this contract leaves open. */
export const openObject = jsonObject();
/** ISO-8601 UTC with microseconds and `+00:00`. */
export const timestamp = z.string();
/** Unix seconds with fraction. */
export const epochSeconds = z.number();
