import type { SyntaxProblem } from './syntax.ts';

/** A fault that ends the reading of a text, or of a part of it. */
export class YamlFault {
  readonly problem: SyntaxProblem;
  constructor(message: string, start: number, end = start + 1) {
    this.problem = { message, start, end };
  }
}

/** A position in a text that is read from its beginning to its end. */
export interface Cursor {
  /** The text, up to where reading may go. */
  text: string;
  at: number;
  /** Where the current line begins. */
  lineStart: number;
  /** Equals `at` while nothing but indentation stands before it on its line. */
  fresh: number;
  /** The faults found so far. */
  readonly problems: SyntaxProblem[];
  /** True while a part is read once more that has a fault: then reading goes on after faults. */
  lenient: boolean;
  /** How many faults were known when that part began. */
  told: number;
}

/** Lists a fault that may follow from another one: only the first of a part is told. */
export function note(cursor: Cursor, problem: SyntaxProblem): void {
  if (cursor.problems.length === cursor.told) cursor.problems.push(problem);
}

/** A fault of the form that reading can go on after. */
export function refuse(cursor: Cursor, message: string, start: number): void {
  const fault = new YamlFault(message, start);
  if (!cursor.lenient) throw fault;
  note(cursor, fault.problem);
}

/** A fault of one value, which no other fault follows from: each one is told. */
export function complain(
  cursor: Cursor,
  message: string,
  at: { start: number; end: number },
): void {
  const fault = new YamlFault(message, at.start, Math.max(at.end, at.start + 1));
  if (!cursor.lenient) throw fault;
  cursor.problems.push(fault.problem);
}

export const SPACE = 0x20;
export const TAB = 0x09;
export const HASH = 0x23;
export const COLON = 0x3a;
export const COMMA = 0x2c;
export const DASH = 0x2d;
export const QUESTION = 0x3f;
export const STAR = 0x2a;
const LF = 0x0a;
const CR = 0x0d;

/** True for a line break; the end of a text has no code and is none. */
export function isBreak(code: number): boolean {
  return code === LF || code === CR;
}

/** True where a line ends. */
export function isLineEnd(code: number): boolean {
  return code === LF || code === CR || Number.isNaN(code);
}

/** True where a word ends: at blanks, breaks and the end of the text. */
export function isGap(code: number): boolean {
  return code === SPACE || code === LF || code === CR || code === TAB || Number.isNaN(code);
}

/** True for `,[]{}`. */
export function isFlowSign(code: number): boolean {
  return code === COMMA || code === 0x5b || code === 0x5d || code === 0x7b || code === 0x7d;
}

/** The character at the cursor, or some characters ahead; NaN beyond the text. */
export function codeAt(cursor: Cursor, ahead = 0): number {
  return cursor.text.charCodeAt(cursor.at + ahead);
}

/** True for a sign that stands as a word of its own, such as the dash of an entry. */
export function isSign(cursor: Cursor, sign: number): boolean {
  return codeAt(cursor) === sign && isGap(codeAt(cursor, 1));
}

/** Characters between the beginning of the line and the cursor. */
export function columnOf(cursor: Cursor): number {
  return cursor.at - cursor.lineStart;
}

/** Passes one line break; a carriage return and a line feed are one. */
export function passBreak(cursor: Cursor): void {
  const code = codeAt(cursor);
  cursor.at += code === CR && codeAt(cursor, 1) === LF ? 2 : 1;
  cursor.lineStart = cursor.at;
}

/** Moves over spaces, nothing else. */
export function skipSpaces(cursor: Cursor): void {
  while (codeAt(cursor) === SPACE) cursor.at += 1;
}

/** Moves over the spaces of a line to the next token, which no tab may precede (YAML 1.1). */
export function skipInLine(cursor: Cursor): void {
  skipSpaces(cursor);
  if (codeAt(cursor) !== TAB) return;
  refuse(cursor, 'A tab may stand in quotes, block texts and comments only.', cursor.at);
  while (codeAt(cursor) === TAB || codeAt(cursor) === SPACE) cursor.at += 1;
}

/** Moves over a comment, if one stands here, to the end of the line. */
export function skipComment(cursor: Cursor): void {
  if (codeAt(cursor) !== HASH) return;
  while (!isLineEnd(codeAt(cursor))) cursor.at += 1;
}

/**
 * Moves to the next token over blanks, comments and breaks. Afterwards `fresh` tells whether the
 * token is the first of its line.
 */
export function skip(cursor: Cursor): void {
  for (;;) {
    const start = cursor.at;
    skipInLine(cursor);
    skipComment(cursor);
    const ended = isBreak(codeAt(cursor));
    if (ended) passBreak(cursor);
    if (ended || cursor.fresh === start) cursor.fresh = cursor.at;
    if (!ended) return;
  }
}

/** True at `---` or `...` at the beginning of a line. */
export function isMarker(cursor: Cursor): boolean {
  if (cursor.at !== cursor.lineStart) return false;
  const code = codeAt(cursor);
  if (code !== 0x2d && code !== 0x2e) return false;
  return codeAt(cursor, 1) === code && codeAt(cursor, 2) === code && isGap(codeAt(cursor, 3));
}

/** True where the document ends. */
export function isEnd(cursor: Cursor): boolean {
  return cursor.at >= cursor.text.length || isMarker(cursor);
}
