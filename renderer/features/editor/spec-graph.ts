import type { GraphWorkflow, Spec, Step, Workflow } from '../../../server/spec/spec-types.ts';
import type { GraphEdge, GraphModel, GraphNode } from '../../graph/graph-model.ts';

/** A workflow's drawing and where each node stands in the document. */
export interface PlacedGraph {
  readonly graph: GraphModel;
  /** Document path by node id. */
  readonly paths: Readonly<Record<string, string>>;
}

interface Draft {
  readonly nodes: GraphNode[];
  readonly edges: GraphEdge[];
  readonly paths: Record<string, string>;
}

function addStep(draft: Draft, step: Step, path: string, start: boolean): void {
  draft.nodes.push({
    id: step.id,
    label: step.id,
    kind: step.kind,
    detail: step.ref === step.id ? '' : step.ref,
    start,
    disabled: !step.enabled,
    parent: null,
  });
  draft.paths[step.id] = path;
}

function addMark(draft: Draft, id: string, label: string, start: boolean): void {
  draft.nodes.push({ id, label, kind: 'step', detail: '', start, disabled: false, parent: null });
  draft.paths[id] = 'workflow';
}

function addEdge(draft: Draft, source: string, target: string, label: string | null = null): void {
  draft.edges.push({
    id: `${draft.edges.length}:${source}->${target}`,
    source,
    target,
    label,
    conditional: false,
  });
}

function addChain(draft: Draft, ids: readonly string[]): void {
  for (const [index, id] of ids.entries()) {
    const next = ids[index + 1];
    if (next !== undefined) {
      addEdge(draft, id, next);
    }
  }
}

function addParticipants(draft: Draft, participants: readonly Step[], withStart: boolean): void {
  for (const [index, step] of participants.entries()) {
    addStep(draft, step, `workflow.participants[${index}]`, withStart && index === 0);
  }
}

const FORK = '(start)';
const JOIN = '(collect)';

function drawGraph(draft: Draft, workflow: GraphWorkflow): void {
  for (const [key, step] of Object.entries(workflow.nodes)) {
    addStep(draft, { ...step, id: key }, `workflow.nodes.${key}`, key === workflow.start);
  }
  for (const [index, edge] of workflow.edges.entries()) {
    draft.edges.push({
      id: `${index}:${edge.from}->${edge.to}`,
      source: edge.from,
      target: edge.to,
      label: edge.label,
      conditional: edge.condition !== null && edge.condition.type !== 'always',
    });
  }
}

function drawWorkflow(draft: Draft, workflow: Workflow): void {
  switch (workflow.type) {
    case 'sequential':
      for (const [index, step] of workflow.steps.entries()) {
        addStep(draft, step, `workflow.steps[${index}]`, index === 0);
      }
      addChain(
        draft,
        workflow.steps.map(({ id }) => id),
      );
      return;
    case 'graph':
      drawGraph(draft, workflow);
      return;
    case 'concurrent':
      addMark(draft, FORK, 'all at once', true);
      addParticipants(draft, workflow.participants, false);
      addMark(draft, JOIN, 'collect', false);
      for (const { id } of workflow.participants) {
        addEdge(draft, FORK, id);
        addEdge(draft, id, JOIN);
      }
      return;
    case 'handoff': {
      addParticipants(draft, workflow.participants, true);
      const ids = workflow.participants.map(({ id }) => id);
      const order = workflow.selector.sequence.length > 0 ? workflow.selector.sequence : ids;
      addChain(draft, order);
      closeRing(draft, order, workflow.selector.type === 'round_robin' ? 'next round' : null);
      return;
    }
    case 'group-chat':
    case 'group_chat': {
      addParticipants(draft, workflow.participants, true);
      const ids = workflow.participants.map(({ id }) => id);
      addChain(draft, ids);
      closeRing(draft, ids, workflow.rounds > 1 ? `${workflow.rounds} rounds` : null);
      return;
    }
  }
}

function closeRing(draft: Draft, ids: readonly string[], label: string | null): void {
  const first = ids[0];
  const last = ids.at(-1);
  if (label !== null && first !== undefined && last !== undefined && first !== last) {
    addEdge(draft, last, first, label);
  }
}

/** Draws a spec of any workflow kind; a spec without a workflow is its one agent. */
export function drawSpec(spec: Spec): PlacedGraph {
  const draft: Draft = { nodes: [], edges: [], paths: {} };
  if (spec.workflow === null) {
    const { name } = spec.agent;
    draft.nodes.push({
      id: name,
      label: name,
      kind: 'agent',
      detail: spec.agent.model?.name ?? '',
      start: true,
      disabled: false,
      parent: null,
    });
    draft.paths[name] = 'agent';
  } else {
    drawWorkflow(draft, spec.workflow);
  }
  const known = new Set(draft.nodes.map(({ id }) => id));
  return {
    graph: {
      kind: spec.workflow?.type ?? 'agent',
      nodes: draft.nodes.filter(
        ({ id }, index) => draft.nodes.findIndex((n) => n.id === id) === index,
      ),
      edges: draft.edges.filter(({ source, target }) => known.has(source) && known.has(target)),
    },
    paths: draft.paths,
  };
}
