import {
  type Cursor,
  codeAt,
  complain,
  isBreak,
  isLineEnd,
  isMarker,
  passBreak,
  refuse,
  SPACE,
  TAB,
  YamlFault,
} from './cursor.ts';

const ESCAPES: Readonly<Record<string, string>> = {
  '0': '\0',
  a: '\x07',
  b: '\b',
  t: '\t',
  '\t': '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
  e: '\x1b',
  ' ': ' ',
  '"': '"',
  '\\': '\\',
  '/': '/',
  N: '\u0085',
  _: '\u00a0',
  L: '\u2028',
  P: '\u2029',
};
const HEX: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };
const DIGITS = /^[0-9a-fA-F]+$/;
const LAST_CODE_POINT = 0x10ffff;

/** Reads the escape that begins at the cursor's backslash. */
function readEscape(cursor: Cursor): string {
  const start = cursor.at;
  const letter = cursor.text[start + 1] ?? '';
  const known = ESCAPES[letter];
  if (known !== undefined) {
    cursor.at += 2;
    return known;
  }
  const length = HEX[letter] ?? 0;
  const digits = cursor.text.slice(start + 2, start + 2 + length);
  const code = DIGITS.test(digits) && digits.length === length ? Number.parseInt(digits, 16) : -1;
  if (code < 0 || code > LAST_CODE_POINT) {
    const message = `"\\${letter}" is no escape in double quotes; write "\\\\" for a backslash.`;
    complain(cursor, message, { start, end: start + 2 });
    cursor.at += 1;
    return '\\';
  }
  cursor.at += 2 + length;
  return String.fromCodePoint(code);
}

/** Passes the breaks and blank lines inside quotes; answers what they stand for. */
function foldBreaks(cursor: Cursor, open: number): string {
  let breaks = 0;
  for (;;) {
    passBreak(cursor);
    breaks += 1;
    if (isMarker(cursor)) {
      throw new YamlFault('The document ends inside quotes; close them.', open);
    }
    while (codeAt(cursor) === SPACE || codeAt(cursor) === TAB) cursor.at += 1;
    if (!isBreak(codeAt(cursor))) break;
  }
  return breaks === 1 ? ' ' : '\n'.repeat(breaks - 1);
}

/** The end of the run of ordinary characters at the cursor. */
function runEnd(cursor: Cursor, quote: number, double: boolean): number {
  const { text } = cursor;
  let at = cursor.at;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code === quote || isLineEnd(code) || (double && code === 0x5c)) return at;
    at += 1;
  }
}

/** Breaks in quotes take the blanks around them along. */
function trimEnd(text: string): string {
  let end = text.length;
  while (end > 0 && (text[end - 1] === ' ' || text[end - 1] === '\t')) end -= 1;
  return text.slice(0, end);
}

/** What a backslash stands for, at the end of a line too. */
function readBackslash(cursor: Cursor, open: number): string {
  if (!isBreak(codeAt(cursor, 1))) return readEscape(cursor);
  cursor.at += 1;
  const folded = foldBreaks(cursor, open);
  return folded === ' ' ? '' : folded;
}

/** Reads the text in quotes at the cursor and moves behind the closing one. */
export function readQuoted(cursor: Cursor): string {
  const open = cursor.at;
  const quote = codeAt(cursor);
  const double = quote === 0x22;
  let text = '';
  // What a break may still trim; escaped blanks are not part of it.
  let run = '';
  cursor.at += 1;
  for (;;) {
    const end = runEnd(cursor, quote, double);
    run += cursor.text.slice(cursor.at, end);
    cursor.at = end;
    const code = codeAt(cursor);
    if (Number.isNaN(code)) {
      refuse(cursor, 'These quotes are not closed.', open);
      return text + run;
    }
    if (isBreak(code)) {
      text += trimEnd(run) + foldBreaks(cursor, open);
      run = '';
    } else if (code !== quote) {
      text += run + readBackslash(cursor, open);
      run = '';
    } else {
      cursor.at += 1;
      if (double || codeAt(cursor) !== quote) return text + run;
      cursor.at += 1;
      run += "'";
    }
  }
}
