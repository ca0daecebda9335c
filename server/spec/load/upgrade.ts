import { isObject, type Json, type JsonObject, setOwn } from '../../kernel/json.ts';
import { copyJson } from '../values/copy-json.ts';
import { carryMarks } from '../values/non-text.ts';

/** The outcome of a migration to v1 (spec-v1 2). `applied` has a line for every change. */
export interface Upgrade {
  readonly source_version: string | null;
  readonly target_version: 'v1';
  readonly changed: boolean;
  readonly applied: string[];
  readonly spec: JsonObject;
}

const MOVED: readonly (readonly [from: string, to: string])[] = [
  ['component_agents', 'agents'],
  ['component_workflows', 'workflows'],
  ['functions', 'functions'],
  ['humans', 'humans'],
];

function own(document: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(document, key) ? document[key] : undefined;
}

function rename(spec: JsonObject, from: string, to: string, applied: string[]): void {
  const value = own(spec, from);
  if (value === undefined || own(spec, to) !== undefined) return;
  spec[to] = value;
  delete spec[from];
  applied.push(`Renamed ${from} to ${to}.`);
}

function isEmpty(value: Json): boolean {
  if (value === null) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** The mapping under a key, a new one when there is none; undefined when something else is there. */
function mappingAt(holder: JsonObject, key: string): JsonObject | undefined {
  const value = own(holder, key) ?? {};
  return isObject(value) ? value : undefined;
}

/** Merges moved entries into `components.<to>`; false when a wrong shape is in the way. */
function moveInto(spec: JsonObject, moved: Json, to: string): boolean {
  const components = mappingAt(spec, 'components');
  const target = components && mappingAt(components, to);
  if (components === undefined || target === undefined || !isObject(moved)) return false;
  for (const [key, value] of Object.entries(moved)) {
    setOwn(target, key, value);
    carryMarks(moved, target, key);
  }
  components[to] = target;
  spec['components'] = components;
  return true;
}

function moveComponents(spec: JsonObject, applied: string[]): void {
  for (const [from, to] of MOVED) {
    const moved = own(spec, from);
    if (moved === undefined) continue;
    if (isEmpty(moved)) applied.push(`Dropped the empty ${from}.`);
    else if (moveInto(spec, moved, to)) applied.push(`Moved ${from} to components.${to}.`);
    else continue;
    delete spec[from];
  }
}

function typeWorkflow(holder: JsonObject, key: string, path: string, applied: string[]): void {
  const workflow = own(holder, key);
  if (Array.isArray(workflow)) {
    setOwn(holder, key, { type: 'sequential', steps: workflow });
    applied.push(`Wrapped the list ${path} as a sequential workflow.`);
  } else if (isObject(workflow) && 'steps' in workflow && own(workflow, 'type') === undefined) {
    const typed: JsonObject = { type: 'sequential' };
    for (const [name, value] of Object.entries(workflow)) setOwn(typed, name, value);
    setOwn(holder, key, typed);
    applied.push(`Set the type of ${path} to sequential.`);
  }
}

/** True when the version of a document can be read (spec-v1 2). */
export function isKnownVersion(version: unknown): boolean {
  return version === undefined || version === null || version === 'v0' || version === 'v1';
}

/**
 * Brings a document to v1 (spec-v1 2) on a copy; a v1 document passes unchanged. The version must
 * be a known one.
 */
export function upgradeDocument(document: JsonObject): Upgrade {
  const version = own(document, 'version');
  const source_version = typeof version === 'string' ? version : null;
  if (version === 'v1') {
    return { source_version, target_version: 'v1', changed: false, applied: [], spec: document };
  }
  const spec: JsonObject = { version: 'v1' };
  for (const key of Object.keys(document)) {
    if (key === 'version') continue;
    setOwn(spec, key, copyJson(document[key] ?? null));
    carryMarks(document, spec, key);
  }
  const applied = [`Set version to v1 (was ${source_version ?? 'absent'}).`];
  rename(spec, 'root_agent', 'agent', applied);
  rename(spec, 'root_workflow', 'workflow', applied);
  moveComponents(spec, applied);
  typeWorkflow(spec, 'workflow', 'workflow', applied);
  const components = own(spec, 'components');
  const workflows = isObject(components) ? own(components, 'workflows') : undefined;
  if (isObject(workflows)) {
    for (const name of Object.keys(workflows)) {
      typeWorkflow(workflows, name, `components.workflows.${name}`, applied);
    }
  }
  return { source_version, target_version: 'v1', changed: true, applied, spec };
}

const BEFORE: readonly (readonly [after: string, before: string])[] = [
  ['agent', 'root_agent'],
  ['workflow', 'root_workflow'],
  ...MOVED.map(([from, to]) => [`components.${to}`, from] as const),
];
const LISTED =
  /^((?:workflow|root_workflow|components\.workflows\.[^.]+|component_workflows\.[^.]+))\.steps(?=\[|$)/;

/** Other places that a place of the migrated document may have had where it is written. */
export function placesBefore(path: string): string[] {
  const moved = BEFORE.flatMap(([after, before]) =>
    path === after || path.startsWith(`${after}.`) ? [before + path.slice(after.length)] : [],
  );
  const places = [path, ...moved];
  const listed = places.flatMap((place) =>
    LISTED.test(place) ? [place.replace(LISTED, '$1')] : [],
  );
  return [...moved, ...listed];
}
