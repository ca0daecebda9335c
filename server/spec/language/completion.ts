import { flowSafe } from '../edit/text-edit.ts';
import type { BlockName, FieldHelp } from '../schema/field-help.ts';
import { BLOCKS } from '../schema/help.ts';
import type { Path } from '../values/path.ts';
import { emitInline } from '../yaml/emit-yaml.ts';
import { resolved, type SourceNode, type SourceRange } from '../yaml/source-map.ts';
import { columnOf } from '../yaml/text-layout.ts';
import { type FlowSpot, flowSpotAt } from './flow/flow-spot.ts';
import { schemaAt } from './locate.ts';
import { namesIn, namesReferred } from './name-index.ts';
import type { OpenDocument } from './open-document.ts';
import { type AttachedRegistry, referenceForm } from './registry.ts';
import { entrySnippet, itemSnippet, keySnippet, type SnippetHand } from './snippets.ts';
import {
  WRITTEN_KINDS,
  type WrittenKind,
  workflowEntry,
  workflowFields,
} from './workflow-snippets.ts';

/**
 * What may be written at a place. `range` is the text that `insert` replaces. In a snippet, `insert`
 * has stops (`$1`, `${1:text}`, `${1|a,b|}`), and the lines after its first are indented against
 * the indent of the line that it is put on.
 */
export interface Completion {
  readonly label: string;
  readonly kind: 'key' | 'value' | 'name' | 'part';
  readonly snippet: boolean;
  readonly detail: string;
  readonly documentation: string;
  readonly insert: string;
  readonly range: SourceRange;
  readonly required: boolean;
}

const CURSOR = 'zzCursorzz';
const WORD_BEFORE = /(?<![\w./$-])[\w./$-]*$/;
const WORD_END = /[^\w./$-]|$/;
const BLOCK_KEY = /^[ \t]*(?:- +)*[\w./$-]*$/;

interface Found {
  readonly path: Path;
  readonly atKey: boolean;
  /** Keys that the mapping has already. */
  readonly present: ReadonlySet<string>;
  /** The place stands inside of `{…}` or `[…]`. */
  readonly flow: boolean;
}

interface Place extends Found {
  readonly start: number;
  readonly end: number;
  readonly quoted: boolean;
  /** A colon follows, so that a key needs none. */
  readonly colon: boolean;
  /** A blank that a value needs before it. */
  readonly lead: string;
  readonly root: SourceNode | undefined;
  readonly hand: SnippetHand;
  readonly registry: AttachedRegistry | null;
}

function findInMap(
  node: SourceNode & { kind: 'map' },
  path: Path,
  flow: boolean,
): Found | undefined {
  for (const entry of node.entries) {
    if (entry.key === CURSOR) {
      const present = node.entries.map(({ key }) => key).filter((key) => key !== CURSOR);
      return { path, atKey: true, present: new Set(present), flow };
    }
    const found = findCursor(entry.value, [...path, entry.key], flow);
    if (found !== undefined) return found;
  }
  return undefined;
}

function findCursor(node: SourceNode, path: Path, flow = false): Found | undefined {
  if (node.kind === 'scalar') {
    return node.value === CURSOR ? { path, atKey: false, present: new Set(), flow } : undefined;
  }
  if (node.kind === 'alias') return undefined;
  const inside = flow || node.flow;
  if (node.kind === 'map') return findInMap(node, path, inside);
  for (const [index, item] of node.items.entries()) {
    const found = findCursor(item, [...path, index], inside);
    if (found !== undefined) return found;
  }
  return undefined;
}

interface Line {
  readonly before: string;
  readonly after: string;
}

function lineAt(text: string, offset: number): Line {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const end = text.indexOf('\n', offset);
  return {
    before: text.slice(start, offset),
    after: text.slice(offset, end < 0 ? undefined : end),
  };
}

type Reading = Omit<Place, 'root' | 'hand' | 'registry' | keyof Found> & {
  readonly fillers: readonly string[];
};

/** What the line of an offset says about the place, and what may stand in for what is to come. */
function readingOf(
  { text, format }: OpenDocument,
  { before, after }: Line,
  offset: number,
): Reading {
  const start = offset - before.length + before.search(WORD_BEFORE);
  const word = after.search(WORD_END);
  const colon = /^["']?\s*:/.test(after.slice(word));
  const lead = format === 'yaml' && text[start - 1] === ':' ? ' ' : '';
  const key = BLOCK_KEY.test(before) && !colon ? [`${CURSOR}: `] : [];
  return {
    start,
    end: offset + word,
    quoted: text[start - 1] === '"' || text[start - 1] === "'",
    colon,
    lead,
    fillers: [...key, lead + CURSOR],
  };
}

/** The first reading of the place at an offset, the likeliest first, that something can be said to. */
function draftsNear(
  document: OpenDocument,
  offset: number,
  registry: AttachedRegistry | null,
): { place: Place; drafts: Draft[] } | undefined {
  const { text, format } = document;
  const line = lineAt(text, offset);
  if (/(?:^|\s)#/.test(line.before)) return undefined;
  const { fillers, ...reading } = readingOf(document, line, offset);
  const indent = line.before.search(/[^ ]|$/);
  const pad = ' '.repeat(Math.max(0, columnOf(text, reading.start) - indent));
  for (const filler of fillers) {
    const root = document.treeOf(text.slice(0, reading.start) + filler + text.slice(reading.end));
    const found = root && findCursor(root, []);
    if (found === undefined) continue;
    const style = format === 'json' ? 'json' : found.flow ? 'flow' : 'block';
    const place: Place = { ...reading, ...found, root, hand: { style, pad }, registry };
    const drafts = draftsAt(place);
    if (drafts.length > 0) return { place, drafts };
  }
  return undefined;
}

function describeType(field: FieldHelp): string {
  const base = field.holds === 'map' ? 'map of ' : field.holds === 'list' ? 'list of ' : '';
  return `${base}${field.type}${field.required ? ', required' : ''}`;
}

function isNested(field: FieldHelp): boolean {
  return field.holds !== undefined || (field.block !== undefined && field.values === undefined);
}

type Draft = Omit<Completion, 'range'>;

function keyDraft(key: string, field: FieldHelp, { quoted, colon, hand }: Place): Draft {
  const bare = quoted || colon;
  const snippet = !bare && isNested(field);
  const written = hand.style === 'json' && !quoted ? `"${key}"` : key;
  return {
    label: key,
    kind: 'key',
    snippet,
    detail: describeType(field),
    documentation: field.help,
    insert: bare ? written : snippet ? keySnippet(key, field, hand) : `${written}: `,
    required: field.required === true,
  };
}

function keyCompletions(block: BlockName, place: Place): Draft[] {
  return fieldCompletions(BLOCKS[block].fields, place);
}

function fieldCompletions(fields: Readonly<Record<string, FieldHelp>>, place: Place): Draft[] {
  return Object.entries(fields)
    .filter(([key]) => !place.present.has(key))
    .map(([key, field]) => keyDraft(key, field, place));
}

function literal(value: string, { quoted, lead, hand }: Place): string {
  if (quoted) return value;
  if (hand.style === 'json') return JSON.stringify(value);
  const written = emitInline(value);
  return lead + (hand.style === 'flow' ? flowSafe(written, value) : written);
}

function valueCompletions(field: FieldHelp, place: Place): Draft[] {
  const values = field.type === 'boolean' ? ['true', 'false'] : (field.values ?? []);
  return values.map((value) => ({
    label: value,
    kind: 'value',
    snippet: false,
    detail: value === field.standard ? 'default' : '',
    documentation: field.help,
    insert: field.type === 'boolean' ? place.lead + value : literal(value, place),
    required: false,
  }));
}

function partDraft(block: BlockName, insert: string): Draft {
  return {
    label: `new ${block.replaceAll('_', ' ')}`,
    kind: 'part',
    snippet: true,
    detail: 'with its required fields',
    documentation: BLOCKS[block].help,
    insert,
    required: false,
  };
}

function holderOf(root: SourceNode | undefined, path: Path): SourceNode | undefined {
  const steps = [...path];
  while (typeof steps.at(-1) === 'number') steps.pop();
  steps.pop();
  let node = root;
  for (const segment of steps) {
    const target: ReturnType<typeof resolved> | undefined = node && resolved(node);
    if (target?.kind === 'list') node = target.items[Number(segment)];
    else if (target?.kind === 'map')
      node = target.entries.findLast(({ key }) => key === segment)?.value;
    else node = undefined;
  }
  return node;
}

function nameCompletions(field: FieldHelp, place: Place): Draft[] {
  if (field.refers === undefined) return [];
  const holder = holderOf(place.root, place.path);
  return namesReferred(namesIn(place.root), field.refers, holder, place.path)
    .filter(({ name }) => name !== CURSOR)
    .map(({ name, kind }) => ({
      label: name,
      kind: 'name' as const,
      snippet: false,
      detail: kind.replace('_', ' '),
      documentation: field.help,
      insert: literal(name, place),
      required: false,
    }));
}

/** A key of a map of blocks, or the key or value where a list of blocks is to begin. */
function partCompletions(field: FieldHelp, inside: boolean, place: Place): Draft[] {
  const { block, holds } = field;
  if (block === undefined || inside || place.quoted || place.colon) return [];
  if (holds === 'map' && place.atKey) return [partDraft(block, entrySnippet(block, place.hand))];
  const below = holds === 'list' && place.atKey && place.hand.style === 'block';
  return below ? [partDraft(block, itemSnippet(block, place.hand, true))] : [];
}

function itemCompletions(block: BlockName, place: Place): Draft[] {
  const names = block === 'step' ? nameCompletions(AGENT_SHORTHAND, place) : [];
  if (place.quoted || place.present.size > 0) return [...keyCompletions(block, place), ...names];
  const whole = place.hand.style === 'block' || !place.atKey;
  const part = whole ? [partDraft(block, itemSnippet(block, place.hand, false))] : [];
  const keys = place.hand.style === 'block' || place.atKey ? keyCompletions(block, place) : [];
  return [...keys, ...names, ...part];
}

function flowDrafts({ fields, field }: FlowSpot, place: Place): Draft[] {
  if (place.atKey) return fields === undefined ? [] : fieldCompletions(fields, place);
  return field === undefined ? [] : valueCompletions(field, place);
}

function draftsAt(place: Place): Draft[] {
  const flow = flowSpotAt(place.root, place.path);
  if (flow !== undefined) return flowDrafts(flow, place);
  return [...languageDrafts(place), ...registryDrafts(place)];
}

/** A reference as it is written at a place; undefined where it cannot be. */
function writtenReference(name: string, place: Place): string | undefined {
  const form = referenceForm(place.path, place.atKey);
  const json = place.hand.style === 'json';
  if (form === 'name') return literal(name, place);
  if (form === undefined || place.quoted || place.colon) return undefined;
  const entry = json ? `"$registry": ${JSON.stringify(name)}` : `$registry: ${name}`;
  return form === 'entry' ? entry : `${place.lead}{${entry}}`;
}

function registryDrafts(place: Place): Draft[] {
  const { alias, names } = place.registry ?? { alias: '', names: [] };
  return names.flatMap((name): Draft[] => {
    const insert = writtenReference(name, place);
    if (insert === undefined) return [];
    const whole = referenceForm(place.path, place.atKey) !== 'name';
    return [
      {
        label: whole ? `$registry: ${name}` : name,
        kind: 'name',
        snippet: false,
        detail: `registry of ${alias}`,
        documentation: 'Is filled in from the registry of the environment.',
        insert,
        required: false,
      },
    ];
  });
}

function workflowDraft(label: string, kind: WrittenKind, insert: string): Draft {
  return {
    label,
    kind: 'part',
    snippet: true,
    detail: `${kind} workflow with two steps`,
    documentation: BLOCKS[kind].help,
    insert,
    required: false,
  };
}

/** A whole workflow of each kind, where one may begin: under its key, or where it has no fields yet. */
function workflowDrafts(block: BlockName, place: Place): Draft[] {
  if (place.quoted || place.colon) return [];
  if (block === 'root' && !place.present.has('workflow')) {
    return WRITTEN_KINDS.map((kind) =>
      workflowDraft(`workflow: ${kind}`, kind, workflowEntry('workflow', kind, place.hand)),
    );
  }
  if (block !== 'workflow' || place.present.size > 0) return [];
  return WRITTEN_KINDS.map((kind) =>
    workflowDraft(`new ${kind}`, kind, workflowFields(kind, place.hand)),
  );
}

/** What may be an entry of a mapping that is a block. */
function entryDrafts(block: BlockName, place: Place): Draft[] {
  return [...keyCompletions(block, place), ...workflowDrafts(block, place)];
}

function languageDrafts(place: Place): Draft[] {
  const spot = schemaAt(place.root, place.path);
  const { field } = spot;
  if (place.atKey) {
    const item = typeof place.path.at(-1) === 'number';
    if (spot.block !== null) {
      return item ? itemCompletions(spot.block, place) : entryDrafts(spot.block, place);
    }
    return field === null ? [] : partCompletions(field, spot.inside, place);
  }
  if (field === null) return [];
  if (spot.inside && spot.block !== null) return itemCompletions(spot.block, place);
  const asItem = field.holds === undefined || spot.inside || typeof place.path.at(-1) === 'number';
  if (!asItem) return [];
  return [...valueCompletions(field, place), ...nameCompletions(field, place)];
}

const AGENT_SHORTHAND: FieldHelp = {
  type: 'text',
  help: 'An agent step, named after its agent.',
  refers: 'agents',
};

/**
 * What may be written at an offset of a text, broken or whole; required keys come first. Entries of
 * a registry are offered where one is known.
 */
export function completionsAt(
  document: OpenDocument,
  offset: number,
  registry: AttachedRegistry | null = null,
): Completion[] {
  const best = draftsNear(document, offset, registry);
  if (best === undefined) return [];
  const { place, drafts } = best;
  const { source } = document;
  const range = { start: source.positionOf(place.start), end: source.positionOf(place.end) };
  const first = drafts.filter(({ required }) => required);
  return [...first, ...drafts.filter(({ required }) => !required)].map((one) => ({
    ...one,
    range,
  }));
}
