import { isObject } from './json.ts';

/** Compares two texts by Unicode code point (not by UTF-16 unit). */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i += 1) {
    const left = a.charCodeAt(i);
    const right = b.charCodeAt(i);
    if (left === right) continue;
    const surrogates = (left & 0xf800) === 0xd800 || (right & 0xf800) === 0xd800;
    if (!surrogates) return left - right;
    return (a.codePointAt(i) ?? left) - (b.codePointAt(i) ?? right);
  }
  return a.length - b.length;
}

function number(value: number): string {
  if (!Number.isFinite(value)) throw new TypeError('canonical JSON has no NaN or infinity');
  return Object.is(value, -0) ? '0' : String(value);
}

/** Texts of this length are looked at here; others are faster with the engine. */
const SHORT = 32;

/** Printable ASCII without quote and backslash: JSON writes it as it stands. */
function isPlain(value: string): boolean {
  for (let i = 0; i < value.length; i += 1) {
    const unit = value.charCodeAt(i);
    if (unit < 0x20 || unit > 0x7e || unit === 0x22 || unit === 0x5c) return false;
  }
  return true;
}

function text(value: string, ascii: boolean): string {
  if (value.length <= SHORT && isPlain(value)) return `"${value}"`;
  const plain = JSON.stringify(value);
  if (!ascii) return plain;
  let out = '';
  for (let i = 0; i < plain.length; i += 1) {
    const unit = plain.charCodeAt(i);
    out += unit < 0x80 ? plain[i] : `\\u${unit.toString(16).padStart(4, '0')}`;
  }
  return out;
}

function list(items: readonly unknown[], ascii: boolean): string {
  let out = '[';
  for (let i = 0; i < items.length; i += 1) {
    if (i > 0) out += ',';
    out += write(items[i], ascii);
  }
  return `${out}]`;
}

function members(value: Readonly<Record<string, unknown>>, ascii: boolean): string {
  const names = Object.keys(value);
  if (names.length > 1) names.sort(compareCodePoints);
  let out = '';
  for (const name of names) {
    const item = value[name];
    if (item === undefined) continue;
    out += `${out === '' ? '' : ','}${text(name, ascii)}:${write(item, ascii)}`;
  }
  return `{${out}}`;
}

/** One text that grows: a list of parts for each level made a large value cost ten times as much. */
function write(value: unknown, ascii: boolean): string {
  if (value === null) return 'null';
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  if (typeof value === 'number') return number(value);
  if (typeof value === 'string') return text(value, ascii);
  if (Array.isArray(value)) return list(value, ascii);
  if (!isObject(value)) throw new TypeError(`canonical JSON has no ${typeof value}`);
  return members(value, ascii);
}

/**
 * Canonical JSON (spec-v1 21): keys sorted by code point at every level, no blanks, numbers as
 * ECMAScript prints them, `-0` is `0`. The `ascii` variant escapes every non-ASCII character.
 * @throws TypeError for NaN, infinities and values that JSON does not have.
 */
export function canonicalJson(value: unknown, variant: 'utf8' | 'ascii' = 'utf8'): string {
  return write(value, variant === 'ascii');
}
