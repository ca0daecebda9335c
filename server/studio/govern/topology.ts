import type { GraphView } from '../../contract/studio/govern.ts';
import { required } from '../../platform-client/answers.ts';
import { PlatformError } from '../../platform-client/platform-error.ts';
import type { GraphAnswer } from '../platform-answers.ts';

/** Nodes of a platform graph; a step of a sequence has no kind there and is a `step` here (decisions 36). */
export function toNodes(nodes: GraphAnswer['nodes']): GraphView['nodes'] {
  return (nodes ?? []).map((node) => {
    const id = required(node.id, 'id');
    return { id, kind: node.kind ?? 'step', label: node.name ?? id };
  });
}

/** Edges of a platform graph. */
export function toEdges(edges: GraphAnswer['edges']): GraphView['edges'] {
  return (edges ?? []).map((edge) => ({
    source: required(edge.source, 'source'),
    target: required(edge.target, 'target'),
    label: edge.label ?? null,
    conditional: edge.conditional ?? false,
  }));
}

function unavailable(reason: string): GraphView {
  return {
    available: false,
    edges: [],
    nodes: [],
    start: null,
    unavailable_reason: reason,
    workflow_kind: null,
  };
}

/** The platform's topology as the studio shows it (studio.md 9.4). */
function toGraphView(answer: GraphAnswer, workflowType: string | undefined): GraphView {
  const kind = answer.workflow_kind;
  if (kind !== 'graph' && kind !== 'sequential') {
    const named = workflowType ?? kind ?? 'agents only';
    return unavailable(`The platform draws no topology for this workflow (${named}).`);
  }
  return {
    available: true,
    edges: toEdges(answer.edges),
    nodes: toNodes(answer.nodes),
    start: answer.start ?? null,
    unavailable_reason: null,
    workflow_kind: kind,
  };
}

/** A platform that has no graph route, or no graph for this spec, is a state and no failure. */
export async function drawOr404(
  call: () => Promise<GraphAnswer>,
  workflowType: string | undefined,
): Promise<GraphView> {
  try {
    return toGraphView(await call(), workflowType);
  } catch (error) {
    if (!(error instanceof PlatformError) || error.family !== 'not_found') throw error;
    const named = workflowType ?? 'agents only';
    return unavailable(`The platform has no topology of this spec (${named}).`);
  }
}
