import type { Json } from '../../kernel/json.ts';
import { sameJson } from '../../kernel/same-json.ts';
import type { Path, PathSegment } from '../values/path.ts';
import { type ParsedDocument, parseSpecText, type SpecFormat } from '../yaml/parse-yaml.ts';
import {
  entryOf,
  type SourceEntry,
  type SourceList,
  type SourceMapping,
  type SourceNode,
} from '../yaml/source-map.ts';
import { eolOf } from '../yaml/text-layout.ts';
import {
  addBlockEntry,
  addBlockItem,
  moveBlockItem,
  removeBlockEntry,
  removeBlockItem,
} from './block-edits.ts';
import { entryTail, itemTail, replaceBlockValue } from './block-values.ts';
import { childOf, type DocumentEdit, editValue } from './edit-value.ts';
import {
  addFlowEntry,
  addFlowItem,
  moveFlowItem,
  removeFlowEntry,
  removeFlowItem,
} from './flow-edits.ts';
import { applyEdits, type TextEdit } from './text-edit.ts';
import { flowKey, flowText, type Hand } from './write-value.ts';

interface Work {
  readonly text: string;
  readonly root: SourceNode;
  readonly hand: Hand;
}

/** A place that is written out where it stands. */
type Place =
  | { readonly holder: SourceMapping; readonly entry: SourceEntry; readonly node: SourceNode }
  | { readonly holder: SourceList; readonly index: number; readonly node: SourceNode };

function placeIn(holder: SourceNode | undefined, segment: PathSegment): Place | undefined {
  if (holder?.kind === 'list') {
    const index = Number(segment);
    const node = holder.items[index];
    return node && { holder, index, node };
  }
  if (holder?.kind !== 'map') return undefined;
  const entry = entryOf(holder, String(segment));
  const own = entry !== undefined && holder.entries.includes(entry);
  return own ? { holder, entry, node: entry.value } : undefined;
}

/** The node of a place, found without passing through an alias or a merged mapping. */
function nodeAt(root: SourceNode, path: Path): SourceNode | undefined {
  let node: SourceNode | undefined = root;
  for (const segment of path) node = placeIn(node, segment)?.node;
  return node;
}

function replaceAt({ text, hand }: Work, place: Place, value: Json): TextEdit[] {
  const { node } = place;
  if (place.holder.flow) {
    const gap = node.start === node.end ? ' ' : '';
    return [{ start: node.start, end: node.end, text: gap + flowText(value, hand) }];
  }
  const tail =
    'entry' in place ? entryTail(text, place.entry) : itemTail(text, place.holder, place.index);
  return replaceBlockValue(text, tail, node, value, hand);
}

function addTo(
  { text, hand }: Work,
  holder: SourceNode,
  last: PathSegment,
  value: Json,
): TextEdit[] | undefined {
  if (holder.kind === 'map') {
    const key = String(last);
    return holder.flow
      ? addFlowEntry(text, holder, key, value, hand)
      : addBlockEntry(text, holder, key, value, hand);
  }
  if (holder.kind !== 'list') return undefined;
  return holder.flow
    ? addFlowItem(text, holder, Number(last), value, hand)
    : addBlockItem(text, holder, Number(last), value, hand);
}

function removeFrom({ text }: Work, place: Place): TextEdit[] | undefined {
  if ('index' in place) {
    const { holder, index } = place;
    return holder.flow ? removeFlowItem(text, holder, index) : removeBlockItem(text, holder, index);
  }
  const { holder } = place;
  const index = holder.entries.indexOf(place.entry);
  return holder.flow ? removeFlowEntry(text, holder, index) : removeBlockEntry(text, holder, index);
}

/** The edits of the smallest kind; undefined when the place is not written out where it is asked for. */
function directEdits(work: Work, edit: DocumentEdit): TextEdit[] | undefined {
  const { text, root, hand } = work;
  const last = edit.path.at(-1);
  const holder = nodeAt(root, edit.path.slice(0, -1));
  if (last === undefined || holder === undefined) return undefined;
  const place = placeIn(holder, last);
  if (edit.op === 'insert') return addTo(work, holder, last, edit.value);
  if (edit.op === 'set') {
    return place === undefined
      ? addTo(work, holder, last, edit.value)
      : replaceAt(work, place, edit.value);
  }
  if (place === undefined) return undefined;
  if (edit.op === 'delete') return removeFrom(work, place);
  if ('entry' in place) {
    const { keyStart: start, keyEnd: end } = place.entry;
    return edit.op === 'rename' ? [{ start, end, text: flowKey(edit.key, hand) }] : undefined;
  }
  if (edit.op !== 'move') return undefined;
  return place.holder.flow
    ? moveFlowItem(text, place.holder, place.index, edit.to)
    : moveBlockItem(text, place.holder, place.index, edit.to, hand);
}

/** The value at a place; null where there is none. */
export function valueAt(document: Json, path: Path): Json {
  return path.reduce<Json>((value, segment) => childOf(value, segment) ?? null, document);
}

/** Writes an ancestor anew, the nearest first, where no comment is lost by it. */
function widerEdits(work: Work, { op, path }: DocumentEdit, wanted: Json): TextEdit[][] {
  const tries: TextEdit[][] = [];
  for (let length = path.length - 1; length > 0; length -= 1) {
    const at = path.slice(0, length);
    const value = valueAt(wanted, at);
    const holder = nodeAt(work.root, at.slice(0, -1));
    const last = at.at(-1);
    if (holder === undefined || last === undefined) continue;
    const place = placeIn(holder, last);
    const edits =
      place === undefined ? addTo(work, holder, last, value) : replaceAt(work, place, value);
    // The only child of a collection takes its own comments along.
    const emptied = op === 'delete' && length === path.length - 1;
    const clean =
      emptied || edits?.every(({ start, end }) => !/(?:^|\s)#/.test(work.text.slice(start, end)));
    if (edits !== undefined && clean === true) tries.push(edits);
  }
  return tries;
}

/** True when the edited text says what is wanted; an anchor's aliases may follow it. */
function says(text: string, format: SpecFormat, wanted: Json, path: Path): boolean {
  const { value } = parseSpecText(text, format);
  if (value === undefined) return false;
  if (sameJson(value, wanted)) return true;
  if (!/(^|[\s[{,:-])&\S/.test(text)) return false;
  const holder = path.slice(0, -1);
  return sameJson(valueAt(value, holder), valueAt(wanted, holder));
}

function overlaps(edits: readonly TextEdit[]): boolean {
  const ordered = edits.toSorted((a, b) => a.start - b.start || a.end - b.end);
  return ordered.some(({ start }, index) => start < (ordered[index - 1]?.end ?? 0));
}

/**
 * The edits of many changes of one text, each of the smallest kind, for whoever reads the result
 * back. Undefined when one of them needs more than that, or two of them meet.
 */
export function editManyPlaces(
  parsed: ParsedDocument,
  changes: readonly DocumentEdit[],
  format: SpecFormat,
): TextEdit[] | undefined {
  const { root, text } = parsed.source;
  if (parsed.value === undefined || root === undefined) return undefined;
  const work: Work = { text, root, hand: { json: format === 'json', eol: eolOf(text) } };
  const edits: TextEdit[] = [];
  for (const change of changes) {
    const made = directEdits(work, change);
    if (made === undefined) return undefined;
    edits.push(...made);
  }
  return overlaps(edits) ? undefined : edits;
}

/**
 * The edits that make a change and leave every other byte as it is: comments, order, quotes,
 * anchors, line breaks. Undefined when the text cannot be read or the change does not fit it. The
 * result is checked by reading it back.
 */
export function editText(
  text: string,
  edit: DocumentEdit,
  format: SpecFormat = 'yaml',
): TextEdit[] | undefined {
  const parsed: ParsedDocument = parseSpecText(text, format);
  const { root } = parsed.source;
  if (parsed.value === undefined || root === undefined) return undefined;
  const wanted = editValue(parsed.value, edit);
  if (wanted === undefined) return undefined;
  const work: Work = { text, root, hand: { json: format === 'json', eol: eolOf(text) } };
  const direct = directEdits(work, edit);
  const tries = [...(direct === undefined ? [] : [direct]), ...widerEdits(work, edit, wanted)];
  return tries.find((edits) => says(applyEdits(text, edits), format, wanted, edit.path));
}
