import type { OutlineItem } from './spec-protocol.ts';

function holds({ range }: OutlineItem, line: number): boolean {
  return range.startLine <= line && line <= range.endLine;
}

/** The parts that hold a line, the outermost first; of two on one line the last. */
export function outlineTrail(items: readonly OutlineItem[], line: number): readonly OutlineItem[] {
  const item = items.findLast((one) => holds(one, line));
  return item === undefined ? [] : [item, ...outlineTrail(item.children, line)];
}

/** A row of the outline list. */
export interface OutlineRow {
  readonly item: OutlineItem;
  readonly depth: number;
}

/** All parts in the order of the text. */
export function outlineRows(items: readonly OutlineItem[], depth = 0): readonly OutlineRow[] {
  return items.flatMap((item) => [{ item, depth }, ...outlineRows(item.children, depth + 1)]);
}
