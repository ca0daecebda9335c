import { isObject, type Json } from '../../kernel/json.ts';
import type { SourceEntry, SourceNode, SourceScalar } from './source-map.ts';
import { MAX_DEPTH, type SyntaxProblem, type SyntaxTree, TOO_DEEP } from './syntax.ts';

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/y;
const BLANK = /[ \t\n\r]*/y;
const WORD = /true|false|null/y;

class Fault {
  readonly problem: SyntaxProblem;
  constructor(message: string, start: number, end = start + 1) {
    this.problem = { message, start, end };
  }
}

interface Reader {
  readonly text: string;
  at: number;
  depth: number;
}

function skipBlanks(reader: Reader): void {
  BLANK.lastIndex = reader.at;
  BLANK.exec(reader.text);
  reader.at = BLANK.lastIndex;
}

function take(reader: Reader, pattern: RegExp): string | undefined {
  pattern.lastIndex = reader.at;
  const found = pattern.exec(reader.text);
  if (found === null) return undefined;
  reader.at += found[0].length;
  return found[0];
}

function expectChar(reader: Reader, char: string, what: string): void {
  skipBlanks(reader);
  if (reader.text[reader.at] !== char) throw new Fault(what, reader.at);
  reader.at += 1;
}

function scalar(value: Json, type: SourceScalar['type'], start: number, end: number): SourceScalar {
  return { kind: 'scalar', value, type, style: type === 'text' ? 'double' : 'plain', start, end };
}

/** The end of the text that starts at `start`: after its first quote that no backslash escapes. */
function textEnd(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let slashes = 0;
    while (text[quote - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) return quote + 1;
  }
  throw new Fault('This text is not closed.', start);
}

function readText(reader: Reader): SourceScalar | undefined {
  const start = reader.at;
  if (reader.text[start] !== '"') return undefined;
  const end = textEnd(reader.text, start);
  reader.at = end;
  try {
    const value: unknown = JSON.parse(reader.text.slice(start, end));
    return scalar(typeof value === 'string' ? value : '', 'text', start, end);
  } catch {
    throw new Fault('This text has a line break, control character or unknown escape.', start, end);
  }
}

const LARGEST = 2n ** 53n;

function isTooLarge(source: string): boolean {
  if (!/^-?[0-9]+$/.test(source)) return false;
  const value = BigInt(source);
  return value > LARGEST || value < -LARGEST;
}

function readNumber(reader: Reader): SourceScalar | undefined {
  const start = reader.at;
  const source = take(reader, NUMBER);
  if (source === undefined) return undefined;
  const value = Number(source);
  if (!Number.isFinite(value)) throw new Fault('This number is not finite.', start, reader.at);
  if (isTooLarge(source)) {
    throw new Fault('This integer is beyond ±2^53 and would lose digits.', start, reader.at);
  }
  return scalar(value, 'number', start, reader.at);
}

function readWord(reader: Reader): SourceScalar | undefined {
  const start = reader.at;
  const source = take(reader, WORD);
  if (source === undefined) return undefined;
  const value = source === 'null' ? null : source === 'true';
  return scalar(value, value === null ? 'null' : 'boolean', start, reader.at);
}

/** Reads members up to the closing bracket; `member` reads one. */
function readMembers(reader: Reader, close: string, member: () => void): void {
  reader.at += 1;
  reader.depth += 1;
  if (reader.depth > MAX_DEPTH) throw new Fault(TOO_DEEP, reader.at - 1);
  skipBlanks(reader);
  if (reader.text[reader.at] === close) reader.at += 1;
  else {
    for (;;) {
      member();
      skipBlanks(reader);
      const char = reader.text[reader.at];
      if (char !== ',' && char !== close) {
        throw new Fault(`Expected "," or "${close}" here.`, reader.at);
      }
      reader.at += 1;
      if (char === close) break;
    }
  }
  reader.depth -= 1;
}

function readEntry(reader: Reader): SourceEntry {
  skipBlanks(reader);
  const key = readText(reader);
  if (key === undefined) throw new Fault('Expected a key in double quotes here.', reader.at);
  expectChar(reader, ':', 'Expected ":" after the key.');
  const value = readValue(reader);
  return { key: String(key.value), textKey: true, keyStart: key.start, keyEnd: key.end, value };
}

function readValue(reader: Reader): SourceNode {
  skipBlanks(reader);
  const start = reader.at;
  const char = reader.text[start];
  if (char === '{') {
    const entries: SourceEntry[] = [];
    readMembers(reader, '}', () => entries.push(readEntry(reader)));
    return { kind: 'map', entries, merged: [], flow: true, start, end: reader.at };
  }
  if (char === '[') {
    const items: SourceNode[] = [];
    readMembers(reader, ']', () => items.push(readValue(reader)));
    return { kind: 'list', items, flow: true, start, end: reader.at };
  }
  const found = readText(reader) ?? readNumber(reader) ?? readWord(reader);
  if (found === undefined) throw new Fault('Expected a JSON value here.', start);
  return found;
}

/** Reads JSON into a tree with offsets. Never throws. */
export function parseJsonTree(text: string): SyntaxTree {
  const reader: Reader = { text, at: text.startsWith('\uFEFF') ? 1 : 0, depth: 0 };
  try {
    skipBlanks(reader);
    if (reader.at === text.length) return { root: undefined, problems: [] };
    const root = readValue(reader);
    skipBlanks(reader);
    if (reader.at < text.length) throw new Fault('Nothing may follow the document.', reader.at);
    return { root, problems: [] };
  } catch (fault) {
    if (fault instanceof Fault) return { root: undefined, problems: [fault.problem] };
    throw fault;
  }
}

function childrenOf(value: unknown): unknown[] {
  const children = Array.isArray(value) ? value : isObject(value) ? Object.values(value) : [];
  return children.filter((child) => typeof child === 'object' && child !== null);
}

/** True when a value is nested deeper than a document may be. Does not recurse. */
export function isTooDeep(value: unknown): boolean {
  let level = childrenOf(value);
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return true;
    level = level.flatMap(childrenOf);
  }
  return false;
}
