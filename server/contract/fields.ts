import { z } from 'zod';

const TRUE = new Set(['true', '1', 'yes', 'on', 't', 'y']);
const FALSE = new Set(['false', '0', 'no', 'off', 'f', 'n']);

function toBoolean(value: unknown): unknown {
  if (value === 1 || value === 0) return value === 1;
  if (typeof value !== 'string') return value;
  const word = value.toLowerCase();
  if (TRUE.has(word)) return true;
  if (FALSE.has(word)) return false;
  return value;
}

/** A boolean in any spelling of platform.md 1.6; anything else is `bool_parsing`. */
export function lenientBoolean() {
  return z.unknown().transform((value, context): boolean => {
    const parsed = toBoolean(value);
    if (typeof parsed === 'boolean') return parsed;
    context.issues.push({
      code: 'custom',
      input: value,
      message: 'Input should be a valid boolean',
      params: { type: value === undefined ? 'missing' : 'bool_parsing' },
    });
    return z.NEVER;
  });
}

function toInteger(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : undefined;
  if (typeof value !== 'string' || !/^\s*[+-]?\d+(?:\.0+)?\s*$/.test(value)) return undefined;
  const parsed = Number(value);
  return Number.isSafeInteger(parsed) ? parsed : undefined;
}

/** An integer, also given as text; bounds are inclusive (platform.md 1.6). */
export function lenientInteger(bounds: { min?: number; max?: number } = {}) {
  return z.unknown().transform((value, context): number => {
    const parsed = toInteger(value);
    const fail = (message: string, type: string): never => {
      context.issues.push({ code: 'custom', input: value, message, params: { type } });
      return z.NEVER;
    };
    if (value === undefined) return fail('Field required', 'missing');
    if (parsed === undefined) return fail('Input should be a valid integer', 'int_parsing');
    if (bounds.min !== undefined && parsed < bounds.min) {
      return fail(`Input should be greater than or equal to ${bounds.min}`, 'greater_than_equal');
    }
    if (bounds.max !== undefined && parsed > bounds.max) {
      return fail(`Input should be less than or equal to ${bounds.max}`, 'less_than_equal');
    }
    return parsed;
  });
}
