import type { CollapsedEdge } from './collapse-edges.ts';
import type { Cycle } from './cycles.ts';
import type { Flow } from './flow.ts';

/** The shape of the workflow: none without steps, else a chain or a graph. */
export type Family =
  | { readonly type: 'none' }
  | { readonly type: 'sequential'; readonly order: readonly string[] }
  | { readonly type: 'graph' };

function successors(edges: readonly CollapsedEdge[]): Map<string, Set<string>> {
  const out = new Map<string, Set<string>>();
  for (const { from, to } of edges) {
    const set = out.get(from) ?? new Set();
    out.set(from, set.add(to));
  }
  return out;
}

function chainOf(flow: Flow, edges: readonly CollapsedEdge[]): string[] | undefined {
  const next = successors(edges);
  const fedBy = successors(edges.map((e) => ({ ...e, from: e.to, to: e.from })));
  const forked = flow.stepOrder.some(
    (id) => (next.get(id)?.size ?? 0) > 1 || (fedBy.get(id)?.size ?? 0) > 1,
  );
  const firsts = flow.stepOrder.filter((id) => !fedBy.has(id));
  const [first] = firsts;
  if (forked || firsts.length !== 1 || first === undefined) return undefined;
  const order: string[] = [];
  for (let id: string | undefined = first; id !== undefined; ) {
    order.push(id);
    const [following]: string[] = [...(next.get(id) ?? [])];
    id = following;
  }
  return order.length === flow.stepOrder.length ? order : undefined;
}

/** Decides the family of a draft (importers 6.6). */
export function familyOf(
  flow: Flow,
  edges: readonly CollapsedEdge[],
  hasForks: boolean,
  cycles: readonly Cycle[],
): Family {
  const { stepOrder } = flow;
  if (stepOrder.length === 0) return { type: 'none' };
  const routed = flow.graph.nodes.some(
    (node) => node.payload.kind === 'branch' || node.payload.kind === 'loop',
  );
  if (routed) return { type: 'graph' };
  if (hasForks || cycles.some((cycle) => cycle.steps.length > 0)) return { type: 'graph' };
  if (stepOrder.length === 1) return { type: 'sequential', order: stepOrder };
  const order = chainOf(flow, edges);
  return order === undefined ? { type: 'graph' } : { type: 'sequential', order };
}
