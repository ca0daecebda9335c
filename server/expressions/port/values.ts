/** What an expression gave: what JSON says as it is, else its kind and what is left of it. */
export type Value =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'undefined' }
  /** A number that JSON cannot say: NaN, an infinity, minus zero. */
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'bigint'; readonly text: string }
  /** A Date of JavaScript; null when it is none that exists. */
  | { readonly kind: 'date'; readonly time: number | null }
  /** A moment of Luxon, with its zone. */
  | { readonly kind: 'moment'; readonly iso: string | null }
  /** An error of the source's own. */
  | { readonly kind: 'failed'; readonly message: string };

type Encoded = readonly [0, unknown] | readonly [string, (string | number | null)?];

const UNDEFINED: Value = { kind: 'undefined' };

function decode([kind, value]: Encoded): Value {
  switch (kind) {
    case 0:
      return { kind: 'json', value };
    case 'number':
      return { kind: 'number', value: Number(value) };
    case 'bigint':
      return { kind: 'bigint', text: String(value) };
    case 'date':
      return { kind: 'date', time: typeof value === 'number' ? value : null };
    case 'moment':
      return { kind: 'moment', iso: typeof value === 'string' ? value : null };
    case 'failed':
      return { kind: 'failed', message: String(value) };
    default:
      return UNDEFINED;
  }
}

/** Reads the results of a step: by item, then by expression. */
export function decodeResults(text: string): readonly (readonly Value[])[] {
  return (JSON.parse(text) as Encoded[][]).map((row) => row.map(decode));
}

/** What of a value JSON can hold; undefined stays, and a field of that value is no field. */
export function jsonOf(value: Value): unknown {
  switch (value.kind) {
    case 'json':
      return value.value;
    case 'number':
      return Object.is(value.value, -0) ? 0 : null;
    case 'bigint':
      return value.text;
    case 'date':
      return value.time === null ? null : new Date(value.time).toISOString();
    case 'moment':
      return value.iso;
    case 'undefined':
    case 'failed':
      return undefined;
  }
}
