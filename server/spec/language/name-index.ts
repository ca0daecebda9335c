import type { Reference } from '../schema/field-help.ts';
import type { Path } from '../values/path.ts';
import { formatPath } from '../values/path.ts';
import { entryOf, resolved, type SourceMapping, type SourceNode } from '../yaml/source-map.ts';
import { ROOT_SPOT, type SchemaSpot, stepTo, textAt } from './locate.ts';

/** Maps whose names are referred to. */
export type NameKind =
  | 'agent'
  | 'workflow'
  | 'function'
  | 'human'
  | 'tool'
  | 'skill'
  | 'mcp_server'
  | 'step';

/** A name in the text of a document: its declaration or a use of it. */
export interface NameSpot {
  readonly kind: NameKind;
  readonly name: string;
  /** The workflow path that a step id belongs to; null for other names. */
  readonly scope: string | null;
  readonly start: number;
  readonly end: number;
  readonly path: Path;
  readonly declares: boolean;
  /** It stands inside of `{…}` or `[…]`. */
  readonly flow: boolean;
}

const DECLARING: readonly (readonly [path: Path, kind: NameKind])[] = [
  [['components', 'agents'], 'agent'],
  [['components', 'workflows'], 'workflow'],
  [['components', 'functions'], 'function'],
  [['components', 'humans'], 'human'],
  [['tools'], 'tool'],
  [['mcp_servers'], 'mcp_server'],
  [['skills'], 'skill'],
];

const MAP_KINDS: Readonly<Partial<Record<Reference, NameKind>>> = {
  agents: 'agent',
  workflows: 'workflow',
  functions: 'function',
  tools: 'tool',
  skills: 'skill',
  mcp_servers: 'mcp_server',
};

const STEP_KINDS: ReadonlyMap<string, NameKind> = new Map([
  ['agent', 'agent'],
  ['guardrail', 'agent'],
  ['function', 'function'],
  ['human', 'human'],
  ['workflow', 'workflow'],
]);

/** The path of the workflow that a place stands in. */
function workflowPathOf(path: Path): Path | undefined {
  if (path[0] === 'workflow') return path.slice(0, 1);
  return path[0] === 'components' && path[1] === 'workflows' && path.length > 2
    ? path.slice(0, 3)
    : undefined;
}

const STEP_TARGETS: readonly NameKind[] = ['agent', 'function', 'human', 'workflow'];
const PART_TARGETS: readonly NameKind[] = ['function', 'agent'];

/**
 * The kinds of name that a reference field may hold, the first one meant unless only another
 * declares the name; `holder` is the mapping that has the field.
 */
function referredKinds(refers: Reference, holder: SourceNode | undefined): readonly NameKind[] {
  if (refers === 'step_id') return ['step'];
  if (refers === 'step') {
    const written = textAt(holder, 'kind');
    if (written === undefined) return STEP_TARGETS;
    const kind = STEP_KINDS.get(written);
    return kind === undefined ? [] : [kind];
  }
  if (refers === 'functions_or_agents') {
    return textAt(holder, 'type') === 'agent' ? ['agent'] : PART_TARGETS;
  }
  const kind = MAP_KINDS[refers];
  return kind === undefined ? [] : [kind];
}

/** What an overlay lies over, as far as it says what the overlay leaves open. */
export interface Layers {
  /** What stands at a path of mappings. */
  readonly beneath: (path: Path) => SourceNode | undefined;
  /** The names that are declared there, as `nameKey` writes them. */
  readonly declared: ReadonlySet<string>;
}

interface Walk {
  readonly layers: Layers | undefined;
  readonly found: NameSpot[];
  /** How many collections in braces or brackets are open. */
  flow: number;
  /** Uses whose kind depends on what is declared, by their place in `found`. */
  readonly open: Map<number, readonly NameKind[]>;
}

/** A name of a kind as one text. */
export function nameKey({ kind, name }: Pick<NameSpot, 'kind' | 'name'>): string {
  return `${kind} ${name}`;
}

const TELLING: ReadonlySet<string> = new Set(['type', 'kind']);

/** A mapping with what tells its kind, taken from the layers beneath where it does not say so itself. */
function told(walk: Walk, node: SourceNode, path: Path): SourceNode {
  const own = resolved(node);
  if (walk.layers === undefined || own.kind !== 'map') return node;
  if (path.some((segment) => typeof segment === 'number')) return node;
  const below = walk.layers.beneath(path);
  const under = below && resolved(below);
  if (under?.kind !== 'map') return node;
  const more = under.entries.filter(
    ({ key }) => TELLING.has(key) && entryOf(own, key) === undefined,
  );
  return more.length === 0 ? node : { ...own, entries: [...own.entries, ...more] };
}

function isDeclaring(path: Path): NameKind | undefined {
  return DECLARING.find(
    ([at]) => at.length === path.length && at.every((segment, i) => segment === path[i]),
  )?.[1];
}

function addName(
  walk: Walk,
  kind: NameKind,
  name: string,
  at: { start: number; end: number },
  path: Path,
  declares: boolean,
): void {
  const workflow = kind === 'step' ? workflowPathOf(path) : undefined;
  const scope = workflow === undefined ? null : formatPath(workflow);
  const flow = walk.flow > 0;
  walk.found.push({ kind, name, scope, start: at.start, end: at.end, path, declares, flow });
}

function visitScalar(
  walk: Walk,
  node: SourceNode,
  holder: SourceNode | undefined,
  path: Path,
  spot: SchemaSpot,
): void {
  const target = resolved(node);
  if (target.kind !== 'scalar' || typeof target.value !== 'string' || node.kind === 'alias') return;
  const at = { start: target.start, end: target.end };
  const inNodes = path.at(-3) === 'nodes';
  if (spot.owner === 'step' && spot.key === 'id') {
    addName(walk, 'step', target.value, at, path, !inNodes);
  } else if (spot.block === 'step' && typeof path.at(-1) === 'number') {
    addName(walk, 'step', target.value, at, path, true);
    addName(walk, 'agent', target.value, at, path, false);
  } else if (spot.field?.refers !== undefined) {
    const kinds = referredKinds(spot.field.refers, holder);
    const [kind] = kinds;
    if (kind === undefined) return;
    if (kinds.length > 1) walk.open.set(walk.found.length, kinds);
    addName(walk, kind, target.value, at, path, false);
  }
}

function visitMap(walk: Walk, map: SourceMapping, path: Path, spot: SchemaSpot): void {
  const declared = isDeclaring(path);
  const holder = told(walk, map, path);
  const nodes = spot.key === 'nodes' && spot.owner === 'graph' && !spot.inside;
  for (const entry of map.entries) {
    const at = { start: entry.keyStart, end: entry.keyEnd };
    const inside = [...path, entry.key];
    if (declared !== undefined) addName(walk, declared, entry.key, at, inside, true);
    if (nodes) addName(walk, 'step', entry.key, at, inside, true);
    const child = told(walk, entry.value, inside);
    visit(walk, entry.value, holder, inside, stepTo(spot, entry.key, child));
  }
}

function visit(
  walk: Walk,
  node: SourceNode,
  holder: SourceNode | undefined,
  path: Path,
  spot: SchemaSpot,
): void {
  if (node.kind === 'alias') return;
  const depth = walk.flow;
  if (node.kind !== 'scalar' && node.flow) walk.flow += 1;
  if (node.kind === 'map') visitMap(walk, node, path, spot);
  else if (node.kind === 'list') {
    node.items.forEach((item, index) => {
      visit(walk, item, holder, [...path, index], stepTo(spot, index, item));
    });
  } else visitScalar(walk, node, holder, path, spot);
  walk.flow = depth;
}

/**
 * Every name that a text declares or uses, in the order of the text; works on broken documents. An
 * overlay is read with the layers that it lies over.
 */
export function namesIn(root: SourceNode | undefined, layers?: Layers): NameSpot[] {
  if (root === undefined) return [];
  const walk: Walk = { layers, found: [], flow: 0, open: new Map() };
  visit(walk, root, undefined, [], ROOT_SPOT);
  if (walk.open.size === 0) return walk.found;
  const declared = new Set([
    ...walk.found.filter((one) => one.declares).map(nameKey),
    ...(layers?.declared ?? []),
  ]);
  return walk.found.map((one, index) => {
    const kinds = walk.open.get(index);
    const kind = kinds?.find((each) => declared.has(nameKey({ kind: each, name: one.name })));
    return kind === undefined ? one : { ...one, kind };
  });
}

/** The names that a place may refer to. */
function namesInScope(
  names: readonly NameSpot[],
  kind: NameKind,
  scope: string | null,
): NameSpot[] {
  const seen = new Set<string>();
  return names.filter((one) => {
    if (!one.declares || one.kind !== kind || (kind === 'step' && one.scope !== scope))
      return false;
    if (seen.has(one.name)) return false;
    seen.add(one.name);
    return true;
  });
}

/** The names that the reference at a place may hold, in its own workflow where steps are meant; `holder` is the mapping that has it. */
export function namesReferred(
  names: readonly NameSpot[],
  refers: Reference,
  holder: SourceNode | undefined,
  path: Path,
): NameSpot[] {
  const workflow = workflowPathOf(path);
  const scope = workflow === undefined ? null : formatPath(workflow);
  return referredKinds(refers, holder).flatMap((kind) =>
    namesInScope(names, kind, kind === 'step' ? scope : null),
  );
}

/** The name that stands at an offset; a use in preference to a declaration at the same place. */
export function nameAt(names: readonly NameSpot[], offset: number): NameSpot | undefined {
  const here = names.filter((one) => one.start <= offset && offset <= one.end);
  return here.find((one) => !one.declares) ?? here[0];
}

/** The entry of a declared name in the text. */
export function declarationOf(names: readonly NameSpot[], use: NameSpot): NameSpot | undefined {
  return names.find(
    (one) =>
      one.declares && one.kind === use.kind && one.name === use.name && one.scope === use.scope,
  );
}
