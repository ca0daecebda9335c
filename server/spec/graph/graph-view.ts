import type { SpecGraph } from '../../contract/platform/specs.ts';
import type { Spec, Step, Workflow } from '../schema/spec-types.ts';
import { workflowName } from '../schema/workflow-name.ts';

type GraphNode = SpecGraph['nodes'][number];

function graphNode(id: string, step: Step): GraphNode {
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

function sequentialNode({ id, kind }: Step): GraphNode {
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

function ofWorkflow(workflow: Workflow): SpecGraph {
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

const NO_GRAPH: SpecGraph = {
  workflow_name: null,
  workflow_kind: null,
  start: null,
  max_steps: null,
  nodes: [],
  edges: [],
};

/** The graph view of the root workflow (spec-v1 16). Other workflow kinds have no nodes in it. */
export function graphView(spec: Spec): SpecGraph {
  return spec.workflow === null ? { ...NO_GRAPH, nodes: [], edges: [] } : ofWorkflow(spec.workflow);
}
