import { z } from 'zod';
import { isObject } from '../kernel/json.ts';

/** Stands for a value that is not of its agreed type. */
const UNREAD = Symbol('unread');

/** What a field that must be there holds when its value cannot be read (dashboard.md 9). */
function blankOf(schema: z.core.$ZodType): unknown {
  if (schema instanceof z.ZodString) return '';
  if (schema instanceof z.ZodNumber) return 0;
  if (schema instanceof z.ZodBoolean) return false;
  if (schema instanceof z.ZodArray) return [];
  if (schema instanceof z.ZodObject) return readObject(schema, {});
  // A custom schema of an answer is an object whose inside is left open (`openObject`).
  if (schema instanceof z.ZodRecord || schema instanceof z.ZodCustom) return {};
  return UNREAD;
}

function readObject(schema: z.ZodObject, value: unknown): unknown {
  if (!isObject(value)) return UNREAD;
  const read = { ...value };
  for (const [field, inner] of Object.entries(schema.shape)) {
    const found = readPart(inner, value[field]);
    const part = found === UNREAD ? blankOf(inner) : found;
    if (part === UNREAD) return UNREAD;
    read[field] = part;
  }
  return read;
}

function readRecord(schema: z.ZodRecord, value: unknown): unknown {
  if (!isObject(value)) return UNREAD;
  const members = Object.entries(value).map(
    ([key, item]) => [key, readPart(schema.valueType, item)] as const,
  );
  return Object.fromEntries(members.filter(([, item]) => item !== UNREAD));
}

function readPart(schema: z.core.$ZodType, value: unknown): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    const found = readPart(schema.unwrap(), value);
    if (found !== UNREAD) return found;
    return schema instanceof z.ZodNullable ? null : undefined;
  }
  if (schema instanceof z.ZodObject) return readObject(schema, value);
  if (schema instanceof z.ZodRecord) return readRecord(schema, value);
  if (schema instanceof z.ZodArray) {
    if (!Array.isArray(value)) return UNREAD;
    return value.map((item) => readPart(schema.element, item)).filter((item) => item !== UNREAD);
  }
  return z.safeParse(schema, value).success ? value : UNREAD;
}

/**
 * An answer of a platform that may be of another make, in the contract's types. A value of another
 * type counts as absent and drops out of a list (dashboard.md 9); a field that must be there is then
 * empty. Undefined where nothing is left to show: no object, or a word that the contract does not
 * know where it must know one.
 */
export function readLenient<S extends z.ZodType>(
  schema: S,
  body: unknown,
): z.output<S> | undefined {
  const parsed = schema.safeParse(body);
  return parsed.success ? parsed.data : schema.safeParse(readPart(schema, body)).data;
}
