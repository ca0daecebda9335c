import type { SourceRef } from '../analysis.ts';
import type { Card } from '../gaps/gap-stream.ts';
import type { Connection } from '../graph-ir.ts';
import type { CollapsedEdge } from './collapse-edges.ts';
import { DECISION_ROLES, type Flow, stepsAhead } from './flow.ts';

/** An element that sends one result to several steps at once. */
export interface Fork {
  readonly element: string;
  readonly targets: readonly string[];
  /** False: the flow is the same without it, so no card is due. */
  readonly reported: boolean;
}

function firingGroups(flow: Flow, element: string): Connection[][] {
  const groups = new Map<string, Connection[]>();
  for (const connection of flow.from.get(element) ?? []) {
    const role = flow.roleAt(element, connection.position);
    const key = DECISION_ROLES.has(role) ? `${role}:${connection.position}` : 'rest';
    groups.set(key, [...(groups.get(key) ?? []), connection]);
  }
  return [...groups.values()];
}

/** Elements in the order in which they first appear as the source of a connection. */
function flowOrder(flow: Flow): string[] {
  return [...flow.from.keys()];
}

/** Forks under the rule "a step runs once per arriving connection" (importers 6.8). */
export function findForks(
  flow: Flow,
  edges: readonly CollapsedEdge[],
  reachable: ReadonlySet<string>,
): Fork[] {
  const cache = new Map<string, readonly string[]>();
  const ahead = (id: string): readonly string[] => {
    const known = cache.get(id) ?? stepsAhead(flow, id);
    cache.set(id, known);
    return known;
  };
  const collapsed = new Map<string, CollapsedEdge[]>();
  for (const edge of edges) {
    const list = collapsed.get(edge.from);
    if (list === undefined) collapsed.set(edge.from, [edge]);
    else list.push(edge);
  }
  const out: Fork[] = [];
  for (const element of flowOrder(flow)) {
    for (const group of firingGroups(flow, element)) {
      const reaching = group.map((c) => ahead(c.target)).filter((steps) => steps.length > 0);
      if (reaching.length < 2) continue;
      const all = reaching.flat();
      const distinct = new Set(all);
      const isStep = flow.steps.has(element);
      const collapse = (collapsed.get(element) ?? []).filter((e) => distinct.has(e.to));
      const targets = isStep ? [...new Set(collapse.map((e) => e.to))] : [...distinct];
      const twice = distinct.size < all.length;
      const live = targets.filter((id) => reachable.has(id)).length;
      out.push({ element, targets, reported: isStep || twice || live > 1 });
    }
  }
  return out;
}

/** One card for each fork that changes the flow. */
export function forkCards(forks: readonly Fork[], refs: ReadonlyMap<string, SourceRef>): Card[] {
  const out: Card[] = [];
  for (const fork of forks) {
    const ref = refs.get(fork.element);
    if (ref === undefined || !fork.reported) continue;
    const names = fork.targets.map((id) => `"${refs.get(id)?.source_label ?? id}"`).join(', ');
    const detail = `"${ref.source_label}" sends its result to ${names} at once; a graph follows one edge at a time.`;
    out.push({ ref, kind: 'branching_shape', detail });
  }
  return out;
}
