import { columnOf, DASH, isEnd, isSign, note, skip, YamlFault } from './cursor.ts';
import { type ReaderState, restore, stateOf, type YamlReader } from './parts.ts';
import type { SyntaxProblem } from './syntax.ts';
import { lineEnd, lineStart } from './text-layout.ts';

/** Where a block collection stands: its own column, and that of the block around it. */
export interface Block {
  readonly column: number;
  readonly outer: number;
  readonly list: boolean;
}

/** Reads one part of a text after the other: the entries of a mapping, the items of a list. */
export interface Parts {
  /** Reads the part at the cursor; answers whether another one follows. */
  read(): boolean;
  /** Keeps the part that was read last. */
  keep(): void;
  /** Keeps what is known of a part whose reading ended with a fault. */
  keepBroken(): void;
}

/** So many faults are told. */
const MAX_FAULTS = 1000;
const TOO_MUCH =
  'From here on the text is not read, since too much of it cannot be; mend what is before.';

const KEY =
  /(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[^\s#&*!|>'"%@`[\]{},-][^\n#]*?(?<![ \t]))(?=[ \t]*:(?:\s|$))/y;
const ITEM = /-(?:\s|$)/y;
/** The first token of a line; a line that is indented by tabs has none. */
const TOKEN = / *([^ #\t\r\n])/y;

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

/** Where the first tokens of the lines after an offset stand, that of its own line too. */
function* tokensFrom(text: string, from: number): Generator<{ at: number; column: number }> {
  let line = lineStart(text, from);
  for (let begin = from; begin < text.length; begin = line) {
    const found = matchAt(TOKEN, text, begin);
    const at = begin + (found?.length ?? 0) - 1;
    if (found !== undefined) yield { at, column: at - line };
    const end = text.indexOf('\n', begin);
    line = end < 0 ? text.length : end + 1;
  }
}

/** True for a line that begins no part of any block: a word without a colon, a bracket that closes. */
export function isLoose(text: string, at: number): boolean {
  const line = text.slice(at, lineEnd(text, at));
  return !/:(?:\s|$)|^[-?](?:\s|$)/.test(line);
}

/** Where a part of a block ends that begins on the line of `begin`, as indentation tells it. */
function endOfPart(text: string, begin: number, { column, outer, list }: Block): number {
  const next = text.indexOf('\n', begin) + 1;
  for (const token of next === 0 ? [] : tokensFrom(text, next)) {
    const sibling = token.column === column;
    const ends = sibling
      ? matchAt(KEY, text, token.at) !== undefined ||
        (list && matchAt(ITEM, text, token.at) !== undefined)
      : token.column <= outer && !isLoose(text, token.at);
    if (ends) return token.at - token.column;
  }
  return text.length;
}

/** Where a block begins behind an offset: at the first line that looks like a part of it. */
export function findBlock(
  text: string,
  from: number,
  outer: number,
): { readonly at: number; readonly column: number; readonly list: boolean } | undefined {
  let column: number | undefined;
  let list = false;
  for (const token of tokensFrom(text, from)) {
    if (column === undefined) {
      column = token.column;
      list = matchAt(ITEM, text, token.at) !== undefined;
      if (column <= outer) return undefined;
    }
    const begins = token.column === column && matchAt(list ? ITEM : KEY, text, token.at);
    if (begins) return { at: token.at, column, list };
  }
  return undefined;
}

function moveTo(reader: YamlReader, at: number): void {
  reader.at = at;
  reader.lineStart = lineStart(reader.text, at);
  reader.fresh = at;
}

interface BrokenPart {
  readonly begin: number;
  readonly end: number;
  /** What the reader was like before it, and how many faults it had found. */
  readonly state: ReaderState;
  readonly told: number;
  readonly fault: SyntaxProblem;
}

/** Leaves what follows: nobody reads so many faults, or it would take too long. */
function endReading(reader: YamlReader, fault: SyntaxProblem): void {
  const { start } = fault;
  if (!reader.ended) reader.problems.push(fault, { message: TOO_MUCH, start, end: start + 1 });
  reader.ended = true;
  reader.at = reader.text.length;
}

/**
 * Reads a broken part once more: by itself, so that what follows is not taken for its inside, and
 * past its faults. The first of them is told.
 */
export function readAgain(reader: YamlReader, part: BrokenPart, parts: Parts): void {
  const { begin, end, state } = part;
  const { text, told, lenient } = reader;
  restore(reader, state);
  reader.spare -= Math.max(reader.at, end) - begin;
  const own = reader.problems.length === part.told && part.fault.start < end;
  if (reader.ended || reader.spare < 0 || part.told >= MAX_FAULTS - 1) {
    endReading(reader, part.fault);
    return;
  }
  reader.text = text.slice(0, end);
  reader.problems.length = part.told;
  reader.told = part.told;
  reader.lenient = true;
  moveTo(reader, begin);
  try {
    parts.read();
    parts.keep();
  } catch (again) {
    if (!(again instanceof YamlFault)) throw again;
    restore(reader, state);
    parts.keepBroken();
    note(reader, again.problem);
    moveTo(reader, end);
  }
  note(reader, part.fault);
  if (own) reader.problems[part.told] = part.fault;
  reader.text = text;
  reader.told = told;
  reader.lenient = lenient;
  if (reader.ended) reader.at = text.length;
}

/** Reads the parts of a block from the first one, which the cursor is in; a fault costs the part it stands in. */
export function readParts(reader: YamlReader, block: Block, parts: Parts): void {
  const { lenient } = reader;
  const state = stateOf(reader);
  reader.lenient = false;
  for (let more = true; more; ) {
    const begin = reader.lineStart + block.column;
    const told = reader.problems.length;
    try {
      more = parts.read();
      parts.keep();
    } catch (fault) {
      if (!(reader.recovers && fault instanceof YamlFault)) throw fault;
      const end = endOfPart(reader.text, begin, block);
      readAgain(reader, { begin, end, state, told, fault: fault.problem }, parts);
      skip(reader);
      more = !isEnd(reader) && columnOf(reader) === block.column;
      more &&= !block.list || isSign(reader, DASH);
    }
  }
  reader.lenient = lenient;
}
