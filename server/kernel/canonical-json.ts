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

function text(value: string, ascii: boolean): string {
  const plain = JSON.stringify(value);
  if (!ascii) return plain;
  let out = '';
  for (let i = 0; i < plain.length; i += 1) {
    const unit = plain.charCodeAt(i);
    out += unit < 0x80 ? plain[i] : `\\u${unit.toString(16).padStart(4, '0')}`;
  }
  return out;
}

function write(value: unknown, ascii: boolean): string {
  if (value === null) return 'null';
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  if (typeof value === 'number') return number(value);
  if (typeof value === 'string') return text(value, ascii);
  if (Array.isArray(value)) return `[${value.map((item) => write(item, ascii)).join(',')}]`;
  if (typeof value !== 'object') throw new TypeError(`canonical JSON has no ${typeof value}`);
  const entries = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .sort(([a], [b]) => compareCodePoints(a, b));
  return `{${entries.map(([key, item]) => `${text(key, ascii)}:${write(item, ascii)}`).join(',')}}`;
}

/**
 * Canonical JSON (spec-v1 21): keys sorted by code point at every level, no blanks, numbers as
 * ECMAScript prints them, `-0` is `0`. The `ascii` variant escapes every non-ASCII character.
 * @throws TypeError for NaN, infinities and values that JSON does not have.
 */
export function canonicalJson(value: unknown, variant: 'utf8' | 'ascii' = 'utf8'): string {
  return write(value, variant === 'ascii');
}
