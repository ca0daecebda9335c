import { agentsOf, named, type PlacedStep, stepsOf } from '../schema/elements.ts';
import type {
  Condition,
  Edge,
  GraphWorkflow,
  Spec,
  Step,
  StepKind,
  Workflow,
} from '../schema/spec-types.ts';
import { workflowName } from '../schema/workflow-name.ts';

/** A node of the drawing of a workflow of any kind. `path` is its place in the document. */
export interface TopologyNode {
  /** Unique in the drawing: the place of the node, under the groups it stands in. */
  readonly id: string;
  readonly kind: StepKind | 'start' | 'end';
  readonly label: string;
  /** The component that the step runs; empty for start and end marks. */
  readonly ref: string;
  readonly path: string;
  readonly enabled: boolean;
  readonly start: boolean;
  readonly on_error: Step['on_error'];
  readonly max_retries: number;
  readonly timeout_seconds: number | null;
  /** The group that the node stands in; null at the top. */
  readonly group: string | null;
}

/** A line of the drawing; its ends are ids of nodes. */
export interface TopologyEdge {
  readonly id: string;
  readonly kind: 'flow' | 'fallback' | 'fan_out' | 'fan_in' | 'turn' | 'round';
  readonly source: string;
  readonly target: string;
  readonly label: string | null;
  readonly conditional: boolean;
  /** The condition in words; null without one. */
  readonly condition: string | null;
  readonly path: string | null;
}

/** A workflow drawn inside a node that runs it. `node` is that node's id. */
export interface TopologyGroup {
  readonly id: string;
  readonly label: string;
  readonly workflow_type: Workflow['type'];
  readonly path: string;
  readonly node: string;
}

/** A spec as it is drawn, nested workflows in groups. */
export interface Topology {
  readonly workflow_name: string | null;
  readonly workflow_type: Workflow['type'] | null;
  readonly nodes: TopologyNode[];
  readonly edges: TopologyEdge[];
  readonly groups: TopologyGroup[];
}

const MAX_NESTING = 4;
const MAX_NODES = 3000;

interface Drawing {
  readonly spec: Spec;
  readonly nodes: TopologyNode[];
  readonly edges: TopologyEdge[];
  readonly groups: TopologyGroup[];
}

interface Frame {
  readonly prefix: string;
  readonly group: string | null;
  /** Component workflows that are being drawn around this one. */
  readonly around: readonly string[];
}

/** A condition in words, for labels and tooltips. */
export function conditionText(condition: Condition): string {
  const value = JSON.stringify(condition.value ?? null);
  switch (condition.type) {
    case 'always':
    case 'never':
      return condition.type;
    case 'output_contains':
      return `output contains ${value}`;
    case 'output_equals':
      return `output = ${value}`;
    case 'status_is':
      return `status is ${value}`;
    case 'metadata_equals':
    case 'variable_equals':
      return `${condition.type === 'metadata_equals' ? 'metadata' : 'variable'} ${condition.key ?? ''} = ${value}`;
    case 'all_of':
      return (condition.conditions ?? []).map(grouped).join(' and ');
    case 'any_of':
      return (condition.conditions ?? []).map(grouped).join(' or ');
    case 'not':
      return `not ${condition.condition ? grouped(condition.condition) : ''}`;
  }
}

function grouped(condition: Condition): string {
  const text = conditionText(condition);
  return condition.type === 'all_of' || condition.type === 'any_of' ? `(${text})` : text;
}

type EdgeExtra = Partial<Omit<TopologyEdge, 'id' | 'source' | 'target' | 'kind'>>;

function link(
  drawing: Drawing,
  kind: TopologyEdge['kind'],
  source: string,
  target: string,
  extra: EdgeExtra = {},
): void {
  drawing.edges.push({
    id: `e${drawing.edges.length}`,
    kind,
    source,
    target,
    label: null,
    conditional: false,
    condition: null,
    path: null,
    ...extra,
  });
}

function mark(drawing: Drawing, frame: Frame, kind: 'start' | 'end', path: string): string {
  const id = `${frame.prefix}${path}#${kind}`;
  drawing.nodes.push({
    id,
    kind,
    label: kind,
    ref: '',
    path,
    enabled: true,
    start: kind === 'start',
    on_error: 'fail',
    max_retries: 0,
    timeout_seconds: null,
    group: frame.group,
  });
  return id;
}

/** The component workflow that a step runs, directly or through an agent that is one. */
function workflowBehind(spec: Spec, step: Step): string | null {
  if (step.kind === 'workflow') return step.ref;
  if (step.kind !== 'agent' && step.kind !== 'guardrail') return null;
  return named(spec.components.agents, step.ref)?.as_agent ?? null;
}

function addStep(
  drawing: Drawing,
  frame: Frame,
  { path, key, step }: PlacedStep,
  start: boolean,
): string {
  const id = `${frame.prefix}${path}`;
  drawing.nodes.push({
    id,
    kind: step.kind,
    label: key,
    ref: step.ref,
    path,
    enabled: step.enabled,
    start,
    on_error: step.on_error,
    max_retries: step.max_retries,
    timeout_seconds: step.timeout_seconds,
    group: frame.group,
  });
  const name = workflowBehind(drawing.spec, step);
  const nested = name === null ? undefined : named(drawing.spec.components.workflows, name);
  const fits = frame.around.length < MAX_NESTING && drawing.nodes.length < MAX_NODES;
  if (name !== null && nested !== undefined && fits && !frame.around.includes(name)) {
    const inside = `components.workflows.${name}`;
    const group = `${id}>`;
    drawing.groups.push({
      id: group,
      label: workflowName(nested),
      workflow_type: nested.type,
      path: inside,
      node: id,
    });
    drawWorkflow(
      drawing,
      { prefix: group, group, around: [...frame.around, name] },
      nested,
      inside,
    );
  }
  return id;
}

function edgeExtra(edge: Edge, path: string): EdgeExtra {
  return {
    label: edge.label,
    conditional: edge.condition !== null,
    condition: edge.condition === null ? null : conditionText(edge.condition),
    path,
  };
}

function drawGraph(drawing: Drawing, frame: Frame, workflow: GraphWorkflow, path: string): void {
  const ids = new Map<string, string>();
  for (const placed of stepsOf(workflow, path)) {
    ids.set(placed.key, addStep(drawing, frame, placed, placed.key === workflow.start));
  }
  workflow.edges.forEach((edge, index) => {
    const source = ids.get(edge.from);
    const target = ids.get(edge.to);
    if (source === undefined || target === undefined) return;
    link(drawing, 'flow', source, target, edgeExtra(edge, `${path}.edges[${index}]`));
  });
  drawFallbacks(drawing, stepsOf(workflow, path), ids);
}

function drawFallbacks(
  drawing: Drawing,
  steps: readonly PlacedStep[],
  ids: ReadonlyMap<string, string>,
): void {
  for (const { key, step, path } of steps) {
    const source = ids.get(key);
    const target = step.fallback_ref === null ? undefined : ids.get(step.fallback_ref);
    if (source === undefined || target === undefined || step.on_error !== 'fallback') continue;
    const at = `${path}.fallback_ref`;
    link(drawing, 'fallback', source, target, { label: 'on error', conditional: true, path: at });
  }
}

/** The order in which enabled participants or steps take their turns, by key. */
function turnsOf(workflow: Exclude<Workflow, GraphWorkflow>): string[] {
  const list = workflow.type === 'sequential' ? workflow.steps : workflow.participants;
  const enabled = list.filter((step) => step.enabled).map((step) => step.id);
  if (workflow.type !== 'handoff' || workflow.selector.type === 'round_robin') return enabled;
  const { sequence } = workflow.selector;
  return sequence.length === 0 ? enabled : sequence;
}

function drawTurns(
  drawing: Drawing,
  workflow: Exclude<Workflow, GraphWorkflow>,
  ids: ReadonlyMap<string, string>,
): void {
  const turns = turnsOf(workflow).flatMap((key) => ids.get(key) ?? []);
  const chain = workflow.type === 'sequential' ? 'flow' : 'turn';
  turns.slice(1).forEach((target, index) => {
    const source = turns[index];
    if (source === undefined) return;
    const label = workflow.type === 'handoff' ? String(index + 1) : null;
    link(drawing, chain, source, target, { label });
  });
  const [first] = turns;
  const last = turns.at(-1);
  if (workflow.type !== 'group-chat' && workflow.type !== 'group_chat') return;
  if (first === undefined || last === undefined || workflow.rounds < 2) return;
  link(drawing, 'round', last, first, { label: `${workflow.rounds} rounds` });
}

function drawWorkflow(drawing: Drawing, frame: Frame, workflow: Workflow, path: string): void {
  if (workflow.type === 'graph') {
    drawGraph(drawing, frame, workflow, path);
    return;
  }
  const placed = stepsOf(workflow, path);
  const concurrent = workflow.type === 'concurrent';
  const [first] = concurrent ? [] : turnsOf(workflow);
  const start = concurrent ? mark(drawing, frame, 'start', path) : null;
  const ids = new Map<string, string>();
  for (const step of placed) ids.set(step.key, addStep(drawing, frame, step, step.key === first));
  if (start === null) {
    drawTurns(drawing, workflow, ids);
    drawFallbacks(drawing, placed, ids);
    return;
  }
  const end = mark(drawing, frame, 'end', path);
  for (const { key, step } of placed) {
    const id = ids.get(key);
    if (id === undefined || !step.enabled) continue;
    link(drawing, 'fan_out', start, id);
    link(drawing, 'fan_in', id, end);
  }
}

/**
 * The drawing of a spec's root workflow, of every kind, with nested workflows as groups; without a
 * workflow, the root agent. Disabled steps are kept and marked; ends that nothing declares are left out.
 */
export function topologyOf(spec: Spec): Topology {
  const drawing: Drawing = { spec, nodes: [], edges: [], groups: [] };
  const frame: Frame = { prefix: '', group: null, around: [] };
  if (spec.workflow === null) {
    const [root] = agentsOf(spec);
    const step: Step = {
      id: root?.item.name ?? '',
      kind: 'agent',
      ref: '',
      enabled: true,
      on_error: 'fail',
      fallback_ref: null,
      max_retries: 0,
      timeout_seconds: null,
    };
    addStep(drawing, frame, { path: 'agent', key: step.id, step }, true);
    return {
      workflow_name: null,
      workflow_type: null,
      nodes: drawing.nodes,
      edges: [],
      groups: [],
    };
  }
  drawWorkflow(drawing, frame, spec.workflow, 'workflow');
  return {
    workflow_name: workflowName(spec.workflow),
    workflow_type: spec.workflow.type,
    nodes: drawing.nodes,
    edges: drawing.edges,
    groups: drawing.groups,
  };
}
