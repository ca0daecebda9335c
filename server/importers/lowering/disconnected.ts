import type { SourceRef } from '../analysis.ts';
import type { Card } from '../gaps/gap-stream.ts';
import type { CollapsedEdge } from './collapse-edges.ts';
import type { Flow } from './flow.ts';

const ROUTING: ReadonlySet<string> = new Set(['branch', 'loop', 'deactivated']);

function neighbours(
  inside: ReadonlySet<string>,
  edges: readonly CollapsedEdge[],
): ReadonlyMap<string, readonly string[]> {
  const near = new Map<string, string[]>();
  const link = (a: string, b: string): void => {
    const list = near.get(a);
    if (list === undefined) near.set(a, [b]);
    else list.push(b);
  };
  for (const { from, to } of edges) {
    if (!inside.has(from) || !inside.has(to)) continue;
    link(from, to);
    link(to, from);
  }
  return near;
}

function groupsOf(ids: readonly string[], edges: readonly CollapsedEdge[]): string[][] {
  const near = neighbours(new Set(ids), edges);
  const groupOf = new Map<string, number>();
  const groups: string[][] = [];
  for (const id of ids) {
    const queue = groupOf.has(id) ? [] : [id];
    for (let member = queue.pop(); member !== undefined; member = queue.pop()) {
      if (groupOf.has(member)) continue;
      groupOf.set(member, groups.length);
      queue.push(...(near.get(member) ?? []));
    }
    if (groupOf.get(id) === groups.length) groups.push([]);
    groups[groupOf.get(id) ?? 0]?.push(id);
  }
  return groups;
}

function cause(flow: Flow, root: string, isCycle: boolean): string {
  if (isCycle) return 'they only feed each other';
  const kinds = new Map(flow.graph.nodes.map((node) => [node.id, node.payload.kind]));
  const feeders = flow.graph.connections.filter((c) => c.target === root).map((c) => c.source);
  if (feeders.length === 0) return 'nothing feeds it';
  const routed = feeders.every((id) => {
    const kind = kinds.get(id);
    return kind === undefined || ROUTING.has(kind);
  });
  return routed ? 'only a routing element feeds it' : 'only an element without a step feeds it';
}

/** One card for each group of steps that the draft's start does not reach (importers 6.10). */
export function disconnectedCards(
  flow: Flow,
  edges: readonly CollapsedEdge[],
  reached: ReadonlySet<string>,
  refs: ReadonlyMap<string, SourceRef>,
): Card[] {
  const unreached = flow.stepOrder.filter((id) => !reached.has(id));
  const fed = new Set(edges.filter((e) => !reached.has(e.from)).map((e) => e.to));
  const out: Card[] = [];
  for (const group of groupsOf(unreached, edges)) {
    const root = group.find((id) => !fed.has(id));
    const first = root ?? group[0];
    const ref = first === undefined ? undefined : refs.get(first);
    if (first === undefined || ref === undefined) continue;
    const names = group.map((id) => `"${refs.get(id)?.source_label ?? id}"`).join(', ');
    const detail = `The start of the draft does not lead to ${names}: ${cause(flow, first, root === undefined)}.`;
    out.push({ ref, kind: 'branching_shape', detail });
  }
  return out;
}
