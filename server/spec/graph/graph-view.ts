import type { OnError, Spec, Step, StepKind, Workflow } from '../schema/spec-types.ts';
import { workflowName } from '../schema/workflow-name.ts';

/** A node of the graph view (spec-v1 16). */
export interface GraphNodeView {
  id: string;
  /** The step's kind in a graph; null in a sequential workflow (platform.md 3.7). */
  kind: StepKind | null;
  step_kind: StepKind;
  name: string;
  on_error: OnError | null;
  fallback_node: string | null;
  max_retries: number;
  timeout_seconds: number | null;
}

/** An edge of the graph view (spec-v1 16). */
export interface GraphEdgeView {
  source: string;
  target: string;
  label: string | null;
  conditional: boolean;
  priority: number;
}

/** The graph that the platform answers (spec-v1 16). Other workflow kinds have no nodes in it. */
export interface GraphView {
  workflow_name: string | null;
  workflow_kind: 'graph' | 'sequential' | null;
  start: string | null;
  max_steps: number | null;
  nodes: GraphNodeView[];
  edges: GraphEdgeView[];
}

function graphNode(id: string, step: Step): GraphNodeView {
  return {
    id,
    kind: step.kind,
    step_kind: step.kind,
    name: id,
    on_error: step.on_error,
    fallback_node: step.fallback_ref,
    max_retries: step.max_retries,
    timeout_seconds: step.timeout_seconds,
  };
}

function sequentialNode({ id, kind }: Step): GraphNodeView {
  return {
    id,
    kind: null,
    step_kind: kind,
    name: id,
    on_error: null,
    fallback_node: null,
    max_retries: 0,
    timeout_seconds: null,
  };
}

function ofWorkflow(workflow: Workflow): GraphView {
  const workflow_name = workflowName(workflow);
  if (workflow.type === 'graph') {
    const enabled = Object.entries(workflow.nodes).filter(([, step]) => step.enabled);
    const keys = new Set(enabled.map(([key]) => key));
    return {
      workflow_name,
      workflow_kind: 'graph',
      start: workflow.start,
      max_steps: workflow.max_steps,
      nodes: enabled.map(([key, step]) => graphNode(key, step)),
      edges: workflow.edges
        .filter(({ from, to }) => keys.has(from) && keys.has(to))
        .map(({ from, to, label, condition }) => ({
          source: from,
          target: to,
          label,
          conditional: condition !== null,
          priority: 0,
        })),
    };
  }
  if (workflow.type !== 'sequential') return { ...NO_GRAPH, workflow_name };
  const steps = workflow.steps.filter((step) => step.enabled);
  return {
    workflow_name,
    workflow_kind: 'sequential',
    start: steps[0]?.id ?? null,
    max_steps: null,
    nodes: steps.map(sequentialNode),
    edges: steps.slice(1).map((step, index) => ({
      source: steps[index]?.id ?? '',
      target: step.id,
      label: null,
      conditional: false,
      priority: 0,
    })),
  };
}

const NO_GRAPH: GraphView = {
  workflow_name: null,
  workflow_kind: null,
  start: null,
  max_steps: null,
  nodes: [],
  edges: [],
};

/** The graph view of the root workflow. */
export function graphView(spec: Spec): GraphView {
  return spec.workflow === null ? { ...NO_GRAPH, nodes: [], edges: [] } : ofWorkflow(spec.workflow);
}
