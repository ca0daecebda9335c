import { shifted } from './shift-nodes.ts';
import type { SourceEntry, SourceList, SourceMapping, SourceNode } from './source-map.ts';
import { MAX_DEPTH } from './syntax.ts';
import { columnOf, dashesOf, isFirstOnLine, lineStart } from './text-layout.ts';
import { parseWholeYaml } from './tree.ts';

/** A text and its tree, read without a fault. */
export interface ReadText {
  readonly text: string;
  readonly root: SourceNode | undefined;
}

/** Where two texts differ: `start` to `end` of the old one, `start` to `end + delta` of the new one. */
interface Change {
  readonly start: number;
  readonly end: number;
  readonly delta: number;
}

type Block = SourceMapping | SourceList;

/** Lines that belong to one child of a block collection and to nothing else. */
interface Region {
  /** The collections from the root to the one that has the child. */
  readonly way: readonly { readonly holder: Block; readonly index: number }[];
  readonly start: number;
  readonly end: number;
  readonly column: number;
}

const MAX_TRIES = 4;
/** A part with more characters is hardly read faster than the whole text. */
const MAX_PART = 20_000;
/** Depths of the holder beyond this are read with the whole text, which counts them. */
const DEEP = MAX_DEPTH - 40;

function changeBetween(before: string, after: string): Change {
  const least = Math.min(before.length, after.length);
  let start = 0;
  while (start < least && before.charCodeAt(start) === after.charCodeAt(start)) start += 1;
  let same = 0;
  const room = least - start;
  while (
    same < room &&
    before.charCodeAt(before.length - 1 - same) === after.charCodeAt(after.length - 1 - same)
  ) {
    same += 1;
  }
  return { start, end: before.length - same, delta: after.length - before.length };
}

function isBlock(node: SourceNode | undefined): node is Block {
  return (node?.kind === 'map' || node?.kind === 'list') && !node.flow;
}

/** Offsets where the children of a block collection begin: keys, or dashes. */
function childStarts(text: string, holder: Block): number[] {
  return holder.kind === 'map'
    ? holder.entries.map(({ keyStart }) => keyStart)
    : dashesOf(text, holder);
}

function childNode(holder: Block, index: number): SourceNode | undefined {
  return holder.kind === 'map' ? holder.entries[index]?.value : holder.items[index];
}

/** The regions around a change, the widest first. */
function regionsAround({ text, root }: ReadText, change: Change): Region[] {
  const regions: Region[] = [];
  const way: { holder: Block; index: number }[] = [];
  let holder = root;
  let limit = text.length;
  while (isBlock(holder) && way.length < DEEP) {
    if (holder.kind === 'map' && holder.merged.length > 0) break;
    const starts = childStarts(text, holder);
    const index = starts.findLastIndex((start) => lineStart(text, start) <= change.start);
    const first = starts[index];
    if (first === undefined || !isFirstOnLine(text, first)) break;
    const next = starts[index + 1];
    const end = next === undefined ? limit : lineStart(text, next);
    if (change.end > end) break;
    way.push({ holder, index });
    regions.push({
      way: [...way],
      start: lineStart(text, first),
      end,
      column: columnOf(text, first),
    });
    limit = end;
    holder = childNode(holder, index);
  }
  return regions;
}

const DOCUMENT_MARK = /^(?:---|\.\.\.|%|\uFEFF)/m;

/** True when a line is indented less than the children that it should belong to. */
function leavesColumn(lines: string, column: number): boolean {
  for (const line of lines.split('\n')) {
    const indent = line.search(/\S/);
    if (indent >= 0 && indent < column && line[indent] !== '#') return true;
    if (indent >= 0 && line.slice(0, indent).includes('\t')) return true;
  }
  return false;
}

/** True when a tree has nothing that could reach outside of it, and is not too deep. */
function isSelfContained(node: SourceNode, depth: number): boolean {
  if (node.kind === 'alias' || node.anchor !== undefined || depth > MAX_DEPTH) return false;
  if (node.kind === 'scalar') return true;
  if (node.kind === 'list') return node.items.every((item) => isSelfContained(item, depth + 1));
  return (
    node.merged.length === 0 && node.entries.every(({ value }) => isSelfContained(value, depth + 1))
  );
}

function readRegion(lines: string, region: Region): Block | undefined {
  if (DOCUMENT_MARK.test(lines) || leavesColumn(lines, region.column)) return undefined;
  const root = parseWholeYaml(lines).root;
  const holder = region.way.at(-1)?.holder;
  if (!isBlock(root) || root.kind !== holder?.kind) return undefined;
  const placed = childStarts(lines, root).every(
    (start) => columnOf(lines, start) === region.column && isFirstOnLine(lines, start),
  );
  return placed && isSelfContained(root, region.way.length) ? root : undefined;
}

interface Splice {
  readonly delta: number;
  readonly moved: Map<SourceNode, SourceNode>;
}

function entryShift(
  entry: SourceEntry,
  by: number,
  moved: Splice['moved'],
): SourceEntry | undefined {
  const value = shifted(entry.value, by, moved);
  return value && { ...entry, keyStart: entry.keyStart + by, keyEnd: entry.keyEnd + by, value };
}

function allOf<T>(list: readonly (T | undefined)[]): readonly T[] | undefined {
  return list.every((item) => item !== undefined) ? list : undefined;
}

/** A map or list with some children in the place of one; those after it are moved. */
function withChildren(
  holder: Block,
  index: number,
  fresh: readonly (SourceEntry | SourceNode)[],
  { delta, moved }: Splice,
): Block | undefined {
  if (holder.kind === 'map') {
    const after = allOf(
      holder.entries.slice(index + 1).map((entry) => entryShift(entry, delta, moved)),
    );
    const made = fresh.filter((one): one is SourceEntry => 'key' in one);
    return after && { ...holder, entries: [...holder.entries.slice(0, index), ...made, ...after] };
  }
  const after = allOf(holder.items.slice(index + 1).map((item) => shifted(item, delta, moved)));
  const made = fresh.filter((one): one is SourceNode => 'kind' in one);
  return after && { ...holder, items: [...holder.items.slice(0, index), ...made, ...after] };
}

function childrenOf(holder: Block): readonly (SourceEntry | SourceNode)[] {
  return holder.kind === 'map' ? holder.entries : holder.items;
}

function endOf(holder: Block, otherwise: number): number {
  const last = childrenOf(holder).at(-1);
  if (last === undefined) return otherwise;
  return 'key' in last ? Math.max(last.keyEnd, last.value.end) : last.end;
}

/** A holder with its changed child; a collection ends where its last child ends. */
function rebuilt(
  { holder, index }: Region['way'][number],
  fresh: readonly (SourceEntry | SourceNode)[],
  start: number,
  change: Splice,
): Block | undefined {
  const next = withChildren(holder, index, fresh, change);
  if (next === undefined) return undefined;
  const node = { ...next, start, end: endOf(next, holder.end) };
  if (holder.anchor !== undefined) change.moved.set(holder, node);
  return node;
}

function splice(region: Region, made: Block, delta: number): SourceNode | undefined {
  const moved = new Map<SourceNode, SourceNode>();
  const own = shifted(made, region.start, moved);
  if (!isBlock(own)) return undefined;
  let node: Block = own;
  let fresh = childrenOf(own);
  for (let level = region.way.length - 1; level >= 0; level -= 1) {
    const step = region.way[level];
    if (step === undefined) return undefined;
    const first = level === region.way.length - 1 && step.index === 0;
    const next = rebuilt(step, fresh, first ? own.start : step.holder.start, { delta, moved });
    if (next === undefined) return undefined;
    node = next;
    const above = region.way[level - 1];
    const entry = above?.holder.kind === 'map' ? above.holder.entries[above.index] : undefined;
    fresh = [entry === undefined ? node : { ...entry, value: node }];
  }
  return node;
}

/**
 * The tree of a text that differs little from one that was read before: only the smallest part of
 * it that holds the change is read, everything after it is moved. Undefined where that cannot be
 * told apart from reading the whole, and for a text with a fault.
 */
export function reparseYaml(before: ReadText, text: string): SourceNode | undefined {
  if (before.root === undefined) return undefined;
  const change = changeBetween(before.text, text);
  if (change.delta === 0 && change.start === change.end) return before.root;
  for (const region of regionsAround(before, change).slice(-MAX_TRIES).toReversed()) {
    if (region.end - region.start > MAX_PART) break;
    const lines = text.slice(region.start, region.end + change.delta);
    const open = region.end < before.text.length && !lines.endsWith('\n');
    const made = open ? undefined : readRegion(lines, region);
    const root = made && splice(region, made, change.delta);
    if (root !== undefined) return root;
  }
  return undefined;
}
