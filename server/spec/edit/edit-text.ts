import { canonicalJson } from '../../kernel/canonical-json.ts';
import type { Json } from '../../kernel/json.ts';
import { type ParsedDocument, parseSpecText, type SpecFormat } from '../parse-yaml.ts';
import type { Path, PathSegment } from '../path.ts';
import { entryOf, type SourceMapping, type SourceNode } from '../source-map.ts';
import { applyEdits, type TextEdit } from '../text-edit.ts';
import {
  addBlockEntry,
  addBlockItem,
  moveBlockItem,
  removeBlockEntry,
  removeBlockItem,
} from './block-edits.ts';
import { entryTail, itemTail, replaceBlockValue } from './block-values.ts';
import { type DocumentEdit, editValue } from './edit-value.ts';
import {
  addFlowEntry,
  addFlowItem,
  moveFlowItem,
  removeFlowEntry,
  removeFlowItem,
} from './flow-edits.ts';
import { eolOf } from './text-layout.ts';
import { flowKey, flowText, type Hand } from './write-value.ts';

interface Work {
  readonly text: string;
  readonly root: SourceNode;
  readonly hand: Hand;
}

/** The node of a place, found without passing through an alias or a merged mapping. */
function nodeAt(root: SourceNode, path: Path): SourceNode | undefined {
  let node: SourceNode | undefined = root;
  for (const segment of path) {
    if (node?.kind === 'list') node = typeof segment === 'number' ? node.items[segment] : undefined;
    else if (node?.kind === 'map') node = ownEntry(node, segment)?.value;
    else return undefined;
  }
  return node;
}

function ownEntry(
  map: SourceMapping,
  segment: PathSegment,
): SourceMapping['entries'][number] | undefined {
  const entry = entryOf(map, String(segment));
  return entry !== undefined && map.entries.includes(entry) ? entry : undefined;
}

/** Replaces the value of an existing place. */
function replaceAt({ text, root, hand }: Work, path: Path, value: Json): TextEdit[] | undefined {
  const holder = nodeAt(root, path.slice(0, -1));
  const last = path.at(-1);
  const old = nodeAt(root, path);
  if (holder === undefined || last === undefined || old === undefined) return undefined;
  if (holder.kind === 'map') {
    const entry = ownEntry(holder, last);
    if (entry === undefined) return undefined;
    if (holder.flow) return [flowReplacement(old, flowText(value, hand))];
    return replaceBlockValue(text, entryTail(text, entry), old, value, hand);
  }
  if (holder.kind !== 'list' || typeof last !== 'number') return undefined;
  if (holder.flow) return [flowReplacement(old, flowText(value, hand))];
  return replaceBlockValue(text, itemTail(text, holder, last), old, value, hand);
}

function flowReplacement(old: SourceNode, written: string): TextEdit {
  const empty = old.start === old.end;
  return { start: old.start, end: old.end, text: empty ? ` ${written}` : written };
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
  if (holder.kind !== 'list' || typeof last !== 'number') return undefined;
  return holder.flow
    ? addFlowItem(text, holder, last, value, hand)
    : addBlockItem(text, holder, last, value, hand);
}

function removeFrom({ text }: Work, holder: SourceNode, last: PathSegment): TextEdit[] | undefined {
  if (holder.kind === 'map') {
    const entry = ownEntry(holder, last);
    const index = entry === undefined ? -1 : holder.entries.indexOf(entry);
    if (index < 0) return undefined;
    return holder.flow
      ? removeFlowEntry(text, holder, index)
      : removeBlockEntry(text, holder, index);
  }
  if (holder.kind !== 'list' || typeof last !== 'number') return undefined;
  return holder.flow ? removeFlowItem(text, holder, last) : removeBlockItem(text, holder, last);
}

function moveWithin(
  { text, hand }: Work,
  holder: SourceNode,
  from: PathSegment,
  to: number,
): TextEdit[] | undefined {
  if (holder.kind !== 'list' || typeof from !== 'number') return undefined;
  return holder.flow
    ? moveFlowItem(text, holder, from, to)
    : moveBlockItem(text, holder, from, to, hand);
}

function renameIn(
  { hand }: Work,
  holder: SourceNode,
  last: PathSegment,
  key: string,
): TextEdit[] | undefined {
  const entry = holder.kind === 'map' ? ownEntry(holder, last) : undefined;
  return entry && [{ start: entry.keyStart, end: entry.keyEnd, text: flowKey(key, hand) }];
}

/** The edits of the smallest kind; undefined when the place is not written out where it is asked for. */
function directEdits(work: Work, edit: DocumentEdit): TextEdit[] | undefined {
  const last = edit.path.at(-1);
  const holder = nodeAt(work.root, edit.path.slice(0, -1));
  if (last === undefined || holder === undefined) return undefined;
  switch (edit.op) {
    case 'set':
      return nodeAt(work.root, edit.path) === undefined
        ? addTo(work, holder, last, edit.value)
        : replaceAt(work, edit.path, edit.value);
    case 'insert':
      return addTo(work, holder, last, edit.value);
    case 'delete':
      return removeFrom(work, holder, last);
    case 'move':
      return moveWithin(work, holder, last, edit.to);
    case 'rename':
      return renameIn(work, holder, last, edit.key);
  }
}

function valueAt(document: Json, path: Path): Json | undefined {
  let value: Json | undefined = document;
  for (const segment of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    if (Array.isArray(value)) value = value[Number(segment)];
    else value = Object.hasOwn(value, segment) ? value[String(segment)] : undefined;
  }
  return value;
}

/** Writes an ancestor anew, the nearest first, where no comment is lost by it. */
function widerEdits(work: Work, { op, path }: DocumentEdit, wanted: Json): TextEdit[][] {
  const tries: TextEdit[][] = [];
  for (let length = path.length - 1; length > 0; length -= 1) {
    const at = path.slice(0, length);
    const value = valueAt(wanted, at);
    if (value === undefined) continue;
    const holder = nodeAt(work.root, at.slice(0, -1));
    const last = at.at(-1);
    if (holder === undefined || last === undefined) continue;
    const edits =
      nodeAt(work.root, at) === undefined
        ? addTo(work, holder, last, value)
        : replaceAt(work, at, value);
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
  if (canonicalJson(value) === canonicalJson(wanted)) return true;
  if (!/(^|[\s[{,:-])&\S/.test(text)) return false;
  const holder = path.slice(0, -1);
  return (
    canonicalJson(valueAt(value, holder) ?? null) === canonicalJson(valueAt(wanted, holder) ?? null)
  );
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
