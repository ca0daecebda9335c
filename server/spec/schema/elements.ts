import type { Agent, Spec, Step, Workflow } from './spec-types.ts';

/** An agent or workflow with its place in the document. */
export interface Placed<T> {
  readonly path: string;
  /** The component name; null for the root one. */
  readonly name: string | null;
  readonly item: T;
}

/** A step with its place; `key` is the node key in a graph, else the step id. */
export interface PlacedStep {
  readonly path: string;
  readonly key: string;
  readonly step: Step;
}

/** The root agent, then the component agents in document order. */
export function agentsOf(spec: Spec): Placed<Agent>[] {
  const placed: Placed<Agent>[] = [{ path: 'agent', name: null, item: spec.agent }];
  for (const [name, item] of Object.entries(spec.components.agents)) {
    placed.push({ path: `components.agents.${name}`, name, item });
  }
  return placed;
}

/** The root workflow if there is one, then the component workflows in document order. */
export function workflowsOf(spec: Spec): Placed<Workflow>[] {
  const placed: Placed<Workflow>[] = [];
  if (spec.workflow !== null) placed.push({ path: 'workflow', name: null, item: spec.workflow });
  for (const [name, item] of Object.entries(spec.components.workflows)) {
    placed.push({ path: `components.workflows.${name}`, name, item });
  }
  return placed;
}

/** The steps, nodes or participants of a workflow, disabled ones included. */
export function stepsOf(workflow: Workflow, path: string): PlacedStep[] {
  if (workflow.type === 'graph') {
    return Object.entries(workflow.nodes).map(([key, step]) => ({
      path: `${path}.nodes.${key}`,
      key,
      step,
    }));
  }
  const [list, field] =
    workflow.type === 'sequential'
      ? ([workflow.steps, 'steps'] as const)
      : ([workflow.participants, 'participants'] as const);
  return list.map((step, index) => ({ path: `${path}.${field}[${index}]`, key: step.id, step }));
}

/** The steps of a workflow, without their places. */
export function plainSteps(workflow: Workflow): Step[] {
  switch (workflow.type) {
    case 'sequential':
      return workflow.steps;
    case 'graph':
      return Object.values(workflow.nodes);
    default:
      return workflow.participants;
  }
}

/** The own value of a name, never an inherited one. */
export function named<T>(map: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(map, name) ? map[name] : undefined;
}
