import type { GraphView } from '../../contract/studio/govern.ts';
import { isObject } from '../../kernel/json.ts';
import { PlatformError } from '../../platform-client/platform-error.ts';
import {
  optionalBoolean,
  optionalList,
  optionalText,
  protocolError,
  requireText,
} from '../../platform-client/protocol.ts';

type Answer = Readonly<Record<string, unknown>>;

function rows(answer: Answer, name: string): Record<string, unknown>[] {
  return (optionalList(answer, name) ?? []).map((row) => {
    if (isObject(row)) return row;
    throw protocolError(`${name} holds something that is no object`);
  });
}

/** Nodes of a platform graph; a step of a sequence has no kind there and is a `step` here (decisions 36). */
export function toNodes(answer: Answer): GraphView['nodes'] {
  return rows(answer, 'nodes').map((node) => {
    const id = requireText(node, 'id');
    const kind = optionalText(node, 'kind') ?? 'step';
    return { id, kind, label: optionalText(node, 'name') ?? id };
  });
}

/** Edges of a platform graph. */
export function toEdges(answer: Answer): GraphView['edges'] {
  return rows(answer, 'edges').map((edge) => ({
    source: requireText(edge, 'source'),
    target: requireText(edge, 'target'),
    label: optionalText(edge, 'label') ?? null,
    conditional: optionalBoolean(edge, 'conditional') ?? false,
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
function toGraphView(answer: Answer, workflowType: string | undefined): GraphView {
  const kind = optionalText(answer, 'workflow_kind');
  if (kind !== 'graph' && kind !== 'sequential') {
    const named = workflowType ?? kind ?? 'agents only';
    return unavailable(`The platform draws no topology for this workflow (${named}).`);
  }
  return {
    available: true,
    edges: toEdges(answer),
    nodes: toNodes(answer),
    start: optionalText(answer, 'start') ?? null,
    unavailable_reason: null,
    workflow_kind: kind,
  };
}

/** A platform that has no graph route, or no graph for this spec, is a state and no failure. */
export async function drawOr404(
  call: () => Promise<Answer>,
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
