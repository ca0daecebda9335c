import { lineStart } from './edit/text-layout.ts';
import { shifted } from './shift-nodes.ts';
import type { SourceEntry, SourceMapping, SourceNode, SourceScalar } from './source-map.ts';
import { MAX_DEPTH, type SyntaxProblem, type SyntaxTree, TOO_DEEP } from './syntax.ts';
import { recoverYamlTree } from './yaml-nodes.ts';
import { type SoundYaml, tryYaml } from './yaml-reader.ts';

interface Recovery {
  readonly text: string;
  readonly anchors: Map<string, SourceNode>;
  readonly problems: SyntaxProblem[];
  /** Characters that may still be read by the reader that puts up with faults, which takes long. */
  left: number;
}

/** So much of a broken text is read part by part: what an author looks at while typing. */
const MAX_REST = 100_000;

/** Lines that belong together: from a token to the next line at its indent. */
interface Piece {
  /** Where its first token stands, and where that line begins. */
  readonly at: number;
  readonly line: number;
  readonly end: number;
  /** The key before its colon, or the dash, as written. */
  readonly sign: string;
}

const KEY =
  /(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[^\s#&*!|>'"%@`[\]{},-][^\n#]*?(?<![ \t]))(?=[ \t]*:(?:\s|$))/y;
const DASH = /-(?:\s|$)/y;
const TOKEN = / *([^ #\r\n])/y;

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

/** Where the token of every line stands; lines that hold none are left out. */
function tokensOf(text: string, from: number, to: number): { at: number; line: number }[] {
  const tokens: { at: number; line: number }[] = [];
  let line = lineStart(text, from);
  for (let begin = from; begin < to; begin = line) {
    const found = matchAt(TOKEN, text, begin);
    if (found !== undefined) tokens.push({ at: begin + found.length - 1, line });
    const end = text.indexOf('\n', begin);
    line = end < 0 ? to : end + 1;
  }
  return tokens;
}

function piecesOf(text: string, from: number, to: number): { list: boolean; pieces: Piece[] } {
  const tokens = tokensOf(text, from, to);
  const [first] = tokens;
  const column = first === undefined ? 0 : first.at - first.line;
  const list = first !== undefined && matchAt(DASH, text, first.at) !== undefined;
  const begun: Omit<Piece, 'end'>[] = [];
  for (const { at, line } of tokens) {
    if (at - line !== column) continue;
    const sign = matchAt(list ? DASH : KEY, text, at);
    if (sign !== undefined) begun.push({ at, line, sign });
  }
  const pieces = begun.map((piece, index) => ({ ...piece, end: begun[index + 1]?.line ?? to }));
  return { list, pieces };
}

function nothingAt(offset: number): SourceScalar {
  return { kind: 'scalar', value: null, type: 'null', style: 'plain', start: offset, end: offset };
}

function holds({ at, end }: Piece, { start }: SyntaxProblem): boolean {
  return at <= start && start < end;
}

interface Reading {
  readonly piece: Piece;
  readonly read: SoundYaml | SyntaxProblem;
}

/**
 * Reads pieces in turn. The one that the `known` fault stands in is not read to find that out once
 * more, unless a piece before it has the fault.
 */
function* readPieces(
  state: Recovery,
  pieces: readonly Piece[],
  depth: number,
  known: SyntaxProblem,
): Generator<Reading> {
  let explained = false;
  for (const piece of pieces) {
    const read: Reading['read'] =
      !explained && holds(piece, known) ? known : readPiece(state, piece, depth);
    explained ||= 'message' in read;
    yield { piece, read };
  }
}

/** What a piece holds, or its first fault. */
function readPiece(
  { text, anchors }: Recovery,
  piece: Piece,
  depth: number,
): SoundYaml | SyntaxProblem {
  const part = { at: piece.at, lineStart: piece.line, anchors, depth };
  return tryYaml(text.slice(0, piece.end), part);
}

function noteAnchors(node: SourceNode, anchors: Recovery['anchors']): void {
  if (node.kind === 'alias') return;
  if (node.anchor !== undefined) anchors.set(node.anchor, node);
  if (node.kind === 'map') for (const { value } of node.entries) noteAnchors(value, anchors);
  if (node.kind === 'list') for (const item of node.items) noteAnchors(item, anchors);
}

/** What can be read of a piece that cannot be taken apart further. */
function readRest(state: Recovery, piece: Piece, fault: SyntaxProblem): SourceNode | undefined {
  const { text, anchors } = state;
  state.left -= piece.end - piece.line;
  if (fault.message === TOO_DEEP || state.left < 0) return undefined;
  const lines = ' '.repeat(piece.at - piece.line) + text.slice(piece.at, piece.end);
  const { root } = recoverYamlTree(lines, anchors);
  const rest = root && shifted(root, piece.line, new Map());
  if (rest !== undefined) noteAnchors(rest, anchors);
  return rest;
}

/** The inside of a broken piece; without any fault of its own, the piece has the one it was found by. */
function recoverInside(
  state: Recovery,
  from: number,
  to: number,
  depth: number,
  fault: SyntaxProblem,
): SourceNode | undefined {
  const before = state.problems.length;
  const inside = recover(state, from, to, depth + 1, fault);
  if (state.problems.length === before) state.problems.push(fault);
  return inside;
}

function keyName(written: string): string {
  return /^["']/.test(written) ? written.slice(1, -1) : written;
}

function brokenEntry(
  state: Recovery,
  piece: Piece,
  depth: number,
  fault: SyntaxProblem,
): SourceEntry {
  const { text } = state;
  const keyEnd = piece.at + piece.sign.length;
  const after = text.indexOf(':', keyEnd) + 1;
  const lineEnd = text.indexOf('\n', after);
  const next = lineEnd < 0 ? piece.end : Math.min(lineEnd + 1, piece.end);
  const below = /^\s*(?:#.*)?$/.test(text.slice(after, next).trimEnd());
  const inside = recoverInside(state, below ? next : piece.end, piece.end, depth, fault);
  const rest = inside === undefined ? readRest(state, piece, fault) : undefined;
  const value = inside ?? (rest?.kind === 'map' ? rest.entries[0]?.value : undefined);
  const key = keyName(piece.sign);
  return { key, textKey: true, keyStart: piece.at, keyEnd, value: value ?? nothingAt(after) };
}

/** A broken item: what follows its dash is read as if it stood alone. */
function brokenItem(
  state: Recovery,
  piece: Piece,
  depth: number,
  fault: SyntaxProblem,
): SourceNode {
  const at = piece.at + 1;
  return (
    recoverInside(state, at, piece.end, depth, fault) ??
    readRest(state, { ...piece, at }, fault) ??
    nothingAt(at)
  );
}

function lastEnd(parts: readonly { end: number }[], start: number): number {
  return parts.reduce((last, { end }) => Math.max(last, end), start);
}

function recoveredMap(
  state: Recovery,
  pieces: readonly Piece[],
  start: number,
  depth: number,
  known: SyntaxProblem,
): SourceMapping {
  const entries: SourceEntry[] = [];
  const merged: SourceNode[] = [];
  for (const { piece, read } of readPieces(state, pieces, depth, known)) {
    if ('message' in read) entries.push(brokenEntry(state, piece, depth, read));
    else if (read.root?.kind === 'map') {
      for (const entry of read.root.entries) entries.push(entry);
      for (const source of read.root.merged) merged.push(source);
    }
  }
  const ends = entries.map(({ keyEnd, value }) => ({ end: Math.max(keyEnd, value.end) }));
  const end = lastEnd([...ends, ...merged], start);
  return { kind: 'map', entries, merged, flow: false, start, end };
}

function recoveredList(
  state: Recovery,
  pieces: readonly Piece[],
  start: number,
  depth: number,
  known: SyntaxProblem,
): SourceNode {
  const items: SourceNode[] = [];
  for (const { piece, read } of readPieces(state, pieces, depth, known)) {
    if ('message' in read) items.push(brokenItem(state, piece, depth, read));
    else if (read.root?.kind === 'list') for (const item of read.root.items) items.push(item);
  }
  return { kind: 'list', items, flow: false, start, end: lastEnd(items, start) };
}

function recover(
  state: Recovery,
  from: number,
  to: number,
  depth: number,
  known: SyntaxProblem,
): SourceNode | undefined {
  if (depth > MAX_DEPTH) return undefined;
  const { list, pieces } = piecesOf(state.text, from, to);
  const [first] = pieces;
  if (first === undefined) return undefined;
  return (list ? recoveredList : recoveredMap)(state, pieces, first.at, depth, known);
}

/**
 * The tree of a YAML text whose first fault is known, and the first fault of each part that has one.
 * Lines at the same indent are read apart from each other, so that a fault costs the part it stands
 * in and not what follows.
 */
export function recoverTree(text: string, fault: SyntaxProblem): SyntaxTree {
  const state: Recovery = { text, anchors: new Map(), problems: [], left: MAX_REST };
  const inside = recoverInside(state, 0, text.length, -1, fault);
  const isShort = text.length <= state.left;
  return {
    root: inside ?? (isShort ? recoverYamlTree(text).root : undefined),
    problems: state.problems,
  };
}
