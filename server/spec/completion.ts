import { emitInline } from './emit-yaml.ts';
import { namesIn, namesInScope, referredKind, workflowPathOf } from './name-index.ts';
import type { SpecFormat } from './parse-yaml.ts';
import { formatPath, type Path } from './path.ts';
import type { BlockName, FieldHelp } from './schema/field-help.ts';
import { BLOCKS } from './schema/help.ts';
import { schemaAt } from './schema/locate.ts';
import { createSourceMap, resolved, type SourceNode, type SourceRange } from './source-map.ts';
import { parseYamlTree } from './yaml-nodes.ts';

/** What may be written at a place. `range` is the text that `insert` replaces. */
export interface Completion {
  readonly label: string;
  readonly kind: 'key' | 'value' | 'name';
  readonly detail: string;
  readonly documentation: string;
  readonly insert: string;
  readonly range: SourceRange;
  readonly required: boolean;
}

const CURSOR = 'zzCursorzz';
const WORD_BEFORE = /[\w./-]*$/;
const WORD_AFTER = /^[\w./-]*/;
const BLOCK_KEY = /^[ \t]*(?:- +)*[\w./-]*$/;

interface Place {
  readonly start: number;
  readonly end: number;
  readonly quoted: boolean;
  readonly root: SourceNode | undefined;
  readonly path: Path;
  readonly atKey: boolean;
  /** Keys that the mapping has already. */
  readonly present: ReadonlySet<string>;
}

function findCursor(
  node: SourceNode,
  path: Path,
): Omit<Place, 'start' | 'end' | 'quoted' | 'root'> | undefined {
  if (node.kind === 'scalar') {
    return node.value === CURSOR ? { path, atKey: false, present: new Set() } : undefined;
  }
  if (node.kind === 'alias') return undefined;
  if (node.kind === 'list') {
    for (const [index, item] of node.items.entries()) {
      const found = findCursor(item, [...path, index]);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  for (const entry of node.entries) {
    if (entry.key === CURSOR) {
      const present = node.entries.map(({ key }) => key).filter((key) => key !== CURSOR);
      return { path, atKey: true, present: new Set(present) };
    }
    const found = findCursor(entry.value, [...path, entry.key]);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The readings of the place at an offset, the likeliest first. */
function placesAt(text: string, offset: number): Place[] {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  const lineEnd = text.indexOf('\n', offset);
  const before = text.slice(lineStart, offset);
  const after = text.slice(offset, lineEnd < 0 ? text.length : lineEnd);
  if (/(?:^|\s)#/.test(before)) return [];
  const start = offset - (WORD_BEFORE.exec(before)?.[0].length ?? 0);
  const end = offset + (WORD_AFTER.exec(after)?.[0].length ?? 0);
  const quoted = text[start - 1] === '"' || text[start - 1] === "'";
  const rest = text.slice(end, lineEnd < 0 ? text.length : lineEnd);
  const tries = [CURSOR];
  if (BLOCK_KEY.test(before) && !/^\s*:/.test(rest)) tries.unshift(`${CURSOR}: `);
  return tries.flatMap((filler) => {
    const { root } = parseYamlTree(text.slice(0, start) + filler + text.slice(end));
    const found = root && findCursor(root, []);
    return found === undefined ? [] : { start, end, quoted, root, ...found };
  });
}

function describeType(field: FieldHelp): string {
  const base = field.holds === 'map' ? 'map of ' : field.holds === 'list' ? 'list of ' : '';
  return `${base}${field.type}${field.required ? ', required' : ''}`;
}

function keyInsert(key: string, field: FieldHelp, json: boolean): string {
  if (json) return `"${key}": `;
  const nested =
    field.holds !== undefined || (field.block !== undefined && field.values === undefined);
  return nested ? `${key}:` : `${key}: `;
}

type Draft = Omit<Completion, 'range'>;

function keyCompletions(block: BlockName, place: Place, json: boolean): Draft[] {
  return Object.entries(BLOCKS[block].fields)
    .filter(([key]) => !place.present.has(key))
    .map(([key, field]) => ({
      label: key,
      kind: 'key' as const,
      detail: describeType(field),
      documentation: field.help,
      insert: place.quoted ? key : keyInsert(key, field, json),
      required: field.required === true,
    }));
}

function literal(value: string, place: Place, json: boolean): string {
  if (place.quoted) return value;
  return json ? JSON.stringify(value) : emitInline(value);
}

function valueCompletions(field: FieldHelp, place: Place, json: boolean): Draft[] {
  const values = field.type === 'boolean' ? ['true', 'false'] : (field.values ?? []);
  return values.map((value) => ({
    label: value,
    kind: 'value',
    detail: value === field.standard ? 'default' : '',
    documentation: field.help,
    insert: field.type === 'boolean' ? value : literal(value, place, json),
    required: false,
  }));
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

function nameCompletions(field: FieldHelp, place: Place, json: boolean): Draft[] {
  if (field.refers === undefined) return [];
  const names = namesIn(place.root);
  const kind = referredKind(field.refers, holderOf(place.root, place.path));
  const workflow = workflowPathOf(place.path);
  const scope = workflow === undefined ? null : formatPath(workflow);
  const kinds = kind === undefined && field.refers === 'step' ? STEP_TARGETS : kind ? [kind] : [];
  return kinds.flatMap((one) =>
    namesInScope(names, one, one === 'step' ? scope : null)
      .filter(({ name }) => name !== CURSOR)
      .map(({ name }) => ({
        label: name,
        kind: 'name' as const,
        detail: one.replace('_', ' '),
        documentation: field.help,
        insert: literal(name, place, json),
        required: false,
      })),
  );
}

const STEP_TARGETS = ['agent', 'function', 'human', 'workflow'] as const;

function draftsAt(place: Place, json: boolean): Draft[] {
  const spot = schemaAt(place.root, place.path);
  if (place.atKey) return spot.block === null ? [] : keyCompletions(spot.block, place, json);
  const { field } = spot;
  if (field === null) return [];
  const asItem = field.holds === undefined || spot.inside || typeof place.path.at(-1) === 'number';
  if (spot.inside && spot.block !== null) {
    const shorthand = spot.block === 'step' ? nameCompletions(AGENT_SHORTHAND, place, json) : [];
    return [...keyCompletions(spot.block, place, json), ...shorthand];
  }
  if (!asItem) return [];
  return [...valueCompletions(field, place, json), ...nameCompletions(field, place, json)];
}

const AGENT_SHORTHAND: FieldHelp = {
  type: 'text',
  help: 'An agent step, named after its agent.',
  refers: 'agents',
};

/** What may be written at an offset of a text, broken or whole; required keys come first. */
export function completionsAt(
  text: string,
  offset: number,
  format: SpecFormat = 'yaml',
): Completion[] {
  const json = format === 'json';
  const readings = placesAt(text, offset).map((place) => ({
    place,
    drafts: draftsAt(place, json),
  }));
  const best = readings.find(({ drafts }) => drafts.length > 0);
  if (best === undefined) return [];
  const { place, drafts } = best;
  const source = createSourceMap(text, undefined);
  const range = { start: source.positionOf(place.start), end: source.positionOf(place.end) };
  const first = drafts.filter(({ required }) => required);
  return [...first, ...drafts.filter(({ required }) => !required)].map((one) => ({
    ...one,
    range,
  }));
}
