import { isObject, type Json, type JsonObject } from '../../kernel/json.ts';
import type { Path } from '../../spec/values/path.ts';

/** A step of any workflow of a document, with what its lines say. */
export interface StepPlace {
  readonly path: Path;
  readonly key: string;
  readonly kind: string;
  readonly ref: string;
  /** The workflow that it is a step of. */
  readonly workflow: Path;
  readonly workflowType: string;
}

/** What the draft holds for one element of the source. */
export interface DraftElement {
  readonly steps: readonly StepPlace[];
  /** Names under `tools`. */
  readonly tools: readonly string[];
  /** Components of that name that no step of that name runs. */
  readonly components: readonly Path[];
}

/** The value at a place; undefined when there is none. */
export function valueAt(document: JsonObject, path: Path): Json | undefined {
  let value: Json | undefined = document;
  for (const segment of path) {
    if (Array.isArray(value)) {
      value = typeof segment === 'number' ? value[segment] : undefined;
    } else if (isObject(value) && Object.hasOwn(value, segment)) {
      value = value[String(segment)];
    } else {
      return undefined;
    }
  }
  return value;
}

/** The mapping at a place; undefined when there is something else, or nothing. */
export function mapAt(document: JsonObject, path: Path): JsonObject | undefined {
  const value = valueAt(document, path);
  return isObject(value) && !Array.isArray(value) ? value : undefined;
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

function stepOf(
  step: Json | undefined,
  place: Omit<StepPlace, 'kind' | 'ref' | 'key'>,
  key?: string,
): StepPlace[] {
  if (typeof step === 'string') {
    return [{ ...place, key: step, kind: 'agent', ref: step }];
  }
  if (!isObject(step) || Array.isArray(step)) {
    return [];
  }
  const id = key ?? textOf(step['id']);
  return [{ ...place, key: id, kind: textOf(step['kind']), ref: textOf(step['ref']) }];
}

function stepsOfWorkflow(document: JsonObject, workflow: Path): StepPlace[] {
  const value = mapAt(document, workflow);
  const workflowType = textOf(value?.['type']);
  const nodes = mapAt(document, [...workflow, 'nodes']);
  const listName = workflowType === 'sequential' ? 'steps' : 'participants';
  const list = value?.[listName];
  return [
    ...Object.entries(nodes ?? {}).flatMap(([key, step]) =>
      stepOf(step, { path: [...workflow, 'nodes', key], workflow, workflowType }, key),
    ),
    ...(Array.isArray(list) ? list : []).flatMap((step, index) =>
      stepOf(step, { path: [...workflow, listName, index], workflow, workflowType }),
    ),
  ];
}

/** The steps of the root workflow, then those of each component workflow. */
export function stepsOf(document: JsonObject): readonly StepPlace[] {
  const components = mapAt(document, ['components', 'workflows']);
  return [
    ...stepsOfWorkflow(document, ['workflow']),
    ...Object.keys(components ?? {}).flatMap((name) =>
      stepsOfWorkflow(document, ['components', 'workflows', name]),
    ),
  ];
}

const SECTIONS = ['functions', 'agents', 'humans', 'workflows'];

/** What the draft holds under a name: steps of that id, else components, and tools of that name. */
export function elementNamed(
  document: JsonObject,
  name: string,
  steps: readonly StepPlace[] = stepsOf(document),
): DraftElement {
  if (name === '') {
    return { steps: [], tools: [], components: [] };
  }
  const tools = mapAt(document, ['tools']);
  const own = steps.filter(({ key }) => key === name);
  const parts = SECTIONS.map((section) => ['components', section, name]);
  return {
    steps: own,
    tools: tools !== undefined && Object.hasOwn(tools, name) ? [name] : [],
    components: own.length > 0 ? [] : parts.filter((path) => mapAt(document, path) !== undefined),
  };
}
