import {
  COLON,
  codeAt,
  columnOf,
  DASH,
  HASH,
  isBreak,
  isEnd,
  isSign,
  QUESTION,
  STAR,
  skip,
  skipInLine,
  YamlFault,
} from './cursor.ts';
import { addEntry, checkEntry, noEntries } from './entries.ts';
import { opensFlow, readFlow } from './flow.ts';
import {
  asKey,
  close,
  finishList,
  finishMap,
  nullAt,
  open,
  readAlias,
  scalarOf,
  type YamlReader,
} from './parts.ts';
import {
  joinProperties,
  NO_PROPERTIES,
  type Properties,
  readProperties,
  startsProperties,
} from './properties.ts';
import { readQuoted } from './quoted.ts';
import { type Block, findBlock, isLoose, readParts } from './recover.ts';
import type { SourceNode, SourceScalar } from './source-map.ts';
import { MAX_DEPTH } from './syntax.ts';
import { passPlainLine, readBlockText, readPlainRest } from './text.ts';
import { lineEnd } from './text-layout.ts';

const DOUBLE = 0x22;
const SINGLE = 0x27;
const LITERAL = 0x7c;
const FOLDED = 0x3e;

const NO_KEY = 'Expected a key with ":" here.';

/** What is said of a line that stands behind the document. */
export const NOTHING_FOLLOWS = 'Nothing may follow the document here; check the indentation.';

/** Where a node stands. */
interface Place {
  /** The column of the block around it. */
  readonly indent: number;
  /** True when a list may begin at that column, as under a key. */
  readonly list: boolean;
  /** True when a block may begin on the current line. */
  readonly block: boolean;
}

function emptyAt(reader: YamlReader, at: number, properties: Properties): SourceNode {
  return properties === NO_PROPERTIES
    ? nullAt(at)
    : scalarOf(reader, '', 'plain', at, at, properties);
}

/** Reads the node that follows; nothing when the block around it goes on or ends. */
export function readNode(
  reader: YamlReader,
  place: Place,
  above: Properties = NO_PROPERTIES,
): SourceNode {
  const before = reader.at;
  skip(reader);
  if (isEnd(reader)) return emptyAt(reader, before, above);
  if (reader.fresh !== reader.at) return readContent(reader, place, above);
  const column = columnOf(reader);
  if (column > place.indent) return readContent(reader, { ...place, block: true }, above);
  const list = place.list && column === place.indent && isSign(reader, DASH);
  return list
    ? readList(reader, above, blockOf(reader, place, true))
    : emptyAt(reader, before, above);
}

/** The block that begins at the cursor. */
function blockOf(reader: YamlReader, { indent }: Place, list: boolean): Block {
  return { column: columnOf(reader), outer: indent, list };
}

/** Refuses a block where only a value may stand. */
function demandBlock(place: Place, start: number): void {
  if (place.block) return;
  const message =
    'A list or mapping cannot begin here; put it on a line of its own, or quote the text.';
  throw new YamlFault(message, start);
}

function readContent(reader: YamlReader, place: Place, above: Properties): SourceNode {
  const start = reader.at;
  if (isSign(reader, DASH)) {
    demandBlock(place, start);
    return readList(reader, above, blockOf(reader, place, true));
  }
  if (isSign(reader, QUESTION) || isSign(reader, COLON)) {
    demandBlock(place, start);
    return readMap(reader, above, blockOf(reader, place, false));
  }
  if (!startsProperties(codeAt(reader))) {
    return readLine(reader, place, above, NO_PROPERTIES, start);
  }
  const own = readProperties(reader, false);
  const next = codeAt(reader);
  const alone = isBreak(next) || next === HASH || Number.isNaN(next);
  if (!alone) return readLine(reader, place, above, own, start);
  return readNode(reader, { ...place, block: false }, joinProperties(above, own, start));
}

/** True when a colon makes what was read since `line` began a key; the cursor is then at the colon. */
function isKey(reader: YamlReader, line: number): boolean {
  if (reader.lineStart !== line) return false;
  const { at } = reader;
  skipInLine(reader);
  if (isSign(reader, COLON)) return true;
  reader.at = at;
  return false;
}

const NO_PLAIN = new Set(Array.from('#&*!|>%@`,[]{}', (sign) => sign.charCodeAt(0)));

/** Reads quotes, or the first line of a plain text. */
function readFirstLine(reader: YamlReader): { text: string; style: SourceScalar['style'] } {
  const start = reader.at;
  const code = codeAt(reader);
  if (code === DOUBLE || code === SINGLE) {
    return { text: readQuoted(reader), style: code === DOUBLE ? 'double' : 'single' };
  }
  const sign = isSign(reader, DASH) || isSign(reader, QUESTION);
  if (!sign && !NO_PLAIN.has(code)) passPlainLine(reader, false);
  if (reader.at === start) {
    const char = String.fromCharCode(code);
    throw new YamlFault(`A value cannot begin with "${char}" here; quote it.`, start);
  }
  return { text: reader.text.slice(start, reader.at), style: 'plain' };
}

/** Reads a single value or brackets, or a key that begins a mapping. */
function readLine(
  reader: YamlReader,
  place: Place,
  above: Properties,
  own: Properties,
  start: number,
): SourceNode {
  const code = codeAt(reader);
  const begin = reader.at;
  const line = reader.lineStart;
  if (code === LITERAL || code === FOLDED) {
    const { text, end } = readBlockText(reader, place.indent);
    const style = code === LITERAL ? 'literal' : 'folded';
    return scalarOf(reader, text, style, begin, end, joinProperties(above, own, begin));
  }
  if (opensFlow(code)) {
    const node = readFlow(reader, joinProperties(above, own, begin));
    return isKey(reader, line) ? asKey(reader, node) : node;
  }
  if (code === STAR) {
    const node = readAlias(reader, own);
    if (!isKey(reader, line)) {
      joinProperties(above, { ...NO_PROPERTIES }, begin);
      return node;
    }
    demandBlock(place, start);
    const block = { column: start - line, outer: place.indent, list: false };
    return readMap(reader, above, block, asKey(reader, node));
  }
  const { text, style } = readFirstLine(reader);
  const end = reader.at;
  if (isKey(reader, line)) {
    demandBlock(place, start);
    const key = scalarOf(reader, text, style, begin, end, own);
    const block = { column: start - line, outer: place.indent, list: false };
    return readMap(reader, above, block, key);
  }
  const properties = joinProperties(above, own, begin);
  const whole = style === 'plain' ? readPlainRest(reader, begin, place.indent, false) : text;
  return scalarOf(reader, whole, style, begin, reader.at, properties);
}

/** Reads the key of a further entry and moves to its colon, which only `?` can do without. */
function readKey(reader: YamlReader, column: number): SourceScalar {
  if (isSign(reader, COLON)) return nullAt(reader.at);
  if (isSign(reader, QUESTION)) {
    reader.at += 1;
    const key = asKey(reader, readNode(reader, { indent: column, list: true, block: true }));
    skip(reader);
    return key;
  }
  const line = reader.lineStart;
  const begin = reader.at;
  const own = startsProperties(codeAt(reader)) ? readProperties(reader, false) : NO_PROPERTIES;
  const start = reader.at;
  let key: SourceScalar;
  if (codeAt(reader) === STAR) key = asKey(reader, readAlias(reader, own));
  else if (opensFlow(codeAt(reader))) key = asKey(reader, readFlow(reader, own));
  else if (isSign(reader, DASH)) {
    throw new YamlFault('A list item cannot stand among keys; indent it below its key.', start);
  } else {
    const { text, style } = readFirstLine(reader);
    key = scalarOf(reader, text, style, start, reader.at, own);
  }
  if (isKey(reader, line)) return key;
  throw new YamlFault(NO_KEY, begin, Math.max(reader.at, begin + 1));
}

/** True when the block goes on; refuses what fits no block. */
function goesOn(reader: YamlReader, { column, outer, list }: Block): boolean {
  if (isEnd(reader)) return false;
  if (reader.fresh !== reader.at) {
    throw new YamlFault(
      'Nothing may follow here on this line; quote the text or begin a new line.',
      reader.at,
    );
  }
  const found = columnOf(reader);
  const between = reader.recovers && found > outer && found < column;
  if (between && outer < 0) throw new YamlFault(NOTHING_FOLLOWS, reader.at);
  if (between || found > column) {
    throw new YamlFault(
      'This line is indented deeper than the block that it continues.',
      reader.at,
    );
  }
  // A line that fits nowhere is this block's, so that the block may go on behind it.
  if (reader.recovers && found < column && isLoose(reader.text, reader.at)) {
    throw new YamlFault(NO_KEY, reader.at, lineEnd(reader.text, reader.at));
  }
  return found === column && (!list || isSign(reader, DASH));
}

/** What stands below a key or dash whose value could not be read: a block, if it looks like one. */
export function readBelow(reader: YamlReader, from: number, outer: number): SourceNode | undefined {
  const found = reader.depth < MAX_DEPTH ? findBlock(reader.text, from, outer) : undefined;
  if (found === undefined) return undefined;
  const block = { ...found, outer };
  reader.at = found.at;
  reader.lineStart = found.at - found.column;
  reader.fresh = found.at;
  return found.list
    ? readList(reader, NO_PROPERTIES, block)
    : readMap(reader, NO_PROPERTIES, block);
}

/** True for a mapping or list. */
export function isCollection(node: SourceNode | undefined): boolean {
  return node?.kind === 'map' || node?.kind === 'list';
}

/** Reads a mapping from its first key, which the cursor is behind when it was read already. */
function readMap(
  reader: YamlReader,
  properties: Properties,
  block: Block,
  first?: SourceScalar,
): SourceNode {
  const { column } = block;
  const start = first?.start ?? reader.at;
  const entries = noEntries();
  let end = start;
  let next = first;
  let key: SourceScalar | undefined;
  let value: SourceNode | undefined;
  const keep = (): void => {
    if (key === undefined) return;
    const made = value ?? nullAt(key.end);
    addEntry(entries, key, made);
    end = made.end;
  };
  open(reader, properties);
  readParts(reader, block, {
    read: () => {
      value = undefined;
      key = next;
      next = undefined;
      const explicit = key === undefined && isSign(reader, QUESTION);
      key ??= readKey(reader, column);
      if (isSign(reader, COLON) && !(explicit && columnOf(reader) !== column)) {
        reader.at += 1;
        value = readNode(reader, { indent: column, list: true, block: explicit });
      }
      skip(reader);
      checkEntry(reader, entries, key, value ?? nullAt(key.end));
      return goesOn(reader, block);
    },
    keep,
    keepBroken: () => {
      if (key === undefined) return;
      const colon = reader.text.indexOf(':', key.end) + 1;
      if (colon === 0) return keep();
      const line = lineEnd(reader.text, colon);
      const below = /^\s*(?:#.*)?$/.test(reader.text.slice(colon, line));
      if (value === undefined || (below && !isCollection(value))) {
        value = readBelow(reader, line, column) ?? value ?? nullAt(colon);
      }
      keep();
    },
  });
  close(reader, properties);
  return finishMap(reader, entries, start, end, false, properties);
}

function readList(reader: YamlReader, properties: Properties, block: Block): SourceNode {
  const { column } = block;
  const start = reader.at;
  const items: SourceNode[] = [];
  let item: SourceNode | undefined;
  let dash = start;
  open(reader, properties);
  readParts(reader, block, {
    read: () => {
      item = undefined;
      dash = reader.at;
      reader.at += 1;
      item = readNode(reader, { indent: column, list: false, block: true });
      skip(reader);
      return goesOn(reader, block);
    },
    keep: () => {
      if (item !== undefined) items.push(item);
    },
    keepBroken: () => {
      const below = isCollection(item) ? undefined : readBelow(reader, dash + 1, column);
      items.push(below ?? item ?? nullAt(dash + 1));
    },
  });
  close(reader, properties);
  return finishList(reader, items, start, items.at(-1)?.end ?? start, false, properties);
}
