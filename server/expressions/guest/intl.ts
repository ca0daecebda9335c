// The interpreter has no Intl: what is asked of it is answered by the host's, formatter by formatter.
import { askHost } from './host.ts';

type Formatter = Record<string, unknown>;

const METHODS: Readonly<Record<string, readonly string[]>> = {
  DateTimeFormat: ['format', 'formatToParts', 'formatRange', 'formatRangeToParts'],
  NumberFormat: ['format', 'formatToParts', 'formatRange', 'formatRangeToParts'],
  RelativeTimeFormat: ['format', 'formatToParts'],
  ListFormat: ['format', 'formatToParts'],
  PluralRules: ['select', 'selectRange'],
  DisplayNames: ['of'],
  Collator: ['compare'],
};

function plain(word: unknown): unknown {
  if (word instanceof Date) return word.getTime();
  if (typeof word === 'bigint') return { bigint: String(word) };
  if (Object.is(word, -0)) return { number: '-0' };
  if (typeof word === 'number' && !Number.isFinite(word)) return { number: String(word) };
  if (typeof word !== 'object' || word === null || Array.isArray(word)) return word;
  const moment = (word as { valueOf(): unknown }).valueOf();
  return typeof moment === 'number' ? moment : word;
}

function ask(kind: string, locales: unknown, options: unknown, method: string, words: unknown[]) {
  const answer = askHost('intl', [
    kind,
    locales ?? null,
    options ?? null,
    method,
    words.map(plain),
  ]);
  if (typeof answer === 'object' && answer !== null && 'refused' in answer)
    throw new RangeError(String(answer.refused));
  return answer;
}

function formatterOf(kind: string, methods: readonly string[]) {
  return function create(locales?: unknown, options?: unknown): Formatter {
    const resolved = ask(kind, locales, options, 'resolvedOptions', []) as object;
    const formatter: Formatter = { resolvedOptions: () => ({ ...resolved }) };
    for (const method of methods) {
      formatter[method] = (...words: unknown[]) => {
        const given = kind === 'DateTimeFormat' && words[0] === undefined ? [Date.now()] : words;
        return ask(kind, locales, options, method, given);
      };
    }
    return formatter;
  };
}

const SIMPLE = /^[A-Za-z0-9 ]*$/;

function rank(code: number): number {
  // A blank stands before digits, digits before letters, and case counts last.
  return code >= 97 ? code - 32 : code;
}

function compareSimple(left: string, right: string): number {
  const shorter = Math.min(left.length, right.length);
  let byCase = 0;
  for (let at = 0; at < shorter; at += 1) {
    const a = left.charCodeAt(at);
    const b = right.charCodeAt(at);
    const difference = Math.sign(rank(a) - rank(b));
    if (difference !== 0) return difference;
    byCase ||= Math.sign(b - a);
  }
  return Math.sign(left.length - right.length) || byCase;
}

function localeCompare(this: unknown, other: unknown, locales?: unknown, options?: unknown) {
  const left = String(this);
  const right = String(other);
  if (locales === undefined && options === undefined && SIMPLE.test(left) && SIMPLE.test(right))
    return compareSimple(left, right);
  return ask('Collator', locales, options, 'compare', [left, right]);
}

function define(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, writable: true, configurable: true });
}

/** Puts Intl, and the methods that rest on it, in their places. */
export function installIntl(): void {
  const intl: Record<string, unknown> = {};
  for (const [kind, methods] of Object.entries(METHODS)) intl[kind] = formatterOf(kind, methods);
  define(globalThis, 'Intl', intl);
  for (const name of ['toLocaleString', 'toLocaleDateString', 'toLocaleTimeString'] as const) {
    define(Date.prototype, name, function text(this: Date, locales?: unknown, options?: unknown) {
      if (Number.isNaN(this.getTime())) return 'Invalid Date';
      return ask('Date', locales, options, name, [this.getTime()]);
    });
  }
  define(
    Number.prototype,
    'toLocaleString',
    function text(this: unknown, l?: unknown, o?: unknown) {
      return ask('NumberFormat', l, o, 'format', [Number(this)]);
    },
  );
  define(String.prototype, 'localeCompare', localeCompare);
}
