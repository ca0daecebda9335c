import { jsonOf, type Value } from '../../expressions/port/values.ts';
import { FieldFailure } from './fields.ts';
import { NoJson, parseLoosely } from './loose-json.ts';

export type FieldType = 'string' | 'number' | 'boolean' | 'array' | 'object';

/** The value is none of the type: the source tells it and stops. */
export const NO_VALUE = Symbol('no value of the type');

type Read = (value: Value) => unknown;

/** As JavaScript makes a number of it, but of no object: one can say anything of itself. */
export function numberOf(json: unknown): number {
  if (!Array.isArray(json))
    return typeof json === 'object' && json !== null ? Number.NaN : Number(json);
  const [only = null] = json as unknown[];
  return json.length > 1 || typeof only === 'boolean' ? Number.NaN : numberOf(only);
}

/** As text; an object and a list as JSON, nothing as no text. */
export function textOf(json: unknown): string {
  if (json === undefined || json === null) return '';
  return typeof json === 'object' ? JSON.stringify(json) : String(json);
}

function asNumber(value: Value): number {
  switch (value.kind) {
    case 'date':
      return value.time ?? Number.NaN;
    case 'moment':
      return value.iso === null ? Number.NaN : Date.parse(value.iso);
    case 'number':
      return value.value;
    default:
      return numberOf(jsonOf(value));
  }
}

function toText(value: Value): unknown {
  if (value.kind === 'number') return String(value.value);
  const json = jsonOf(value);
  if (typeof json === 'object' || value.kind === 'date') return JSON.stringify(json);
  return String(json);
}

function toNumber(value: Value): unknown {
  const number = asNumber(value);
  if (Number.isNaN(number)) return NO_VALUE;
  return Number.isFinite(number) ? number + 0 : null;
}

function toBoolean(value: Value): unknown {
  const json = jsonOf(value);
  if (typeof json === 'boolean') return json;
  if (typeof json === 'string') {
    const word = json.toLowerCase();
    if (word === 'true' || word === '1') return true;
    return word === 'false' || word === '0' ? false : NO_VALUE;
  }
  const number = asNumber(value);
  if (number === 1) return true;
  return number === 0 ? false : NO_VALUE;
}

function parsed(json: unknown): unknown {
  if (typeof json !== 'string') return json;
  try {
    return parseLoosely(json);
  } catch (error) {
    if (error instanceof NoJson) return NO_VALUE;
    throw error;
  }
}

function toArray(value: Value): unknown {
  const list = parsed(jsonOf(value));
  return Array.isArray(list) ? list : NO_VALUE;
}

function toObject(value: Value): unknown {
  const found = parsed(jsonOf(value));
  return typeof found === 'object' && found !== null && !Array.isArray(found) ? found : NO_VALUE;
}

const READERS: Readonly<Record<FieldType, Read>> = {
  string: toText,
  number: toNumber,
  boolean: toBoolean,
  array: toArray,
  object: toObject,
};

/** A value brought to a type, or NO_VALUE. */
export function asType(type: FieldType, value: Value): unknown {
  return READERS[type](value);
}

/** A value as a field of a type holds it. @throws FieldFailure in the words of the source */
export function typedValue(
  name: string,
  type: FieldType,
  value: Value,
  item: number,
  keepsOthers: boolean,
): unknown {
  if (value.kind === 'failed') throw new FieldFailure(value.message);
  const json = jsonOf(value);
  if (value.kind === 'undefined' || (value.kind === 'json' && json === null)) return null;
  const read = asType(type, value);
  if (read !== NO_VALUE) return read;
  if (keepsOthers) return json;
  const shown = typeof json === 'object' ? JSON.stringify(json) : String(json);
  throw new FieldFailure(`'${name}' expects a ${type} but we got '${shown}' [item ${item}]`);
}
