import { isJsonObject, type Json } from '../../../kernel/json.ts';
import type { BlockName, FieldHelp } from '../../schema/field-help.ts';
import { BLOCKS } from '../../schema/help.ts';
import { formatPath, type Path } from '../../values/path.ts';
import { resolved, type SourceNode } from '../../yaml/source-map.ts';
import { textAt, workflowBlock } from '../locate.ts';
import { namesReferred } from '../name-index.ts';
import type { OpenDocument } from '../open-document.ts';
import type { FieldFinding, FieldKind, FormField, FormPart } from './form.ts';

type Fields = Readonly<Record<string, FieldHelp>>;

/** What a mapping may hold, and what stands there. */
interface Holder {
  readonly path: Path;
  readonly fields: Fields;
  readonly value: Json;
  /** Fields that are not listed belong there too. */
  readonly open: boolean;
  /** The block of the language that it is; null for settings of a source. */
  readonly block: BlockName | null;
}

const LONG = /prompt|instruction|code|query|html|markdown|template/i;

/** Findings at a place and, with `below`, at all places in it. */
export function findingsAt(document: OpenDocument, path: Path, below: boolean): FieldFinding[] {
  const place = formatPath(path);
  return document
    .findings()
    .filter(({ path: at }) => {
      if (at === null) return false;
      return (
        at === place || (below && /^[.[]/.test(at.slice(place.length)) && at.startsWith(place))
      );
    })
    .map(({ severity, message }) => ({ severity, message }));
}

/** True when a place is written through an alias. */
export function isElsewhere(document: OpenDocument, path: Path): boolean {
  return path.some(
    (_, index) => document.source.find(path.slice(0, index + 1))?.node.kind === 'alias',
  );
}

function blockOf(field: FieldHelp, node: SourceNode | undefined): BlockName | undefined {
  return field.block === 'workflow' ? workflowBlock(node) : field.block;
}

function isTexts(value: Json): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/** The kind that can show a value without loss, whatever is expected there. */
function kindOfValue(value: Json): FieldKind {
  if (typeof value === 'object' && value !== null) return 'json';
  return typeof value === 'string' && value.includes('\n') ? 'long' : 'any';
}

function kindOfText(key: string, field: FieldHelp, value: Json): FieldKind {
  if (field.values !== undefined && field.others !== true) {
    return typeof value === 'string' && !field.values.includes(value) ? 'text' : 'choice';
  }
  if (field.values !== undefined || field.refers !== undefined) return 'text';
  const isLong = LONG.test(key) || (typeof value === 'string' && value.includes('\n'));
  return isLong ? 'long' : 'text';
}

function heldKind(field: FieldHelp, value: Json): FieldKind {
  if (field.block !== undefined) return 'parts';
  const isList = field.holds === 'list' && field.type === 'text';
  return isList && (value === null || isTexts(value)) ? 'texts' : 'json';
}

/** A block that may be written as a short form: its model's name, the names of its tools. */
function blockKind(field: FieldHelp, value: Json): FieldKind {
  if (value === null || isJsonObject(value)) return 'group';
  if (Array.isArray(value)) return isTexts(value) && field.refers !== undefined ? 'texts' : 'json';
  return field.values === undefined ? 'text' : 'choice';
}

const PLAIN: Readonly<Record<FieldHelp['type'], (value: Json) => boolean>> = {
  text: (value) => typeof value === 'string',
  integer: (value) => typeof value === 'number',
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  object: (value) => typeof value === 'object',
  any: () => true,
};

function kindOf(key: string, field: FieldHelp, value: Json): FieldKind {
  if (field.holds !== undefined) return heldKind(field, value);
  if (field.block !== undefined) return blockKind(field, value);
  if (value !== null && !PLAIN[field.type](value)) return kindOfValue(value);
  if (field.type === 'text') return kindOfText(key, field, value);
  if (field.type === 'object') return 'json';
  return field.type === 'any' ? (value === null ? 'any' : kindOfValue(value)) : field.type;
}

/** What an element of a list or mapping is called. */
function partLabel(node: SourceNode, segment: string | number): string {
  if (typeof segment === 'string') return segment;
  const target = resolved(node);
  if (target.kind === 'scalar') return String(target.value);
  const named = textAt(target, 'id') ?? textAt(target, 'type');
  const ends = [textAt(target, 'from') ?? textAt(target, 'from_'), textAt(target, 'to')];
  return named ?? (ends[1] === undefined ? `item ${segment + 1}` : ends.join(' → '));
}

function partsAt(document: OpenDocument, path: Path): FormPart[] {
  const node = document.source.find(path)?.node;
  const target = node && resolved(node);
  if (target?.kind === 'list') {
    return target.items.map((item, index) => ({
      label: partLabel(item, index),
      path: [...path, index],
    }));
  }
  return target?.kind === 'map'
    ? target.entries.map(({ key }) => ({ label: key, path: [...path, key] }))
    : [];
}

function choicesOf(document: OpenDocument, field: FieldHelp, path: Path): readonly string[] {
  const holder = document.source.find(path.slice(0, -1))?.node;
  const names =
    field.refers === undefined ? [] : namesReferred(document.names(), field.refers, holder, path);
  return [...(field.values ?? []), ...names.map(({ name }) => name)];
}

function ownValue(holder: Json, key: string): Json | undefined {
  return isJsonObject(holder) && Object.hasOwn(holder, key) ? holder[key] : undefined;
}

/** The key under which a field is written. */
function writtenKey(key: string, field: FieldHelp, holder: Json): string {
  const { also } = field;
  return also !== undefined &&
    ownValue(holder, key) === undefined &&
    ownValue(holder, also) !== undefined
    ? also
    : key;
}

function fieldAt(
  document: OpenDocument,
  holder: Holder,
  named: string,
  help: FieldHelp,
  unknown: boolean,
): FormField {
  const key = writtenKey(named, help, holder.value);
  const path = [...holder.path, key];
  const found = ownValue(holder.value, key);
  const value = found ?? null;
  // A block may hold its own kind, such as a condition that is negated: without an end, unless written.
  const endless = found === undefined && help.block === holder.block && holder.block !== null;
  const kind = unknown ? kindOfValue(value) : endless ? 'json' : kindOf(key, help, value);
  const block = kind === 'group' ? blockOf(help, document.source.find(path)?.node) : undefined;
  return {
    ...{ key, path, kind, unknown, value },
    help: help.help,
    required: help.required === true,
    written: found !== undefined,
    standard: help.standard ?? null,
    choices: choicesOf(document, help, path),
    elsewhere: isElsewhere(document, path),
    findings: findingsAt(document, path, kind !== 'group'),
    fields: block === undefined ? [] : blockFields(document, block, path, value),
    parts: kind === 'parts' ? partsAt(document, path) : [],
    list: help.holds === 'list' || Array.isArray(value),
  };
}

/** The fields of a mapping: those that it may have, then what else it holds. */
export function fieldsIn(document: OpenDocument, holder: Holder): FormField[] {
  const listed = Object.entries(holder.fields);
  const keys = new Set(
    listed.flatMap(([key, { also }]) => (also === undefined ? [key] : [key, also])),
  );
  const others = isJsonObject(holder.value)
    ? Object.keys(holder.value).filter((key) => !keys.has(key))
    : [];
  return [
    ...listed.map(([key, help]) => fieldAt(document, holder, key, help, false)),
    ...others.map((key) => ({
      ...fieldAt(document, holder, key, { type: 'any', help: '' }, true),
      unknown: !holder.open,
    })),
  ];
}

/** The fields of a block of the language at a place. */
export function blockFields(
  document: OpenDocument,
  block: BlockName,
  path: Path,
  value: Json,
): FormField[] {
  const { fields, open } = BLOCKS[block];
  return fieldsIn(document, { path, fields, value, open: open === true, block });
}
