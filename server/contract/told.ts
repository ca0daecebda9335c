import { z } from 'zod';
import { isObject, type JsonObject } from '../kernel/json.ts';

/**
 * What another implementation of the contract, older or newer, may have said: any field may be
 * absent, a closed list may have new words, and there may be fields that this contract does not know.
 */
export type Told<T> = unknown extends T
  ? unknown
  : T extends string
    ? string
    : T extends number | boolean | null | undefined
      ? T
      : JsonObject extends T
        ? T
        : T extends readonly (infer Item)[]
          ? readonly Told<Item>[]
          : T extends object
            ? { readonly [K in keyof T]?: Told<T[K]> | null | undefined } & {
                readonly [more: string]: unknown;
              }
            : T;

/** The schema of the bodies with which a route succeeds. */
export type SuccessSchema<R extends { readonly responses: object }> = NonNullable<
  R['responses'][Extract<keyof R['responses'], 200 | 201 | 202>]
>;

/** Reads one value; undefined is what cannot be believed. */
type Part = (value: unknown) => unknown;

/** Answers undefined for a value of another type, or throws: the field's name and its agreed type. */
export type OnOtherType = (name: string, agreed: string) => undefined;

function objectPart(schema: z.ZodObject, name: string, other: OnOtherType): Part {
  const fields = Object.entries(schema.shape).map(
    ([field, inner]) => [field, partOf(inner, field, other)] as const,
  );
  return (value) => {
    if (!isObject(value)) return other(name, 'object');
    const read = { ...value };
    for (const [field, part] of fields) {
      const found = value[field];
      if (found !== undefined && found !== null) read[field] = part(found);
    }
    return read;
  };
}

function listPart(schema: z.ZodArray, name: string, other: OnOtherType): Part {
  const part = partOf(schema.element, name, other);
  return (value) => {
    if (!Array.isArray(value)) return other(name, 'list');
    const items: unknown[] = value;
    return items.map(part).filter((item) => item !== undefined);
  };
}

function mapPart(schema: z.ZodRecord, name: string, other: OnOtherType): Part {
  const part = partOf(schema.valueType, name, other);
  return (value) => {
    if (!isObject(value)) return other(name, 'object');
    const members = Object.entries(value).map(
      ([key, item]) => [key, item === null ? null : part(item)] as const,
    );
    return Object.fromEntries(members.filter(([, item]) => item !== undefined));
  };
}

interface Plain {
  readonly agreed: string;
  is(value: unknown): boolean;
}

function plainOf(schema: z.core.$ZodType): Plain {
  if (schema instanceof z.ZodString || schema instanceof z.ZodEnum) {
    return { agreed: 'text', is: (value) => typeof value === 'string' };
  }
  if (schema instanceof z.ZodBoolean) {
    return { agreed: 'boolean', is: (value) => typeof value === 'boolean' };
  }
  if (schema instanceof z.ZodNumber) {
    return schema.format === 'safeint'
      ? { agreed: 'integer', is: Number.isSafeInteger }
      : { agreed: 'number', is: Number.isFinite };
  }
  // A custom schema of an answer is an object whose inside is left open (`openObject`).
  if (schema instanceof z.ZodCustom) return { agreed: 'object', is: isObject };
  throw new TypeError(`an answer holds a ${schema._zod.def.type}, which nobody reads`);
}

function partOf(schema: z.core.$ZodType, name: string, other: OnOtherType): Part {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return partOf(schema.unwrap(), name, other);
  }
  if (schema instanceof z.ZodObject) return objectPart(schema, name, other);
  if (schema instanceof z.ZodArray) return listPart(schema, name, other);
  if (schema instanceof z.ZodRecord) return mapPart(schema, name, other);
  if (schema instanceof z.ZodUnknown) return (value) => value;
  const { agreed, is } = plainOf(schema);
  return (value) => (is(value) ? value : other(name, agreed));
}

/**
 * A reader of answers by the contract's own declaration. A value of another type than agreed counts
 * as absent and drops out of a list (dashboard.md 9), unless `other` throws (studio.md 23).
 */
export function toldReader<S extends z.ZodType>(
  schema: S,
  other: OnOtherType = () => undefined,
): (body: object) => Told<z.output<S>> {
  const read = partOf(schema, 'the answer', other);
  // Each branch of `partOf` gives what `Told` says of its schema.
  return (body) => read(body) as Told<z.output<S>>;
}
