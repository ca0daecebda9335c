import { isJsonObject, type Json, type JsonObject } from '../../kernel/json.ts';
import type { Path } from '../values/path.ts';
import { keyed, renames } from './pair-up.ts';

/** The fields of a workflow that hold its steps, by its type. */
export const STEP_FIELDS: readonly string[] = ['steps', 'nodes', 'participants'];

/** A step or an edge, and where it stands in its workflow. */
export interface WorkflowPart {
  readonly value: Json;
  readonly path: Path;
}

/** The members of a mapping; none of anything else. */
export function membersOf(value: Json | undefined): JsonObject {
  return value !== undefined && isJsonObject(value) ? value : {};
}

function itemsOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

/** Steps by id, nodes by key, in the order of the workflow. */
export function stepsOf(workflow: JsonObject): ReadonlyMap<string, WorkflowPart> {
  const steps: WorkflowPart[] = [];
  const names = new Map<WorkflowPart, string>();
  for (const field of STEP_FIELDS) {
    const held = workflow[field];
    if (Array.isArray(held)) {
      held.forEach((value, index) => {
        const step = { value, path: [field, index] };
        names.set(step, String(membersOf(value)['id']));
        steps.push(step);
      });
    } else {
      for (const [key, value] of Object.entries(membersOf(held))) {
        const step = { value, path: [field, key] };
        names.set(step, key);
        steps.push(step);
      }
    }
  }
  return keyed(steps, (step) => names.get(step) ?? '');
}

/** Edges by the nodes that they join. */
export function edgesOf(workflow: JsonObject): ReadonlyMap<string, WorkflowPart> {
  const edges = itemsOf(workflow['edges']).map((value, index) => ({
    value,
    path: ['edges', index],
  }));
  return keyed(edges, ({ value }) => {
    const { from, to } = membersOf(value);
    return `${String(from)} → ${String(to)}`;
  });
}

/** Where an edge begins. */
export function beginOf(edge: Json): string {
  const { from, from_ } = membersOf(edge);
  return String(from ?? from_);
}

/** Old id → new id of steps that only have another id. */
export function renamedSteps(before: JsonObject, after: JsonObject): ReadonlyMap<string, string> {
  const plain = (workflow: JsonObject) =>
    Object.fromEntries([...stepsOf(workflow)].map(([key, { value }]) => [key, value]));
  return renames(plain(before), plain(after), ['id']);
}

/** A workflow with renamed steps under their new ids, wherever it names them. */
export function followSteps(
  workflow: JsonObject,
  renamed: ReadonlyMap<string, string>,
): JsonObject {
  if (renamed.size === 0) return workflow;
  const name = (id: Json | undefined): Json =>
    typeof id === 'string' ? (renamed.get(id) ?? id) : (id ?? null);
  const step = (value: Json): Json => {
    const { id, fallback_ref, ...rest } = membersOf(value);
    return { ...rest, id: name(id), fallback_ref: name(fallback_ref) };
  };
  const made: JsonObject = { ...workflow };
  for (const field of STEP_FIELDS) {
    const held = made[field];
    if (Array.isArray(held)) made[field] = held.map(step);
    else if (held !== undefined) {
      const nodes = Object.entries(membersOf(held)).map(([key, value]) => [
        renamed.get(key) ?? key,
        step(value),
      ]);
      made[field] = Object.fromEntries(nodes);
    }
  }
  if (made['start'] !== undefined) made['start'] = name(made['start']);
  if (Array.isArray(made['edges'])) {
    made['edges'] = made['edges'].map((edge) => {
      const { from, to, ...rest } = membersOf(edge);
      return { ...rest, from: name(from), to: name(to) };
    });
  }
  const selector = membersOf(made['selector']);
  if (Array.isArray(selector['sequence'])) {
    made['selector'] = { ...selector, sequence: selector['sequence'].map(name) };
  }
  return made;
}
