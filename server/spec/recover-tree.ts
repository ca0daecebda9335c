import { shifted } from './shift-nodes.ts';
import type { SourceEntry, SourceNode, SourceScalar } from './source-map.ts';
import { MAX_DEPTH } from './syntax.ts';
import { parseSoundYaml, parseYamlTree } from './yaml-nodes.ts';

/** Lines of a text that stand at the same indent, from each to the next. */
interface Piece {
  readonly start: number;
  readonly lines: string;
  /** The key before its colon, as written; undefined for an item of a list. */
  readonly key: string | undefined;
}

const KEY = /^(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[^\s#&*!|>'"%@`[\]{},-][^\n#]*?)(?=[ \t]*:(?:\s|$))/;
const DASH = /^-(?:\s|$)/;

function indentOf(line: string): number | undefined {
  const indent = line.search(/[^ ]/);
  const char = line[indent];
  return indent < 0 || char === '#' || char === '\r' ? undefined : indent;
}

function piecesOf(text: string, list: boolean, column: number): Piece[] {
  const starts: { start: number; key: string | undefined }[] = [];
  let at = 0;
  for (const line of text.split('\n')) {
    if (indentOf(line) === column) {
      const rest = line.slice(column);
      const key = list ? undefined : KEY.exec(rest)?.[0];
      if (list ? DASH.test(rest) : key !== undefined) starts.push({ start: at, key });
    }
    at += line.length + 1;
  }
  return starts.map(({ start, key }, index) => ({
    start,
    key,
    lines: text.slice(start, starts[index + 1]?.start ?? text.length),
  }));
}

function nothingAt(offset: number): SourceScalar {
  return { kind: 'scalar', value: null, type: 'null', style: 'plain', start: offset, end: offset };
}

/** The parts of a piece that can be read by itself. */
function readWhole(piece: Piece, at: number, sound: boolean): SourceNode | undefined {
  const { root } = (sound ? parseSoundYaml : parseYamlTree)(piece.lines) ?? {};
  if (root === undefined) return undefined;
  return shifted(root, at + piece.start, new Map());
}

function keyName(written: string): string {
  return /^["']/.test(written) ? written.slice(1, -1) : written;
}

function entryValue(piece: Piece, after: number, at: number, depth: number): SourceNode {
  const body = piece.lines.slice(after);
  const lineEnd = body.indexOf('\n');
  const head = (lineEnd < 0 ? body : body.slice(0, lineEnd)).replace(/(?:^|\s)#.*/, '').trim();
  if (head === '') {
    const inside = lineEnd < 0 ? undefined : recover(body.slice(lineEnd + 1), depth + 1);
    const by = at + piece.start + after + lineEnd + 1;
    return (inside && shifted(inside, by, new Map())) ?? nothingAt(at + piece.start + after);
  }
  const read = readWhole(piece, at, false);
  const value = read?.kind === 'map' ? read.entries[0]?.value : undefined;
  return value ?? nothingAt(at + piece.start + after);
}

function brokenEntry(piece: Piece, written: string, column: number, depth: number): SourceEntry {
  const keyStart = piece.start + column;
  const keyEnd = keyStart + written.length;
  const colon = piece.lines.indexOf(':', column + written.length) + 1;
  const value = entryValue(piece, colon, 0, depth);
  return { key: keyName(written), textKey: true, keyStart, keyEnd, value };
}

/** A broken item: what follows its dash is read as if it stood alone. */
function brokenItem(piece: Piece, column: number, depth: number): SourceNode {
  const blank = `${piece.lines.slice(0, column)} ${piece.lines.slice(column + 1)}`;
  const inside = recover(blank, depth + 1);
  const moved = inside && shifted(inside, piece.start, new Map());
  return (
    moved ?? readWhole({ ...piece, lines: blank }, 0, false) ?? nothingAt(piece.start + column + 1)
  );
}

function lastEnd(parts: readonly { end: number }[], start: number): number {
  return parts.reduce((last, { end }) => Math.max(last, end), start);
}

function recoveredMap(pieces: readonly Piece[], column: number, depth: number): SourceNode {
  const entries = pieces.flatMap((piece): readonly SourceEntry[] => {
    const read = readWhole(piece, 0, true);
    if (read?.kind === 'map' && !read.flow) return read.entries;
    return [brokenEntry(piece, piece.key ?? '', column, depth)];
  });
  const start = entries[0]?.keyStart ?? 0;
  const ends = entries.map(({ keyEnd, value }) => ({ end: Math.max(keyEnd, value.end) }));
  return { kind: 'map', entries, merged: [], flow: false, start, end: lastEnd(ends, start) };
}

function recoveredList(pieces: readonly Piece[], column: number, depth: number): SourceNode {
  const items = pieces.flatMap((piece): readonly SourceNode[] => {
    const read = readWhole(piece, 0, true);
    return read?.kind === 'list' && !read.flow ? read.items : [brokenItem(piece, column, depth)];
  });
  const start = (pieces[0]?.start ?? 0) + column;
  return { kind: 'list', items, flow: false, start, end: lastEnd(items, start) };
}

function recover(text: string, depth: number): SourceNode | undefined {
  if (depth > MAX_DEPTH) return undefined;
  const lines = text.split('\n');
  const first = lines.find((line) => indentOf(line) !== undefined) ?? '';
  const column = indentOf(first);
  if (column === undefined) return undefined;
  const list = DASH.test(first.slice(column));
  const pieces = piecesOf(text, list, column);
  if (pieces.length === 0) return undefined;
  return list ? recoveredList(pieces, column, depth) : recoveredMap(pieces, column, depth);
}

/**
 * The tree of a YAML text with faults: lines at the same indent are read apart from each other, so
 * that a fault costs the part it stands in and not what follows. Undefined when no line begins one.
 */
export function recoverTree(text: string): SourceNode | undefined {
  return recover(text, 0);
}
