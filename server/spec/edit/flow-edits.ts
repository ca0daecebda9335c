import type { Json } from '../../kernel/json.ts';
import type { SourceEntry, SourceList, SourceMapping } from '../yaml/source-map.ts';
import { columnOf, skipTrivia } from '../yaml/text-layout.ts';
import type { TextEdit } from './text-edit.ts';
import { flowKey, flowText, type Hand } from './write-value.ts';

interface Part {
  readonly start: number;
  readonly end: number;
}

function partOf(entry: SourceEntry): Part {
  return { start: entry.keyStart, end: Math.max(entry.keyEnd, entry.value.end) };
}

/** What separates a new part from the one before it: a line break where the parts have their own lines. */
function separator(text: string, open: number, first: Part, hand: Hand): string {
  const ownLine = text.slice(open, first.start).includes('\n');
  return ownLine ? `,${hand.eol}${' '.repeat(columnOf(text, first.start))}` : ', ';
}

function insertPart(
  text: string,
  holder: SourceMapping | SourceList,
  parts: readonly Part[],
  at: number,
  written: string,
  hand: Hand,
): TextEdit[] {
  const [first] = parts;
  const last = parts.at(-1);
  const next = parts[at];
  if (first === undefined || last === undefined) {
    return [{ start: holder.start + 1, end: holder.end - 1, text: written }];
  }
  const between = separator(text, holder.start, first, hand);
  if (next !== undefined) {
    return [{ start: next.start, end: next.start, text: written + between }];
  }
  return [{ start: last.end, end: last.end, text: between + written }];
}

/** Adds an entry at the end of a flow mapping. */
export function addFlowEntry(
  text: string,
  map: SourceMapping,
  key: string,
  value: Json,
  hand: Hand,
): TextEdit[] {
  const written = `${flowKey(key, hand)}: ${flowText(value, hand)}`;
  return insertPart(text, map, map.entries.map(partOf), map.entries.length, written, hand);
}

/** Adds an item to a flow list. */
export function addFlowItem(
  text: string,
  list: SourceList,
  index: number,
  value: Json,
  hand: Hand,
): TextEdit[] {
  return insertPart(text, list, list.items, index, flowText(value, hand), hand);
}

function removePart(text: string, parts: readonly Part[], index: number): TextEdit[] {
  const part = parts[index];
  if (part === undefined) return [];
  const next = parts[index + 1];
  const before = parts[index - 1];
  if (next !== undefined) return [{ start: part.start, end: next.start, text: '' }];
  if (before !== undefined) return [{ start: before.end, end: part.end, text: '' }];
  const comma = skipTrivia(text, part.end);
  return [{ start: part.start, end: text[comma] === ',' ? comma + 1 : part.end, text: '' }];
}

/** Removes an entry of a flow mapping with its comma. */
export function removeFlowEntry(text: string, map: SourceMapping, index: number): TextEdit[] {
  return removePart(text, map.entries.map(partOf), index);
}

/** Removes an item of a flow list with its comma. */
export function removeFlowItem(text: string, list: SourceList, index: number): TextEdit[] {
  return removePart(text, list.items, index);
}

/** Moves an item of a flow list; what stands between the items stays in place. */
export function moveFlowItem(text: string, list: SourceList, from: number, to: number): TextEdit[] {
  const order = list.items.map((_, index) => index);
  order.splice(to, 0, ...order.splice(from, 1));
  return order.flatMap((source, place) => {
    const item = list.items[source];
    const slot = list.items[place];
    if (source === place || item === undefined || slot === undefined) return [];
    return [{ start: slot.start, end: slot.end, text: text.slice(item.start, item.end) }];
  });
}
