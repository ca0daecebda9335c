// What the interpreter asks of Node: formats, zones, dates as V8 reads them, hashes.
import { createHash } from 'node:crypto';

type Formatter = Record<string, (...words: unknown[]) => unknown>;

const KINDS = {
  DateTimeFormat: Intl.DateTimeFormat,
  NumberFormat: Intl.NumberFormat,
  RelativeTimeFormat: Intl.RelativeTimeFormat,
  ListFormat: Intl.ListFormat,
  PluralRules: Intl.PluralRules,
  DisplayNames: Intl.DisplayNames,
  Collator: Intl.Collator,
} as unknown as Readonly<Record<string, new (locales: unknown, options: unknown) => Formatter>>;
const DATE_METHODS = new Set(['toLocaleString', 'toLocaleDateString', 'toLocaleTimeString']);
const METHODS = new Set([
  ...['format', 'formatToParts', 'formatRange', 'formatRangeToParts', 'select', 'selectRange'],
  ...['of', 'compare', 'resolvedOptions'],
]);
const MOST_FORMATTERS = 200;
const LOCALE = 'en-US';
const formatters = new Map<string, Formatter>();

function formatterOf(kind: string, locales: unknown, options: unknown): Formatter {
  const key = JSON.stringify([kind, locales, options]);
  const known = formatters.get(key);
  if (known !== undefined) return known;
  const Kind = KINDS[kind];
  if (Kind === undefined) throw new RangeError(`no ${kind}`);
  const given = (options ?? {}) as object;
  const zoned = kind === 'DateTimeFormat' ? { timeZone: 'UTC', ...given } : given;
  const made = new Kind(locales ?? LOCALE, zoned);
  if (formatters.size >= MOST_FORMATTERS) formatters.clear();
  formatters.set(key, made);
  return made;
}

function wordOf(word: unknown): unknown {
  if (typeof word !== 'object' || word === null) return word;
  if ('bigint' in word) return BigInt(String(word.bigint));
  return 'number' in word ? Number(word.number) : word;
}

function intl([kind, locales, options, method, words]: [
  string,
  unknown,
  unknown,
  string,
  unknown[],
]): unknown {
  try {
    if (kind === 'Date' && DATE_METHODS.has(method)) {
      const date = new Date(Number(words[0])) as unknown as Formatter;
      const given = { timeZone: 'UTC', ...(options as object | null) };
      return date[method]?.(locales ?? LOCALE, given);
    }
    if (!METHODS.has(method)) throw new RangeError(`no ${method}`);
    return formatterOf(kind, locales, options)[method]?.(...words.map(wordOf)) ?? null;
  } catch (error) {
    return { refused: error instanceof Error ? error.message : String(error) };
  }
}

const ISO = /^(?:[+-]\d{6}|\d{4})(?:-\d\d(?:-\d\d)?)?(?:T\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?)?$/;
const OFFSET = '[+-]\\d{1,2}:?(?:\\d\\d)?';
const ZONED = new RegExp(
  `(?:Z|\\b(?:GMT|UTC|UT)(?:${OFFSET})?|\\b[ECMP][SD]T|:\\d\\d(?:[.,]\\d+)?\\s*(?:[AP]M)?\\s*${OFFSET})\\s*(?:\\(.*\\))?$`,
  'i',
);

/** Milliseconds of a text as V8 reads it in a process whose zone is UTC. */
function parseDate(text: string): number | null {
  const trimmed = text.trim();
  let moment: number;
  if (ISO.test(trimmed)) moment = Date.parse(trimmed.includes('T') ? `${trimmed}Z` : trimmed);
  else if (ZONED.test(trimmed)) moment = Date.parse(text);
  else moment = Date.parse(`${trimmed} UTC`);
  return Number.isNaN(moment) ? null : moment;
}

const PARTS = {
  ...{ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' },
  ...{ second: 'numeric', hourCycle: 'h23', era: 'short' },
} as const;

function offsetAt(zone: string, moment: number): number {
  const format = formatterOf('DateTimeFormat', LOCALE, { timeZone: zone, ...PARTS });
  const parts = format['formatToParts']?.(new Date(moment)) as Intl.DateTimeFormatPart[];
  const read = (type: string): number =>
    Number(parts.find((part) => part.type === type)?.value ?? 0);
  const isBefore = parts.some((part) => part.type === 'era' && part.value.startsWith('B'));
  const local = new Date(0);
  local.setUTCFullYear(isBefore ? 1 - read('year') : read('year'), read('month') - 1, read('day'));
  local.setUTCHours(read('hour'), read('minute'), read('second'));
  const whole = Math.floor(moment / 1000) * 1000;
  return (local.getTime() - whole) / 60_000;
}

const WEEK_MS = 7 * 86_400_000;
const QUARTER_MS = 900_000;
const LATEST = 8.64e15;

/** The offset of a zone at a moment in minutes, and the span around it in which it is the same. */
function zoneSpan([zone, moment]: [string, number]): [number, number, number] {
  const offset = offsetAt(zone, moment);
  for (const length of [WEEK_MS, QUARTER_MS]) {
    const from = Math.floor(moment / length) * length;
    const to = from + length;
    if (Math.abs(from) > LATEST || Math.abs(to) > LATEST) break;
    if (offsetAt(zone, from) === offset && offsetAt(zone, to - 1) === offset)
      return [from, to, offset];
  }
  return [moment, moment + 1, offset];
}

const HASHES: Readonly<Record<string, string>> = {
  ...{ md5: 'md5', sha1: 'sha1', sha224: 'sha224', sha256: 'sha256', sha384: 'sha384' },
  ...{ sha512: 'sha512', sha3: 'sha3-512', ripemd160: 'ripemd160' },
};

function hash([algorithm, text]: [string, string]): string | null {
  const name = HASHES[algorithm];
  return name === undefined ? null : createHash(name).update(text).digest('hex');
}

const ANSWERS: Readonly<Record<string, (argument: never) => unknown>> = {
  intl,
  parse_date: parseDate,
  zone_span: zoneSpan,
  hash,
};

/** The answer to what every step may ask; undefined when it is another question. */
export function answerOf(operation: string, argument: string): string | undefined {
  const answer = ANSWERS[operation];
  if (answer === undefined) return undefined;
  return JSON.stringify(answer(JSON.parse(argument) as never) ?? null);
}
