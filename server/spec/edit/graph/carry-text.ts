import type { JsonObject } from '../../../kernel/json.ts';
import type { Path, PathSegment } from '../../values/path.ts';
import type { SourceNode } from '../../yaml/source-map.ts';
import {
  afterColon,
  columnOf,
  contentEnd,
  dashesOf,
  isFirstOnLine,
  lineAfter,
  lineStart,
} from '../../yaml/text-layout.ts';
import type { TextEdit } from '../text-edit.ts';
import type { Carry } from './operation.ts';

/** The lines of a part of block style, with the comment lines directly above it. */
interface Lines {
  readonly start: number;
  readonly end: number;
  /** The column of its dash or key. */
  readonly column: number;
}

function child(node: SourceNode | undefined, segment: PathSegment): SourceNode | undefined {
  if (node?.kind === 'list') return node.items[Number(segment)];
  if (node?.kind !== 'map') return undefined;
  return node.entries.findLast(({ key }) => key === String(segment))?.value;
}

function withComments(text: string, line: number): number {
  let at = line;
  while (at > 0) {
    const above = lineStart(text, at - 1);
    if (!text.slice(above, at).trimStart().startsWith('#')) break;
    at = above;
  }
  return at;
}

/** The lines of the part at a place; undefined when it shares them with something else. */
export function linesOf(text: string, root: SourceNode, path: Path): Lines | undefined {
  const last = path.at(-1);
  let holder: SourceNode | undefined = root;
  for (const segment of path.slice(0, -1)) holder = child(holder, segment);
  if (last === undefined || holder === undefined) return undefined;
  if (holder.kind === 'list' && !holder.flow) {
    const dash = dashesOf(text, holder)[Number(last)];
    const item = holder.items[Number(last)];
    return dash === undefined || item === undefined
      ? undefined
      : linesFrom(text, dash, Math.max(dash + 1, contentEnd(item)));
  }
  if (holder.kind !== 'map' || holder.flow) return undefined;
  const entry = holder.entries.findLast(({ key }) => key === String(last));
  return (
    entry &&
    linesFrom(text, entry.keyStart, Math.max(afterColon(text, entry), contentEnd(entry.value)))
  );
}

function linesFrom(text: string, at: number, end: number): Lines | undefined {
  if (!isFirstOnLine(text, at)) return undefined;
  const start = withComments(text, lineStart(text, at));
  return { start, end: lineAfter(text, end), column: columnOf(text, at) };
}

const MARK = 'carried-by-the-editor';

/** The value with a mark in place of what is carried. */
export function markedValue(value: JsonObject, carries: readonly Carry[]): JsonObject {
  const marked = { ...value };
  carries.forEach(({ into, from }, index) => {
    const [field] = into;
    const held = field === undefined ? undefined : marked[String(field)];
    if (from.length === 0 || field === undefined) return;
    marked[String(field)] = Array.isArray(held)
      ? [`${MARK}-${index}`, ...held.slice(from.length)]
      : { [`${MARK}-${index}`]: null };
  });
  return marked;
}

function shifted(lines: string, by: number): string {
  const pad = ' '.repeat(Math.max(0, by));
  return lines
    .split('\n')
    .map((line) => {
      if (line.trim() === '') return line;
      if (by >= 0) return pad + line;
      const blank = line.length - line.trimStart().length;
      return line.slice(Math.min(-by, blank));
    })
    .join('\n');
}

/** Puts the text of what is carried in place of its marks; undefined where a mark has no line of its own. */
export function carriedEdits(
  text: string,
  root: SourceNode,
  edits: readonly TextEdit[],
  carries: readonly Carry[],
): TextEdit[] | undefined {
  let made = [...edits];
  for (const [index, { from }] of carries.entries()) {
    if (from.length === 0) continue;
    const places = from.map((path) => linesOf(text, root, path));
    const mark = new RegExp(`^([ ]*)(?:- )?${MARK}-${index}(?:: null)?(\\r?\\n|$)`, 'm');
    let found = false;
    made = made.map((edit) => {
      const line = mark.exec(edit.text);
      if (line === null) return edit;
      const column = line[1]?.length ?? 0;
      const carried = places.map((place) =>
        place === undefined
          ? undefined
          : shifted(text.slice(place.start, place.end), column - place.column),
      );
      if (carried.includes(undefined)) return edit;
      found = true;
      const eol = line[2] ?? '';
      const lines = carried.join('').replace(/\r?\n$/, '') + eol;
      return { ...edit, text: edit.text.replace(mark, () => lines) };
    });
    if (!found) return undefined;
  }
  return made;
}
