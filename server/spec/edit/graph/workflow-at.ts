import { isJsonObject, type Json, type JsonObject } from '../../../kernel/json.ts';
import { named, stepsOf } from '../../schema/elements.ts';
import type { Spec, Step, Workflow } from '../../schema/spec-types.ts';
import type { Path, PathSegment } from '../../values/path.ts';
import { childOf } from '../edit-value.ts';
import type { LineAddress, StepAddress } from './operation.ts';

/** A workflow with its place, and its steps by their keys and segments. */
export interface WorkflowAt {
  readonly name: string | null;
  readonly path: Path;
  readonly workflow: Workflow;
  /** The path of the list or mapping that holds the steps. */
  readonly holder: Path;
  readonly steps: readonly StepAt[];
  /** The settings of its steps that hand items on, as an imported workflow's do. */
  readonly flow: JsonObject | null;
}

/** A step with the segment of its place in its workflow. */
export interface StepAt {
  readonly segment: PathSegment;
  readonly key: string;
  readonly step: Step;
}

/** The path of a workflow in the document. */
export function pathOfWorkflow(name: string | null): Path {
  return name === null ? ['workflow'] : ['components', 'workflows', name];
}

function fieldOf({ type }: Workflow): 'nodes' | 'steps' | 'participants' {
  if (type === 'graph') return 'nodes';
  return type === 'sequential' ? 'steps' : 'participants';
}

/** The turns that the selector of a handoff lists, whether it follows them or not. */
export function turnsOf(workflow: Workflow): readonly string[] {
  return workflow.type === 'handoff' ? workflow.selector.sequence : [];
}

/** The turns in which the participants of a handoff speak; empty when that is their own order. */
export function spokenTurns(workflow: Workflow): readonly string[] {
  return workflow.type === 'handoff' && workflow.selector.type === 'sequence'
    ? workflow.selector.sequence
    : [];
}

/** The workflow of a name; undefined when the spec has none. */
export function workflowAt(spec: Spec, name: string | null): WorkflowAt | undefined {
  const workflow = name === null ? spec.workflow : named(spec.components.workflows, name);
  if (workflow === null || workflow === undefined) return undefined;
  const path = pathOfWorkflow(name);
  const steps = stepsOf(workflow, '').map(({ key, step }, index) => ({
    segment: workflow.type === 'graph' ? key : index,
    key,
    step,
  }));
  const settings = name === null ? (spec.metadata?.['flow'] ?? null) : null;
  const flow = isJsonObject(settings) ? settings : null;
  return { name, path, workflow, holder: [...path, fieldOf(workflow)], steps, flow };
}

/** The step at an address; undefined when its workflow has none there. */
export function stepIn(at: WorkflowAt, segment: PathSegment): StepAt | undefined {
  return at.steps.find((one) => one.segment === segment);
}

/** The workflow and the step of an address. */
export function stepAt(
  spec: Spec,
  { workflow, step }: StepAddress,
): { readonly at: WorkflowAt; readonly found: StepAt } | undefined {
  const at = workflowAt(spec, workflow);
  const found = at && stepIn(at, step);
  return at === undefined || found === undefined ? undefined : { at, found };
}

/** The value at a place of a document; null where it has none. */
export function writtenAt(document: JsonObject, path: Path): Json {
  return path.reduce<Json>((value, segment) => childOf(value, segment) ?? null, document);
}

/** Where every step of a spec is addressed, by its written path. */
export function stepAddresses(spec: Spec): ReadonlyMap<string, StepAddress> {
  const names = [null, ...Object.keys(spec.components.workflows)];
  const found = new Map<string, StepAddress>();
  for (const name of names) {
    const at = workflowAt(spec, name);
    if (at === undefined) continue;
    const written = name === null ? 'workflow' : `components.workflows.${name}`;
    stepsOf(at.workflow, written).forEach(({ path }, index) => {
      const step = at.steps[index]?.segment;
      if (step !== undefined) found.set(path, { workflow: name, step });
    });
  }
  return found;
}

/** Where every line that the text holds is addressed, by its written path. */
export function lineAddresses(spec: Spec): ReadonlyMap<string, LineAddress> {
  const found = new Map<string, LineAddress>();
  for (const [path, { workflow, step }] of stepAddresses(spec)) {
    found.set(`${path}.fallback_ref`, { workflow, fallback: step });
  }
  for (const name of [null, ...Object.keys(spec.components.workflows)]) {
    const workflow = workflowAt(spec, name)?.workflow;
    if (workflow?.type !== 'graph') continue;
    const written = name === null ? 'workflow' : `components.workflows.${name}`;
    workflow.edges.forEach((_, edge) => {
      found.set(`${written}.edges[${edge}]`, { workflow: name, edge });
    });
  }
  return found;
}
