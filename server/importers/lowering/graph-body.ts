import { type JsonObject, setOwn } from '../../kernel/json.ts';
import type { Condition } from '../../spec/schema/spec-types.ts';
import type { SourceRef } from '../analysis.ts';
import type { Card } from '../gaps/gap-stream.ts';
import type { CollapsedEdge } from './collapse-edges.ts';
import { type Draft, stepObject } from './draft.ts';
import type { Flow } from './flow.ts';

/** What an edge carries of the decisions passed: their conditions if all could be told. */
export function conditionOf(edge: Pick<CollapsedEdge, 'conditions' | 'decisions'>): JsonObject {
  const [only, ...more] = edge.conditions;
  if (only === undefined || edge.conditions.length < edge.decisions) return { type: 'always' };
  if (more.length === 0) return conditionJson(only);
  return { type: 'all_of', conditions: edge.conditions.map(conditionJson) };
}

/** A condition as the spec writes it. */
export function conditionJson(condition: Condition): JsonObject {
  const out: JsonObject = { type: condition.type };
  if (typeof condition.value === 'string') out['value'] = condition.value;
  if (condition.case_sensitive !== undefined) out['case_sensitive'] = condition.case_sensitive;
  if (condition.conditions !== undefined) {
    out['conditions'] = condition.conditions.map(conditionJson);
  }
  if (condition.condition !== undefined && condition.condition !== null) {
    out['condition'] = conditionJson(condition.condition);
  }
  return out;
}

function edgeObject(draft: Draft, edge: CollapsedEdge): JsonObject {
  const from = draft.stepId(edge.from) ?? '';
  const to = draft.stepId(edge.to) ?? '';
  if (edge.labels.length === 0 && edge.conditions.length === 0) return { from, to };
  const out: JsonObject = { from, to, condition: conditionOf(edge) };
  if (edge.labels.length > 0) out['label'] = edge.labels.join('/');
  return out;
}

function firstPerPair(edges: readonly CollapsedEdge[]): CollapsedEdge[] {
  const seen = new Set<string>();
  return edges.filter(({ from, to }) => {
    const pair = JSON.stringify([from, to]);
    if (seen.has(pair)) return false;
    seen.add(pair);
    return true;
  });
}

function greatestCap(flow: Flow): number | undefined {
  const caps = flow.graph.nodes
    .map(({ payload }) => (payload.kind === 'loop' ? payload.cap : null))
    .filter((cap) => cap !== null);
  return caps.length === 0 ? undefined : Math.max(...caps);
}

/** The `workflow` block of a graph draft (importers 6.7). */
export function graphBody(
  draft: Draft,
  flow: Flow,
  edges: readonly CollapsedEdge[],
  start: string,
): JsonObject {
  const nodes: JsonObject = {};
  for (const step of draft.steps.values()) setOwn(nodes, step.id, stepObject(step));
  const body: JsonObject = {
    type: 'graph',
    start: draft.stepId(start) ?? '',
    nodes,
    edges: firstPerPair(edges).map((edge) => edgeObject(draft, edge)),
  };
  const cap = greatestCap(flow);
  if (cap !== undefined) body['max_steps'] = cap;
  return body;
}

/** Several decisions of the source on one edge, reported once (importers 6.7). */
export function severalDecisionsCard(
  edges: readonly CollapsedEdge[],
  refs: ReadonlyMap<string, SourceRef>,
): Card[] {
  const edge = firstPerPair(edges).find(
    (e) => e.decisions > 1 && e.conditions.length < e.decisions,
  );
  const ref = edge === undefined ? undefined : refs.get(edge.from);
  if (edge === undefined || ref === undefined) return [];
  const to = refs.get(edge.to)?.source_label ?? edge.to;
  const detail = `Between "${ref.source_label}" and "${to}" the source takes ${edge.decisions} decisions; the draft has one edge.`;
  return [{ ref, kind: 'branching_shape', detail }];
}

/** The caps of loops: carried as `max_steps`, or missing (importers 6.7). */
export function loopCapCards(flow: Flow): Card[] {
  const out: Card[] = [];
  for (const { payload, ref, name } of flow.graph.nodes) {
    if (payload.kind !== 'loop') continue;
    if (payload.cap === null) {
      out.push({ ref, kind: 'unbounded_loop', detail: `"${name}" repeats without a limit.` });
    } else {
      const detail = `The limit of "${name}" (${payload.cap}) became the limit of the whole graph.`;
      out.push({ ref, kind: 'parameters_not_carried', detail, carried: true });
    }
  }
  return out;
}
