import { isObject, type Json } from '../../kernel/json.ts';
import type { SourceList, SourceMapping, SourceNode } from '../yaml/source-map.ts';
import {
  afterColon,
  columnOf,
  contentEnd,
  dashesOf,
  entryColumn,
  isFirstOnLine,
  lineAfter,
  lineStart,
} from '../yaml/text-layout.ts';
import type { TextEdit } from './text-edit.ts';
import { entryLines, flowKey, flowText, type Hand, itemLines } from './write-value.ts';

/** Whole lines put at a line start; the text before may lack its last line break. */
export function linesAt(text: string, at: number, lines: string, hand: Hand): TextEdit[] {
  const open = at > 0 && text[at - 1] !== '\n';
  return [{ start: at, end: at, text: (open ? hand.eol : '') + lines + hand.eol }];
}

const WIDTH = 100;

/** True when the nearest part of the same kind stands in `{…}`, so that a new one reads like it. */
function isLikeFlow(near: SourceNode | undefined, value: Json): boolean {
  if (near?.kind !== 'map' || !near.flow || !isObject(value)) return false;
  return near.entries.some(({ key }) => Object.hasOwn(value, key));
}

/** A new part on one line, when its neighbour is written so and it fits. */
function likeNeighbour(
  head: string,
  near: SourceNode | undefined,
  value: Json,
  hand: Hand,
): string | undefined {
  if (!isLikeFlow(near, value)) return undefined;
  const line = head + flowText(value, hand);
  return line.length <= WIDTH ? line : undefined;
}

/** Adds an entry after the last one of a block mapping. */
export function addBlockEntry(
  text: string,
  map: SourceMapping,
  key: string,
  value: Json,
  hand: Hand,
): TextEdit[] | undefined {
  const column = entryColumn(text, map);
  if (column === undefined) return undefined;
  const head = `${' '.repeat(column)}${flowKey(key, hand)}: `;
  const line = likeNeighbour(head, map.entries.at(-1)?.value, value, hand);
  return linesAt(
    text,
    lineAfter(text, contentEnd(map)),
    line ?? entryLines(key, value, column, hand),
    hand,
  );
}

/** Adds an item to a block list. */
export function addBlockItem(
  text: string,
  list: SourceList,
  index: number,
  value: Json,
  hand: Hand,
): TextEdit[] | undefined {
  const dashes = dashesOf(text, list);
  const column = columnOf(text, list.start);
  const near = list.items[index] ?? list.items.at(-1);
  const lines =
    likeNeighbour(`${' '.repeat(column)}- `, near, value, hand) ?? itemLines(value, column, hand);
  const dash = dashes[index];
  if (dash === undefined) return linesAt(text, lineAfter(text, contentEnd(list)), lines, hand);
  if (isFirstOnLine(text, dash)) return linesAt(text, lineStart(text, dash), lines, hand);
  const inner = lines.slice(column) + hand.eol + ' '.repeat(column);
  return [{ start: dash, end: dash, text: inner }];
}

/** Removes the part from `start` whose content ends at `end`, with its lines where it has them alone. */
function removePart(
  text: string,
  start: number,
  end: number,
  next: number | undefined,
): TextEdit[] | undefined {
  if (isFirstOnLine(text, start)) {
    return [{ start: lineStart(text, start), end: lineAfter(text, end), text: '' }];
  }
  if (next === undefined) return undefined;
  const between = text.slice(end, next);
  return [{ start, end: between.includes('#') ? end : next, text: '' }];
}

/** Removes an entry of a block mapping; undefined when it is the only one. */
export function removeBlockEntry(
  text: string,
  map: SourceMapping,
  index: number,
): TextEdit[] | undefined {
  const entry = map.entries[index];
  if (entry === undefined || map.entries.length + map.merged.length < 2) return undefined;
  const end = Math.max(afterColon(text, entry), contentEnd(entry.value));
  return removePart(text, entry.keyStart, end, map.entries[index + 1]?.keyStart);
}

/** Removes an item of a block list; undefined when it is the only one. */
export function removeBlockItem(
  text: string,
  list: SourceList,
  index: number,
): TextEdit[] | undefined {
  const dashes = dashesOf(text, list);
  const dash = dashes[index];
  const item = list.items[index];
  if (dash === undefined || item === undefined || list.items.length < 2) return undefined;
  return removePart(text, dash, Math.max(dash + 1, contentEnd(item)), dashes[index + 1]);
}

/** The start of the comment lines that stand directly above a line. */
function withLeadingComments(text: string, line: number, floor: number): number {
  let at = line;
  while (at > floor) {
    const above = lineStart(text, at - 1);
    if (above < floor || !text.slice(above, at).trimStart().startsWith('#')) break;
    at = above;
  }
  return at;
}

/** Moves an item of a block list with the comment lines directly above it. */
export function moveBlockItem(
  text: string,
  list: SourceList,
  from: number,
  to: number,
  hand: Hand,
): TextEdit[] | undefined {
  const dashes = dashesOf(text, list);
  if (!dashes.every((dash) => isFirstOnLine(text, dash))) return undefined;
  let floor = 0;
  const slots = list.items.map((item, index) => {
    const dash = dashes[index] ?? 0;
    const start = withLeadingComments(text, lineStart(text, dash), floor);
    const end = lineAfter(text, Math.max(dash + 1, contentEnd(item)));
    floor = end;
    return { start, end };
  });
  const bodies = slots.map(({ start, end }) => text.slice(start, end).replace(/\r?\n$/, ''));
  const order = slots.map((_, index) => index);
  order.splice(to, 0, ...order.splice(from, 1));
  return order.flatMap((source, place) => {
    const slot = slots[place];
    const body = bodies[source];
    if (source === place || slot === undefined || body === undefined) return [];
    const last = text[slot.end - 1] === '\n' ? hand.eol : '';
    return [{ ...slot, text: body + last }];
  });
}
