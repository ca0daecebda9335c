import {
  COLON,
  COMMA,
  codeAt,
  DASH,
  isBreak,
  isEnd,
  isFlowSign,
  isSign,
  note,
  QUESTION,
  STAR,
  skip,
  skipInLine,
  YamlFault,
} from './cursor.ts';
import { addEntry, checkEntry, type Entries, noEntries } from './entries.ts';
import {
  asKey,
  close,
  finishList,
  finishMap,
  nullAt,
  open,
  readAlias,
  readQuotedScalar,
  restore,
  scalarOf,
  stateOf,
  type YamlReader,
} from './parts.ts';
import { NO_PROPERTIES, type Properties, readProperties, startsProperties } from './properties.ts';
import type { SourceNode, SourceScalar } from './source-map.ts';
import { passPlainLine, readPlainRest } from './text.ts';

const LIST_OPEN = 0x5b;
const LIST_CLOSE = 0x5d;
const MAP_OPEN = 0x7b;
const MAP_CLOSE = 0x7d;

/** True for `[` and `{`. */
export function opensFlow(code: number): boolean {
  return code === LIST_OPEN || code === MAP_OPEN;
}

function readPlain(reader: YamlReader, properties: Properties): SourceScalar {
  const start = reader.at;
  passPlainLine(reader, true);
  if (reader.at === start) throw new YamlFault('This sign cannot stand here.', start);
  const text = readPlainRest(reader, start, 0, true);
  return scalarOf(reader, text, 'plain', start, reader.at, properties);
}

const NO_PLAIN = new Set('#&*!|>%@`'.split('').map((sign) => sign.charCodeAt(0)));

function readNode(reader: YamlReader): SourceNode {
  const before = reader.at;
  const properties = startsProperties(codeAt(reader))
    ? readProperties(reader, true)
    : NO_PROPERTIES;
  const code = codeAt(reader);
  if (opensFlow(code)) return readFlow(reader, properties);
  if (code === 0x22 || code === 0x27) return readQuotedScalar(reader, properties);
  if (code === STAR) return readAlias(reader, properties);
  const empty = isFlowSign(code) || isSign(reader, COLON);
  if (empty && properties !== NO_PROPERTIES) {
    return scalarOf(reader, '', 'plain', reader.at, reader.at, properties);
  }
  if (empty || NO_PLAIN.has(code) || isSign(reader, DASH)) {
    throw new YamlFault('Expected a value here; quote it if it begins with a sign.', before);
  }
  return readPlain(reader, properties);
}

/** Moves to the next token between brackets. */
function advance(reader: YamlReader, start: number): void {
  skip(reader);
  if (isEnd(reader)) throw new YamlFault('This bracket is not closed.', start);
}

/** What follows a colon; nothing when the entry ends there. */
function readValue(reader: YamlReader, start: number): SourceNode {
  const at = reader.at;
  advance(reader, start);
  const code = codeAt(reader);
  return code === COMMA || code === LIST_CLOSE || code === MAP_CLOSE
    ? nullAt(at)
    : readNode(reader);
}

/** Reads the key of an entry. */
function readKey(reader: YamlReader, start: number): SourceNode {
  if (codeAt(reader) === COLON) return nullAt(reader.at);
  if (isSign(reader, QUESTION)) {
    reader.at += 1;
    return readValue(reader, start);
  }
  return readNode(reader);
}

function readPair(reader: YamlReader, into: Entries, key: SourceNode, start: number): void {
  const scalar = asKey(reader, key);
  let value: SourceNode = nullAt(key.end);
  if (codeAt(reader) === COLON) {
    reader.at += 1;
    value = readValue(reader, start);
  }
  checkEntry(reader, into, scalar, value);
  addEntry(into, scalar, value);
}

function readItem(reader: YamlReader, start: number): SourceNode {
  const begin = reader.at;
  const line = reader.lineStart;
  const explicit = isSign(reader, QUESTION);
  const node = readKey(reader, start);
  if (explicit) advance(reader, start);
  else skipInLine(reader);
  const pair = codeAt(reader) === COLON && (explicit || reader.lineStart === line);
  if (!pair && !explicit) return node;
  const entries = noEntries();
  readPair(reader, entries, node, start);
  const end = entries.entries.at(-1)?.value.end ?? reader.at;
  return finishMap(reader, entries, explicit ? begin : node.start, end, true, NO_PROPERTIES);
}

/** Passes the comma behind an entry, which only the closing bracket can do without. */
function passComma(reader: YamlReader, closing: number, start: number): void {
  advance(reader, start);
  const code = codeAt(reader);
  if (code === COMMA) {
    reader.at += 1;
    advance(reader, start);
    if (codeAt(reader) === COMMA) throw new YamlFault('A value is missing here.', reader.at);
  } else if (code !== closing) {
    const sign = String.fromCharCode(closing);
    throw new YamlFault(`Expected "," or "${sign}" here.`, reader.at);
  }
}

function readEntry(reader: YamlReader, entries: Entries, start: number): void {
  const line = reader.lineStart;
  const explicit = isSign(reader, QUESTION);
  const key = readKey(reader, start);
  advance(reader, start);
  if (codeAt(reader) === COLON && !explicit && reader.lineStart !== line) {
    throw new YamlFault('A key and its colon stand on one line.', key.start);
  }
  readPair(reader, entries, key, start);
}

/** Passes what cannot be read, up to the next comma or bracket; answers whether entries follow. */
function passFault(reader: YamlReader): boolean {
  for (; reader.at < reader.text.length; reader.at += 1) {
    const code = codeAt(reader);
    if (isBreak(code)) {
      reader.lineStart = reader.at + 1;
      continue;
    }
    if (code !== COMMA && code !== LIST_CLOSE && code !== MAP_CLOSE) continue;
    reader.at += 1;
    return code === COMMA;
  }
  return false;
}

/** Reads the list or mapping in brackets at the cursor. */
export function readFlow(reader: YamlReader, properties: Properties): SourceNode {
  const start = reader.at;
  const list = codeAt(reader) === LIST_OPEN;
  const closing = list ? LIST_CLOSE : MAP_CLOSE;
  const items: SourceNode[] = [];
  const entries = noEntries();
  open(reader, properties);
  reader.at += 1;
  const state = stateOf(reader);
  for (let more = true; more; ) {
    try {
      advance(reader, start);
      more = codeAt(reader) !== closing;
      if (!more) reader.at += 1;
      else if (list) items.push(readItem(reader, start));
      else readEntry(reader, entries, start);
      if (more) passComma(reader, closing, start);
    } catch (fault) {
      if (!(reader.lenient && fault instanceof YamlFault)) throw fault;
      note(reader, fault.problem);
      restore(reader, state);
      more = passFault(reader);
    }
  }
  close(reader, properties);
  return list
    ? finishList(reader, items, start, reader.at, true, properties)
    : finishMap(reader, entries, start, reader.at, true, properties);
}
