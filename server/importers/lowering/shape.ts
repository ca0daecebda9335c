import type { SourceRef } from '../analysis.ts';
import type { Card } from '../gaps/gap-stream.ts';
import type { CollapsedEdge } from './collapse-edges.ts';
import { findForks, forkCards } from './fan-out.ts';
import type { Flow } from './flow.ts';
import { findJoinForks, joinForkCards } from './join-fan-out.ts';

/** Where the flow splits in a way that the draft does not hold. */
export interface Shape {
  readonly hasForks: boolean;
  readonly cards: readonly Card[];
}

/** Fan-outs under the arrival rule of the source (importers 6.8). */
export function shapeOf(
  flow: Flow,
  edges: readonly CollapsedEdge[],
  start: string | undefined,
  reached: ReadonlySet<string>,
  refs: ReadonlyMap<string, SourceRef>,
): Shape {
  if (flow.graph.arrival === 'join') {
    const joined = findJoinForks(flow, edges, start, reached);
    return { hasForks: joined.length > 0, cards: joinForkCards(joined, refs) };
  }
  const forks = findForks(flow, edges, reached);
  return { hasForks: forks.some((fork) => fork.reported), cards: forkCards(forks, refs) };
}
