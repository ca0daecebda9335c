// How a value leaves the interpreter: what JSON can say as it is, else its kind and what is left of it.

import { DateTime } from 'luxon';
import { OwnError } from './own-error.ts';

/** [0, value], or the name of a kind with a text: see `server/expressions/values.ts`. */
export type Encoded = readonly [0, unknown] | readonly [string, (string | number | null)?];

function mustBePlain(value: unknown, seen: Set<object>): void {
  if (typeof value === 'function' || typeof value === 'symbol')
    throw new OwnError(`Expression evaluation failed: ${String(value)} could not be cloned.`);
  if (typeof value !== 'object' || value === null || seen.has(value)) return;
  seen.add(value);
  if (DateTime.isDateTime(value) || value instanceof Date) return;
  for (const part of Object.values(value)) mustBePlain(part, seen);
}

function encodeNumber(value: number): Encoded {
  return Number.isFinite(value) && !Object.is(value, -0)
    ? [0, value]
    : ['number', Object.is(value, -0) ? '-0' : String(value)];
}

/** `isSuspect`: the text of the expression can make functions and symbols. */
export function encode(value: unknown, isSuspect: boolean): Encoded {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return [0, value];
    case 'number':
      return encodeNumber(value);
    case 'undefined':
      return ['undefined'];
    case 'bigint':
      return ['bigint', String(value)];
    case 'function':
      throw new OwnError('This is a function, please add ()');
    case 'symbol':
      throw new OwnError(`Expression evaluation failed: ${String(value)} could not be cloned.`);
    default:
  }
  if (value === null) return [0, null];
  if (value instanceof Date) {
    const time = value.getTime();
    return ['date', Number.isNaN(time) ? null : time];
  }
  if (DateTime.isDateTime(value)) return ['moment', value.toISO()];
  if (isSuspect) mustBePlain(value, new Set());
  return [0, value];
}

/** What a value becomes between the texts of a template. */
export function asText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'function') throw new OwnError('This is a function, please add ()');
  return String(value);
}
