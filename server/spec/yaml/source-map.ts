import type { Json } from '../../kernel/json.ts';
import type { Path, PathSegment } from '../values/path.ts';

/** A place in a text: line and column from 1, offset from 0 in UTF-16 units. */
export interface Position {
  line: number;
  column: number;
  offset: number;
}

/** Where a part of a text stands, by character. */
export interface SourceRange {
  start: Position;
  end: Position;
}

interface Extent {
  readonly start: number;
  readonly end: number;
}

/** A single value of a text. */
export interface SourceScalar extends Extent {
  readonly kind: 'scalar';
  readonly value: Json;
  /** `date` when the scalar was a date or timestamp and its value is the ISO text of it. */
  readonly type: 'text' | 'number' | 'boolean' | 'null' | 'date';
  readonly style: 'plain' | 'single' | 'double' | 'literal' | 'folded';
  readonly anchor?: string;
}

/** A key of a mapping with its value. */
export interface SourceEntry {
  readonly key: string;
  /** False when the key was written as a number, boolean, null or date. */
  readonly textKey: boolean;
  readonly keyStart: number;
  readonly keyEnd: number;
  readonly value: SourceNode;
}

/** A mapping of a text. */
export interface SourceMapping extends Extent {
  readonly kind: 'map';
  readonly entries: readonly SourceEntry[];
  /** Mappings merged with `<<`, the first one wins. */
  readonly merged: readonly SourceNode[];
  readonly flow: boolean;
  readonly anchor?: string;
}

/** A list of a text. */
export interface SourceList extends Extent {
  readonly kind: 'list';
  readonly items: readonly SourceNode[];
  readonly flow: boolean;
  readonly anchor?: string;
}

/** A place that stands for another one. */
export interface SourceAlias extends Extent {
  readonly kind: 'alias';
  readonly name: string;
  readonly target: SourceNode;
}

/** The syntax of a document, whatever its format. */
export type SourceNode = SourceScalar | SourceMapping | SourceList | SourceAlias;

/** Where a place of a document stands in its text. */
export interface SourceSpot {
  readonly path: Path;
  readonly node: SourceNode;
  readonly key: SourceRange | undefined;
  readonly value: SourceRange;
}

/** Places of a document ↔ ranges of its text. */
export interface SourceMap {
  readonly text: string;
  readonly root: SourceNode | undefined;
  /** Line and column of an offset. */
  positionOf(offset: number): Position;
  /** The spot of a place, or undefined when the document has no such place. */
  find(path: string | Path): SourceSpot | undefined;
  /** The spot of a place or of its nearest existing ancestor; undefined for an empty document. */
  nearest(path: string | Path): SourceSpot | undefined;
  /** The innermost place whose key or value holds the offset. */
  pathAt(offset: number): Path;
}

/** The node behind an alias. */
export function resolved(node: SourceNode): SourceMapping | SourceList | SourceScalar {
  let at = node;
  while (at.kind === 'alias') at = at.target;
  return at;
}

/** The mappings that a mapping merges, each once, the one that wins first. */
function mergedInto(map: SourceMapping): Set<SourceMapping> {
  const found = new Set<SourceMapping>();
  const open = map.merged.toReversed();
  for (let source = open.pop(); source !== undefined; source = open.pop()) {
    const target = resolved(source);
    if (target.kind !== 'map' || found.has(target)) continue;
    found.add(target);
    for (const next of target.merged.toReversed()) open.push(next);
  }
  return found;
}

/** The entry that gives a key its value: the last one written, else the first merged one. */
export function entryOf(node: SourceNode, key: string): SourceEntry | undefined {
  const map = resolved(node);
  if (map.kind !== 'map') return undefined;
  const own = map.entries.findLast((entry) => entry.key === key);
  if (own !== undefined || map.merged.length === 0) return own;
  for (const { entries } of mergedInto(map)) {
    const entry = entries.findLast((one) => one.key === key);
    if (entry !== undefined) return entry;
  }
  return undefined;
}

interface Found {
  path: PathSegment[];
  node: SourceNode;
  entry: SourceEntry | undefined;
}

function stepInto(from: Found, segment: PathSegment): Found | undefined {
  const node = resolved(from.node);
  if (node.kind === 'list') {
    const item = typeof segment === 'number' ? node.items[segment] : undefined;
    return item && { path: [...from.path, segment], node: item, entry: undefined };
  }
  const entry = entryOf(node, String(segment));
  return entry && { path: [...from.path, entry.key], node: entry.value, entry };
}

function walk(root: SourceNode, path: Path): { found: Found; whole: boolean } {
  let found: Found = { path: [], node: root, entry: undefined };
  for (const segment of path) {
    const next = stepInto(found, segment);
    if (next === undefined) return { found, whole: false };
    found = next;
  }
  return { found, whole: true };
}

const POSITION = /^\[(\d+)\]/;

/** The keys of a mapping as they are written, merged ones last; a key may come more than once. */
export function keysOf(node: SourceNode): string[] {
  const map = resolved(node);
  if (map.kind !== 'map') return [];
  return [map, ...mergedInto(map)].flatMap(({ entries }) => entries.map(({ key }) => key));
}

function stepsOf(node: SourceNode, rest: string): { segment: PathSegment; rest: string }[] {
  const position = POSITION.exec(rest);
  if (resolved(node).kind === 'list') {
    return position === null
      ? []
      : [{ segment: Number(position[1]), rest: rest.slice(position[0].length) }];
  }
  const text = rest.startsWith('.') ? rest.slice(1) : rest;
  return keysOf(node)
    .filter((key) => text.startsWith(key) && /^($|[.[])/.test(text.slice(key.length)))
    .sort((a, b) => b.length - a.length)
    .map((key) => ({ segment: key, rest: text.slice(key.length) }));
}

/** Names are raw in written paths, so a name with a dot is found by trying the longest key first. */
function walkText(from: Found, rest: string): { found: Found; rest: string } {
  let best = { found: from, rest };
  if (rest === '') return best;
  for (const option of stepsOf(from.node, rest)) {
    const next = stepInto(from, option.segment);
    if (next === undefined) continue;
    const deeper = walkText(next, option.rest);
    if (deeper.rest.length < best.rest.length) best = deeper;
    if (best.rest === '') break;
  }
  return best;
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let i = text.indexOf('\n'); i >= 0; i = text.indexOf('\n', i + 1)) starts.push(i + 1);
  return starts;
}

function lineOf(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

function within(extent: Extent, offset: number): boolean {
  return extent.start <= offset && offset <= extent.end;
}

function innermost(root: SourceNode, offset: number): PathSegment[] {
  const path: PathSegment[] = [];
  let node: SourceNode | undefined = root;
  while (node !== undefined && node.kind !== 'scalar' && node.kind !== 'alias') {
    if (node.kind === 'list') {
      const index: number = node.items.findLastIndex((item) => within(item, offset));
      node = node.items[index];
      if (node !== undefined) path.push(index);
      continue;
    }
    const entry: SourceEntry | undefined = node.entries.findLast(
      (one) => one.keyStart <= offset && offset <= Math.max(one.keyEnd, one.value.end),
    );
    if (entry !== undefined) path.push(entry.key);
    node = entry !== undefined && within(entry.value, offset) ? entry.value : undefined;
  }
  return path;
}

/** Builds the map of a text; everything is looked up in the tree when it is asked for. */
export function createSourceMap(text: string, root: SourceNode | undefined): SourceMap {
  let starts: number[] | undefined;
  const lines = (): number[] => {
    starts ??= lineStarts(text);
    return starts;
  };
  const positionOf = (offset: number): Position => {
    const at = Math.max(0, Math.min(offset, text.length));
    const line = lineOf(lines(), at);
    return { line: line + 1, column: at - (lines()[line] ?? 0) + 1, offset: at };
  };
  const rangeOf = (start: number, end: number): SourceRange => ({
    start: positionOf(start),
    end: positionOf(end),
  });
  const spotOf = ({ path, node, entry }: Found): SourceSpot => ({
    path,
    node,
    key: entry && rangeOf(entry.keyStart, entry.keyEnd),
    value: rangeOf(node.start, node.end),
  });
  const locate = (path: string | Path): { spot: SourceSpot; whole: boolean } | undefined => {
    if (root === undefined) return undefined;
    if (typeof path !== 'string') {
      const { found, whole } = walk(root, path);
      return { spot: spotOf(found), whole };
    }
    const { found, rest } = walkText({ path: [], node: root, entry: undefined }, path);
    return { spot: spotOf(found), whole: rest === '' };
  };
  return {
    text,
    root,
    positionOf,
    find: (path) => {
      const located = locate(path);
      return located?.whole === true ? located.spot : undefined;
    },
    nearest: (path) => locate(path)?.spot,
    pathAt: (offset) => (root === undefined ? [] : innermost(root, offset)),
  };
}
