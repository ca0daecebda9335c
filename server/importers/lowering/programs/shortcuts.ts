import type { CollapsedEdge } from '../collapse-edges.ts';
import type { Region } from './region.ts';

/** Steps that are met for certain once a step is: no decision stands before them. */
function certainAfter(region: Region, start: string, source: string): Set<string> {
  const seen = new Set([start]);
  for (const id of seen) {
    if (id === source) continue;
    for (const { to, choices } of region.ways.get(id) ?? []) if (choices.length === 0) seen.add(to);
  }
  seen.delete(start);
  return seen;
}

/** A way that the draft does without, since another way of the same fork leads to its target. */
export interface Shortcut {
  readonly way: CollapsedEdge;
  readonly over: CollapsedEdge;
}

/**
 * Ways of one group straight to a step that another way of the group leads to for certain. In the
 * draft that step runs once, after what lies between.
 */
export function findShortcuts(
  region: Region,
  source: string,
  ways: readonly CollapsedEdge[],
): Shortcut[] {
  const after = new Map(ways.map((way) => [way, certainAfter(region, way.to, source)]));
  const out: Shortcut[] = [];
  const gone = new Set<CollapsedEdge>();
  for (const way of ways) {
    const over = ways.find((other) => !gone.has(other) && after.get(other)?.has(way.to) === true);
    if (over === undefined || over === way) continue;
    gone.add(way);
    out.push({ way, over });
  }
  return out;
}
