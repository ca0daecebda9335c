import type { SourceNode, SourceScalar } from './source-map.ts';
import type { SyntaxProblem } from './syntax.ts';
import {
  COLON,
  codeAt,
  columnOf,
  DASH,
  HASH,
  isBreak,
  isEnd,
  isMarker,
  isSign,
  QUESTION,
  STAR,
  skip,
  skipInLine,
  YamlFault,
} from './yaml-cursor.ts';
import { addEntry, noEntries } from './yaml-entries.ts';
import { opensFlow, readFlow } from './yaml-flow.ts';
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
} from './yaml-parts.ts';
import {
  joinProperties,
  NO_PROPERTIES,
  type Properties,
  readProperties,
  startsProperties,
} from './yaml-properties.ts';
import { readQuoted } from './yaml-quoted.ts';
import { passPlainLine, readBlockText, readPlainRest } from './yaml-text.ts';

const DOUBLE = 0x22;
const SINGLE = 0x27;
const LITERAL = 0x7c;
const FOLDED = 0x3e;
const PERCENT = 0x25;

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
function readNode(reader: YamlReader, place: Place, above: Properties = NO_PROPERTIES): SourceNode {
  const before = reader.at;
  skip(reader);
  if (isEnd(reader)) return emptyAt(reader, before, above);
  if (reader.fresh !== reader.at) return readContent(reader, place, above);
  const column = columnOf(reader);
  if (column > place.indent) return readContent(reader, { ...place, block: true }, above);
  const list = place.list && column === place.indent && isSign(reader, DASH);
  return list ? readList(reader, above) : emptyAt(reader, before, above);
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
    return readList(reader, above);
  }
  if (isSign(reader, QUESTION) || isSign(reader, COLON)) {
    demandBlock(place, start);
    return readMap(reader, above, columnOf(reader), start, undefined);
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
    return isKey(reader, line) ? asKey(node) : node;
  }
  if (code === STAR) {
    const node = readAlias(reader, own);
    if (!isKey(reader, line)) {
      joinProperties(above, { ...NO_PROPERTIES }, begin);
      return node;
    }
    demandBlock(place, start);
    return readMap(reader, above, start - line, begin, asKey(node));
  }
  const { text, style } = readFirstLine(reader);
  const end = reader.at;
  if (isKey(reader, line)) {
    demandBlock(place, start);
    const key = scalarOf(reader, text, style, begin, end, own);
    return readMap(reader, above, start - line, begin, key);
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
    const key = asKey(readNode(reader, { indent: column, list: true, block: true }));
    skip(reader);
    return key;
  }
  const line = reader.lineStart;
  const begin = reader.at;
  const own = startsProperties(codeAt(reader)) ? readProperties(reader, false) : NO_PROPERTIES;
  const start = reader.at;
  let key: SourceScalar;
  if (codeAt(reader) === STAR) key = asKey(readAlias(reader, own));
  else if (opensFlow(codeAt(reader))) key = asKey(readFlow(reader, own));
  else if (isSign(reader, DASH)) {
    throw new YamlFault('A list item cannot stand among keys; indent it below its key.', start);
  } else {
    const { text, style } = readFirstLine(reader);
    key = scalarOf(reader, text, style, start, reader.at, own);
  }
  if (isKey(reader, line)) return key;
  throw new YamlFault('Expected a key with ":" here.', begin, Math.max(reader.at, begin + 1));
}

/** True when the block at `column` goes on; refuses what fits no block. */
function goesOn(reader: YamlReader, column: number): boolean {
  if (isEnd(reader)) return false;
  if (reader.fresh !== reader.at) {
    throw new YamlFault(
      'Nothing may follow here on this line; quote the text or begin a new line.',
      reader.at,
    );
  }
  const found = columnOf(reader);
  if (found > column) {
    throw new YamlFault(
      'This line is indented deeper than the block that it continues.',
      reader.at,
    );
  }
  return found === column;
}

function readMap(
  reader: YamlReader,
  properties: Properties,
  column: number,
  start: number,
  first: SourceScalar | undefined,
): SourceNode {
  const entries = noEntries();
  let end = start;
  let key = first;
  open(reader, properties);
  do {
    const explicit = key === undefined && isSign(reader, QUESTION);
    key ??= readKey(reader, column);
    let value: SourceNode = nullAt(key.end);
    const given = isSign(reader, COLON);
    if (given && !(explicit && columnOf(reader) !== column)) {
      reader.at += 1;
      value = readNode(reader, { indent: column, list: true, block: explicit });
    }
    skip(reader);
    end = value.end;
    const problem = addEntry(entries, key, value);
    if (problem !== undefined) throw new YamlFault(problem.message, problem.start, problem.end);
    key = undefined;
  } while (goesOn(reader, column));
  close(reader, properties);
  return finishMap(reader, entries, start, end, false, properties);
}

function readList(reader: YamlReader, properties: Properties): SourceNode {
  const start = reader.at;
  const column = columnOf(reader);
  const items: SourceNode[] = [];
  let end = start;
  open(reader, properties);
  do {
    reader.at += 1;
    const item = readNode(reader, { indent: column, list: false, block: true });
    skip(reader);
    end = item.end;
    items.push(item);
  } while (goesOn(reader, column) && isSign(reader, DASH));
  close(reader, properties);
  return finishList(reader, items, start, end, false, properties);
}

const DIRECTIVE_END = 'A directive is followed by "---".';

/** Passes directives and the `---` behind them; answers whether a block may begin on its line. */
function readStart(reader: YamlReader): boolean {
  let directives = false;
  skip(reader);
  while (codeAt(reader) === PERCENT && reader.at === reader.lineStart) {
    directives = true;
    while (!isBreak(codeAt(reader)) && reader.at < reader.text.length) reader.at += 1;
    skip(reader);
  }
  if (isMarker(reader) && codeAt(reader) === DASH) {
    reader.at += 3;
    return false;
  }
  if (directives) throw new YamlFault(DIRECTIVE_END, reader.at);
  return true;
}

function readEnd(reader: YamlReader): void {
  skip(reader);
  while (isMarker(reader) && codeAt(reader) !== DASH) {
    reader.at += 3;
    skip(reader);
  }
  if (reader.at >= reader.text.length) return;
  if (isMarker(reader)) {
    throw new YamlFault('A spec is one document; remove the second one.', reader.at, reader.at + 3);
  }
  throw new YamlFault('Nothing may follow the document here; check the indentation.', reader.at);
}

/** A part of a text that is read by itself: from its first token to the end of the text. */
export interface YamlPart {
  /** Where the first token stands, and where its line begins. */
  readonly at: number;
  readonly lineStart: number;
  /** Anchors of the text before the part; those of the part are added. */
  readonly anchors: Map<string, SourceNode>;
  /** How deep the part is nested. */
  readonly depth: number;
}

function wholeOf(text: string): YamlPart {
  const at = text.startsWith('\uFEFF') ? 1 : 0;
  return { at, lineStart: at, anchors: new Map(), depth: 0 };
}

/**
 * Reads a whole text of YAML 1.1, or its last part, without a fault; undefined when it holds nothing.
 * @throws YamlFault at the first fault.
 */
export function readYaml(text: string, part: YamlPart = wholeOf(text)): SourceNode | undefined {
  const { at } = part;
  const reader: YamlReader = { ...part, text, fresh: at, unfinished: new Set() };
  const block = readStart(reader);
  const before = reader.at;
  const root = readNode(reader, { indent: -1, list: false, block });
  readEnd(reader);
  const nothing = root.kind === 'scalar' && root.start === root.end && root.start <= before;
  return nothing ? undefined : root;
}

/** What a text without a fault holds. */
export interface SoundYaml {
  readonly root: SourceNode | undefined;
}

/** {@link readYaml}, with the first fault as a value. */
export function tryYaml(text: string, part?: YamlPart): SoundYaml | SyntaxProblem {
  try {
    return { root: readYaml(text, part) };
  } catch (fault) {
    if (fault instanceof YamlFault) return fault.problem;
    throw fault;
  }
}
