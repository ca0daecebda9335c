import type { SourceRef } from '../../analysis.ts';
import type { Card } from '../../gaps/gap-stream.ts';
import type { Draft } from '../draft.ts';
import type { Flow } from '../flow.ts';
import { capOf } from './loop-cards.ts';

/** What writing a workflow needs beside its region. */
export interface Writing {
  readonly draft: Draft;
  readonly flow: Flow;
  readonly refs: ReadonlyMap<string, SourceRef>;
  readonly cards: Card[];
  readonly maxSteps: number | undefined;
  /** True for a source that runs a step once for each connection that arrives. */
  readonly runsPerArrival: boolean;
  /** Steps that wait for all of their inputs. */
  readonly gathering: ReadonlySet<string>;
  /** Made copy of a step → the step of the source that it is a copy of. */
  readonly copies: Map<string, string>;
  /** True when the source may end without an error after a step, whatever else may follow it. */
  mayEnd(id: string): boolean;
}

/** True when flow from an element may run out before a step; a stop with an error is no such end. */
function mayEndAfter(
  flow: Flow,
  outputs: ReadonlyMap<string, readonly number[]>,
  start: string,
): boolean {
  const seen = new Set([start]);
  for (const id of seen) {
    const ways = flow.from.get(id) ?? [];
    const wired = new Set(ways.map((way) => way.position));
    if (outputs.get(id)?.some((position) => !wired.has(position)) === true) return true;
    for (const { target } of ways) if (!flow.steps.has(target)) seen.add(target);
  }
  return false;
}

/** What writing the workflows of one flow needs. */
export function writingOf(
  draft: Draft,
  flow: Flow,
  refs: ReadonlyMap<string, SourceRef>,
  cards: Card[],
): Writing {
  const { nodes, waypoints, arrival } = flow.graph;
  const outputs = new Map(
    [...nodes, ...waypoints].map((e) => [e.id, e.outputs.map((output) => output.position)]),
  );
  // What only leads back says how often, too.
  const leaders = nodes.flatMap(({ id, payload }) => (payload.kind === 'passthrough' ? [id] : []));
  const copies = new Map<string, string>();
  return {
    draft,
    flow,
    refs,
    cards,
    maxSteps: capOf(flow.graph, [...flow.stepOrder, ...leaders]),
    runsPerArrival: arrival === 'each',
    gathering: new Set(
      nodes.filter((n) => arrival === 'join' || n.gathers === true).map((node) => node.id),
    ),
    copies,
    mayEnd: (id) => mayEndAfter(flow, outputs, copies.get(id) ?? id),
  };
}
