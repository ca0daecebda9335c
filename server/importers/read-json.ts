import { unparseable } from './source-refused.ts';
import type { Value } from './value.ts';

const MAX_DEPTH = 900;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const PLAIN_TEXT = /[ !#-[\]-\uffff]*/y;
const BLANK = /[ \t\n\r]*/y;
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

function skip(cursor: Cursor): string {
  BLANK.lastIndex = cursor.at;
  BLANK.test(cursor.raw);
  cursor.at = BLANK.lastIndex;
  return cursor.raw.charAt(cursor.at);
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

function readText(cursor: Cursor): string {
  cursor.at += 1;
  let out = '';
  for (;;) {
    PLAIN_TEXT.lastIndex = cursor.at;
    PLAIN_TEXT.test(cursor.raw);
    out += cursor.raw.slice(cursor.at, PLAIN_TEXT.lastIndex);
    cursor.at = PLAIN_TEXT.lastIndex;
    const next = cursor.raw.charAt(cursor.at);
    if (next === '"') break;
    if (next !== '\\') throw fail(cursor, 'a text that does not end');
    out += readEscape(cursor);
  }
  cursor.at += 1;
  return out.toWellFormed();
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

function readWord(cursor: Cursor): Value {
  const words: readonly (readonly [string, Value])[] = [
    ['true', true],
    ['false', false],
    ['null', null],
  ];
  for (const [word, value] of words) {
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
  if (skip(cursor) === ']') {
    cursor.at += 1;
    return out;
  }
  for (;;) {
    out.push(readValue(cursor, depth));
    const next = skip(cursor);
    cursor.at += 1;
    if (next === ']') return out;
    if (next !== ',') throw fail(cursor, 'a list that does not go on');
  }
}

function readObject(cursor: Cursor, depth: number): Map<string, Value> {
  const out = new Map<string, Value>();
  cursor.at += 1;
  if (skip(cursor) === '}') {
    cursor.at += 1;
    return out;
  }
  for (;;) {
    if (skip(cursor) !== '"') throw fail(cursor, 'a missing member name');
    const key = readText(cursor);
    if (skip(cursor) !== ':') throw fail(cursor, 'a missing colon');
    cursor.at += 1;
    out.set(key, readValue(cursor, depth));
    const next = skip(cursor);
    cursor.at += 1;
    if (next === '}') return out;
    if (next !== ',') throw fail(cursor, 'an object that does not go on');
  }
}

function readValue(cursor: Cursor, depth: number): Value {
  if (depth > MAX_DEPTH) throw fail(cursor, 'nesting that is too deep');
  switch (skip(cursor)) {
    case '{':
      return readObject(cursor, depth + 1);
    case '[':
      return readList(cursor, depth + 1);
    case '"':
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
  const cursor: Cursor = { raw, at: 0 };
  const value = readValue(cursor, 0);
  skip(cursor);
  if (cursor.at < raw.length) throw fail(cursor, 'something after the end');
  return value;
}
