import { canonicalJson } from '../../../kernel/canonical-json.ts';
import { sameJson } from '../../../kernel/same-json.ts';

/**
 * When two values are the same: only when they are equal; also `1`, `"1"` and `true`, and all that
 * is empty; or also what is empty and zero.
 */
export type Equality = 'exact' | 'loose' | 'loose_with_zero';

function isEmpty(value: unknown): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

function isZero(value: unknown): boolean {
  return value === 0 || value === '0';
}

function meansBoolean(value: unknown, meant: boolean): boolean {
  if (typeof value !== 'string' && typeof value !== 'number') return false;
  return (meant ? ['true', '1'] : ['false', '0']).includes(String(value));
}

function isLooselySame(one: unknown, other: unknown, equality: Equality): boolean {
  if (equality === 'loose_with_zero' && one === null && isZero(other)) return true;
  if (isEmpty(one) && (isEmpty(other) || other === undefined)) return true;
  if (typeof one === 'number' && typeof other === 'string') return String(one) === other;
  return typeof one === 'boolean' && meansBoolean(other, one);
}

export function areEqual(one: unknown, other: unknown, equality: Equality): boolean {
  if (equality === 'exact') return sameJson(one, other);
  if (one !== null && other !== null && typeof one === typeof other) return sameJson(one, other);
  return isLooselySame(one, other, equality) || isLooselySame(other, one, equality);
}

/** A text that only equal values have. */
export function exactKey(value: unknown): string {
  return value === undefined ? '' : canonicalJson(value);
}

/** A text that values have in common that may be the same; few different ones have the same. */
export function roughKey(value: unknown, equality: Equality): string {
  if (equality === 'exact') return exactKey(value);
  if (value === undefined || isEmpty(value) || isZero(value)) return 'nothing';
  if (value === false || value === 'false') return 'nothing';
  if (value === true || meansBoolean(value, true)) return 'true';
  return typeof value === 'number' ? exactKey(String(value)) : exactKey(value);
}
