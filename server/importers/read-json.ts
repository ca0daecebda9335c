import { unparseable } from './source-refused.ts';
import type { Value } from './value.ts';

const MAX_DEPTH = 900;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const [TAB, NEWLINE, RETURN, SPACE] = [0x09, 0x0a, 0x0d, 0x20];
const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c];
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

interface Cursor {
  readonly raw: string;
  at: number;
  /** False: texts may hold halves of surrogate pairs, which are replaced. */
  readonly wellFormed: boolean;
}

function fail(cursor: Cursor, what: string): Error {
  const before = cursor.raw.slice(0, cursor.at);
  const line = before.split('\n').length;
  const column = cursor.at - before.lastIndexOf('\n');
  return unparseable(`The file is not readable JSON: ${what} at line ${line}, column ${column}.`, {
    line,
    column,
  });
}

/** Passes blanks; answers the character code that comes next, NaN at the end. */
function skip(cursor: Cursor): number {
  const { raw } = cursor;
  for (let at = cursor.at; ; at += 1) {
    const code = raw.charCodeAt(at);
    if (code === SPACE || code === NEWLINE || code === RETURN || code === TAB) continue;
    cursor.at = at;
    return code;
  }
}

function readEscape(cursor: Cursor): string {
  const letter = cursor.raw.charAt(cursor.at + 1);
  if (letter === 'u') {
    const hex = cursor.raw.slice(cursor.at + 2, cursor.at + 6);
    if (!/^[0-9a-fA-F]{4}$/.test(hex)) throw fail(cursor, 'a broken escape');
    cursor.at += 6;
    return String.fromCharCode(Number.parseInt(hex, 16));
  }
  const plain = ESCAPES[letter];
  if (plain === undefined) throw fail(cursor, 'an unknown escape');
  cursor.at += 2;
  return plain;
}

/** Where the plain characters of a text end: at a quote, an escape or a control character. */
function plainEnd(raw: string, from: number): number {
  let at = from;
  for (;;) {
    const code = raw.charCodeAt(at);
    if (!(code >= SPACE) || code === QUOTE || code === BACKSLASH) return at;
    at += 1;
  }
}

function readText(cursor: Cursor): string {
  const { raw, wellFormed } = cursor;
  const end = plainEnd(raw, cursor.at + 1);
  let out = raw.slice(cursor.at + 1, end);
  cursor.at = end;
  if (raw.charCodeAt(end) === QUOTE) {
    cursor.at += 1;
    return wellFormed ? out : out.toWellFormed();
  }
  while (raw.charCodeAt(cursor.at) !== QUOTE) {
    if (raw.charCodeAt(cursor.at) !== BACKSLASH) throw fail(cursor, 'a text that does not end');
    out += readEscape(cursor);
    const next = plainEnd(raw, cursor.at);
    out += raw.slice(cursor.at, next);
    cursor.at = next;
  }
  cursor.at += 1;
  return out.toWellFormed();
}

const [ZERO, NINE, DOT, MINUS] = [0x30, 0x39, 0x2e, 0x2d];
/** A whole number of so many digits is held exactly. */
const SAFE_DIGITS = 15;

/** A short whole number without a sign, as most are; undefined for any other. */
function readDigits(cursor: Cursor): number | undefined {
  const { raw, at: from } = cursor;
  let at = from;
  let value = 0;
  let code = raw.charCodeAt(at);
  while (code >= ZERO && code <= NINE) {
    value = value * 10 + code - ZERO;
    at += 1;
    code = raw.charCodeAt(at);
  }
  const isShort = at - from <= SAFE_DIGITS && (raw.charCodeAt(from) !== ZERO || at - from === 1);
  // `e` and `E` differ in one bit.
  if (!isShort || code === DOT || (code | 0x20) === 0x65) return undefined;
  cursor.at = at;
  return value;
}

function readNumber(cursor: Cursor): number {
  NUMBER.lastIndex = cursor.at;
  const match = NUMBER.exec(cursor.raw);
  if (match === null) throw fail(cursor, 'an unexpected character');
  const [text] = match;
  const value = Number(text);
  if (!Number.isFinite(value)) throw fail(cursor, 'a number that is out of range');
  const integer = /^-?\d+$/.test(text);
  if (integer && !Number.isSafeInteger(value) && BigInt(text) !== BigInt(value)) {
    throw fail(cursor, 'an integer that cannot be held exactly');
  }
  cursor.at += text.length;
  return value;
}

const WORDS: readonly (readonly [string, Value])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
];

function readWord(cursor: Cursor): Value {
  const code = cursor.raw.charCodeAt(cursor.at);
  if (code >= ZERO && code <= NINE) return readDigits(cursor) ?? readNumber(cursor);
  if (code === MINUS) return readNumber(cursor);
  for (const [word, value] of WORDS) {
    if (cursor.raw.startsWith(word, cursor.at)) {
      cursor.at += word.length;
      return value;
    }
  }
  return readNumber(cursor);
}

function readList(cursor: Cursor, depth: number): Value[] {
  const out: Value[] = [];
  cursor.at += 1;
  if (skip(cursor) === LIST_END) {
    cursor.at += 1;
    return out;
  }
  for (;;) {
    out.push(readValue(cursor, depth));
    const next = skip(cursor);
    cursor.at += 1;
    if (next === LIST_END) return out;
    if (next !== COMMA) throw fail(cursor, 'a list that does not go on');
  }
}

function readObject(cursor: Cursor, depth: number): Map<string, Value> {
  const out = new Map<string, Value>();
  cursor.at += 1;
  if (skip(cursor) === OBJECT_END) {
    cursor.at += 1;
    return out;
  }
  for (;;) {
    if (skip(cursor) !== QUOTE) throw fail(cursor, 'a missing member name');
    const key = readText(cursor);
    if (skip(cursor) !== COLON) throw fail(cursor, 'a missing colon');
    cursor.at += 1;
    out.set(key, readValue(cursor, depth));
    const next = skip(cursor);
    cursor.at += 1;
    if (next === OBJECT_END) return out;
    if (next !== COMMA) throw fail(cursor, 'an object that does not go on');
  }
}

function readValue(cursor: Cursor, depth: number): Value {
  if (depth > MAX_DEPTH) throw fail(cursor, 'nesting that is too deep');
  switch (skip(cursor)) {
    case OBJECT:
      return readObject(cursor, depth + 1);
    case LIST:
      return readList(cursor, depth + 1);
    case QUOTE:
      return readText(cursor);
    default:
      return readWord(cursor);
  }
}

/**
 * Reads one JSON document; object members keep the order of the text, a repeated name keeps its
 * first place and its last value. NaN, infinities, overflowing numbers, integers that a double
 * cannot hold and nesting over 900 levels are refused.
 */
export function readJson(raw: string): Value {
  const cursor: Cursor = { raw, at: 0, wellFormed: raw.isWellFormed() };
  const value = readValue(cursor, 0);
  skip(cursor);
  if (cursor.at < raw.length) throw fail(cursor, 'something after the end');
  return value;
}
