import type { Json } from '../../kernel/json.ts';
import type { SourceEntry, SourceList, SourceNode } from '../yaml/source-map.ts';
import {
  afterColon,
  columnOf,
  contentEnd,
  dashesOf,
  lineAfter,
  lineEnd,
  lineStart,
} from '../yaml/text-layout.ts';
import { linesAt } from './block-edits.ts';
import type { TextEdit } from './text-edit.ts';
import { type BlockText, blockText, type Hand, scalarLike } from './write-value.ts';

/** Where the text of a value begins: after the colon of its entry or the dash of its item. */
export interface Tail {
  readonly after: number;
  /** The column of what a block value holds. */
  readonly indent: number;
  readonly dash: boolean;
}

/** The tail of an entry of a block mapping. */
export function entryTail(text: string, entry: SourceEntry): Tail {
  const indent = columnOf(text, entry.keyStart) + 2;
  return { after: afterColon(text, entry), indent, dash: false };
}

/** The tail of an item of a block list. */
export function itemTail(text: string, list: SourceList, index: number): Tail {
  const dash = dashesOf(text, list)[index] ?? list.start;
  return { after: dash + 1, indent: columnOf(text, dash) + 2, dash: true };
}

function hasComment(text: string, from: number): boolean {
  return /(?:^|\s)#/.test(text.slice(from, lineEnd(text, from)));
}

function below(text: string, at: number, { body }: BlockText, hand: Hand): TextEdit[] {
  return body === '' ? [] : linesAt(text, at, body, hand);
}

/** In place of a scalar, flow collection or alias on the line of its key or dash. */
function replaceInline(
  text: string,
  tail: Tail,
  old: SourceNode,
  value: Json,
  hand: Hand,
): TextEdit[] {
  const written = blockText(value, tail.indent, tail.dash && !hasComment(text, old.end), hand);
  const quoted =
    old.kind === 'scalar' && old.start < old.end ? scalarLike(old, value, hand) : undefined;
  let { start } = old;
  if (quoted === undefined && (written.head === '' || old.start === old.end)) {
    start = Math.max(tail.after, lineStart(text, old.end));
    const props = text.slice(start, old.start).trimEnd();
    start = Math.min(old.start, start + props.length);
  }
  const gap = start < old.start || old.start === old.end ? ' ' : '';
  const head = quoted ?? (written.head === '' ? '' : gap + written.head);
  const edit = { start, end: Math.max(start, old.end), text: head };
  const lines = quoted === undefined ? below(text, lineAfter(text, edit.end), written, hand) : [];
  return [edit, ...lines];
}

/** In place of a literal or folded text: its header, then its lines. */
function replaceText(
  text: string,
  tail: Tail,
  old: SourceNode,
  value: Json,
  hand: Hand,
): TextEdit[] {
  const headerEnd =
    old.start + (/^[|>][-+0-9]*/.exec(text.slice(old.start, old.end))?.[0].length ?? 0);
  const written = blockText(value, tail.indent, tail.dash && !hasComment(text, headerEnd), hand);
  const start = lineAfter(text, headerEnd);
  const end = Math.max(start, old.end);
  const lines = written.body === '' ? '' : written.body + hand.eol;
  return [
    { start: old.start, end: headerEnd, text: written.head },
    { start, end, text: lines },
  ];
}

/** In place of a block collection on the lines below its key or dash; a comment beside the key stays. */
function replaceBelow(
  text: string,
  tail: Tail,
  old: SourceNode,
  value: Json,
  hand: Hand,
): TextEdit[] {
  const headLine = text.slice(tail.after, lineEnd(text, tail.after));
  const comment = headLine.search(/(?:^|\s)#/);
  const props = (comment < 0 ? headLine : headLine.slice(0, comment)).trimEnd();
  const at = tail.after + props.length;
  const written = blockText(value, tail.indent, false, hand);
  // Comments above the first child stay, but inside a literal text they would become text.
  const literal = written.head !== '' && written.body !== '';
  const start = literal ? lineAfter(text, tail.after) : lineStart(text, old.start);
  const end = lineAfter(text, contentEnd(old));
  return [
    { start: at, end: at, text: written.head === '' ? '' : ` ${written.head}` },
    { start, end, text: written.body === '' ? '' : written.body + hand.eol },
  ];
}

/** Replaces the value after a colon or dash of block style. */
export function replaceBlockValue(
  text: string,
  tail: Tail,
  old: SourceNode,
  value: Json,
  hand: Hand,
): TextEdit[] {
  if (old.kind === 'scalar' && (old.style === 'literal' || old.style === 'folded')) {
    return replaceText(text, tail, old, value, hand);
  }
  const block = (old.kind === 'map' || old.kind === 'list') && !old.flow;
  if (!block) return replaceInline(text, tail, old, value, hand);
  if (text.slice(tail.after, old.start).includes('\n')) {
    return replaceBelow(text, tail, old, value, hand);
  }
  const { head, body } = blockText(value, tail.indent, true, hand);
  const end = contentEnd(old);
  const closes = text[end - 1] === '\n' ? hand.eol : '';
  return [{ start: old.start, end, text: head + (body === '' ? '' : hand.eol + body) + closes }];
}
