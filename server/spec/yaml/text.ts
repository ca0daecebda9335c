import {
  COLON,
  type Cursor,
  codeAt,
  columnOf,
  HASH,
  isBreak,
  isFlowSign,
  isGap,
  isLineEnd,
  isMarker,
  passBreak,
  SPACE,
  skipComment,
  skipInLine,
  skipSpaces,
  TAB,
  YamlFault,
} from './cursor.ts';

/** True for a colon that ends a plain scalar. */
function endsPlain(cursor: Cursor, at: number, flow: boolean): boolean {
  const next = cursor.text.charCodeAt(at + 1);
  return isGap(next) || (flow && isFlowSign(next));
}

/** Moves over the words of a plain scalar on one line; spaces behind them stay. */
export function passPlainLine(cursor: Cursor, flow: boolean): void {
  const { text } = cursor;
  let end = cursor.at;
  for (let at = cursor.at; ; at += 1) {
    const code = text.charCodeAt(at);
    if (code === SPACE) {
      if (text.charCodeAt(at + 1) === HASH) break;
      continue;
    }
    if (isGap(code) || (flow && isFlowSign(code))) break;
    if (code === COLON && endsPlain(cursor, at, flow)) break;
    end = at + 1;
  }
  cursor.at = end;
}

/** Passes breaks and blank lines; answers their number, 0 when no break stands here. */
function passBreaks(cursor: Cursor): number {
  let breaks = 0;
  for (;;) {
    skipSpaces(cursor);
    if (!isBreak(codeAt(cursor))) return breaks;
    passBreak(cursor);
    breaks += 1;
  }
}

/**
 * Reads what follows the first line of a plain scalar: lines that are indented deeper than
 * `indent`, or any up to a sign between brackets. `start` is where the scalar began.
 */
export function readPlainRest(
  cursor: Cursor,
  start: number,
  indent: number,
  flow: boolean,
): string {
  let text = cursor.text.slice(start, cursor.at);
  for (;;) {
    const { at, lineStart } = cursor;
    const breaks = passBreaks(cursor);
    const deep = flow || columnOf(cursor) > indent;
    const from = cursor.at;
    if (breaks > 0 && deep && !isMarker(cursor)) {
      if (codeAt(cursor) !== HASH) passPlainLine(cursor, flow);
    }
    if (breaks === 0 || cursor.at === from) {
      cursor.at = at;
      cursor.lineStart = lineStart;
      return text;
    }
    text += breaks === 1 ? ' ' : '\n'.repeat(breaks - 1);
    text += cursor.text.slice(from, cursor.at);
  }
}

interface BlockHeader {
  readonly keep: boolean | undefined;
  readonly increment: number;
}

/** The signs behind `|` or `>`, in either order, up to the end of the line. */
function readHeader(cursor: Cursor): BlockHeader {
  const start = cursor.at;
  let keep: boolean | undefined;
  let increment = 0;
  cursor.at += 1;
  for (let i = 0; i < 2; i += 1) {
    const sign = cursor.text[cursor.at] ?? '';
    if ((sign === '+' || sign === '-') && keep === undefined) keep = sign === '+';
    else if (sign >= '1' && sign <= '9' && increment === 0) increment = Number(sign);
    else break;
    cursor.at += 1;
  }
  const signs = cursor.at;
  skipInLine(cursor);
  if (cursor.at > signs) skipComment(cursor);
  if (!isLineEnd(codeAt(cursor))) {
    const message =
      'Only a comment may follow the sign of a block text; begin it on the next line.';
    throw new YamlFault(message, start, cursor.at + 1);
  }
  return { keep, increment };
}

/** Passes blank lines, up to `indent` blanks of each; answers the number of breaks. */
function passBlankLines(cursor: Cursor, indent: number): number {
  let breaks = 0;
  for (;;) {
    while (columnOf(cursor) < indent && codeAt(cursor) === SPACE) cursor.at += 1;
    if (!isBreak(codeAt(cursor))) return breaks;
    passBreak(cursor);
    breaks += 1;
  }
}

/** The blank lines before a block text, and the deepest indentation up to its first line. */
function findIndent(cursor: Cursor): { breaks: number; deepest: number } {
  let breaks = 0;
  let deepest = 0;
  for (;;) {
    skipSpaces(cursor);
    deepest = Math.max(deepest, columnOf(cursor));
    if (!isBreak(codeAt(cursor))) return { breaks, deepest };
    passBreak(cursor);
    breaks += 1;
  }
}

function isBlank(code: number): boolean {
  return code === SPACE || code === TAB;
}

interface BlockBody {
  text: string;
  /** Whether the last line ended with a break, and how many blank lines followed it. */
  ended: boolean;
  trailing: number;
  end: number;
}

function readBody(cursor: Cursor, indent: number, breaks: number, folded: boolean): BlockBody {
  const body: BlockBody = { text: '', ended: false, trailing: breaks, end: cursor.at };
  let pending = '';
  while (columnOf(cursor) === indent && cursor.at < cursor.text.length) {
    const start = cursor.at;
    const plain = !isBlank(codeAt(cursor));
    while (!isLineEnd(codeAt(cursor))) cursor.at += 1;
    body.text += `${pending}${'\n'.repeat(body.trailing)}${cursor.text.slice(start, cursor.at)}`;
    body.ended = isBreak(codeAt(cursor));
    if (body.ended) passBreak(cursor);
    body.end = cursor.at;
    body.trailing = passBlankLines(cursor, indent);
    const joins = folded && plain && !isBlank(codeAt(cursor));
    pending = joins ? (body.trailing === 0 ? ' ' : '') : '\n';
  }
  return body;
}

/** Where a block text ends: behind its last line, or behind the blank lines that it keeps. */
function blockEnd(cursor: Cursor, body: BlockBody, keep: boolean, last: number): number {
  return keep && body.ended ? Math.max(cursor.lineStart, last) : last;
}

/**
 * Reads the block text at the cursor's `|` or `>` inside a block of the given indentation. `end` is
 * behind its last line, and behind its blank lines too when they are kept.
 */
export function readBlockText(cursor: Cursor, outer: number): { text: string; end: number } {
  const folded = cursor.text[cursor.at] === '>';
  const { keep, increment } = readHeader(cursor);
  const header = cursor.at;
  if (cursor.at < cursor.text.length) passBreak(cursor);
  const least = Math.max(1, outer + 1);
  let indent = least + increment - 1;
  let breaks: number;
  if (increment > 0) breaks = passBlankLines(cursor, indent);
  else {
    const found = findIndent(cursor);
    breaks = found.breaks;
    indent = Math.max(least, found.deepest);
  }
  const begin = cursor.at;
  const body = readBody(cursor, indent, breaks, folded);
  let text = body.text;
  if (keep !== false && body.ended) text += '\n';
  if (keep === true) text += '\n'.repeat(body.trailing);
  const end = blockEnd(cursor, body, keep === true, body.end === begin ? header : body.end);
  if (cursor.lineStart > header && (body.ended || body.end === begin)) {
    cursor.at = cursor.lineStart;
    cursor.fresh = cursor.at;
  }
  return { text, end };
}
