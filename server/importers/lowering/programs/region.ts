import type { JsonObject } from '../../../kernel/json.ts';
import type { Choice, CollapsedEdge } from '../collapse-edges.ts';
import type { DraftStep } from '../draft.ts';

/** Arms of one fork that are worth writing side by side; more is no hand-made flow. */
export const MAX_ARMS = 32;

/** Beyond this size a flow is read as one fork or not at all. */
export const MAX_STEPS_OF_PARTS = 300;

/** Stands for the place where a region is entered. */
export const OUTSIDE = '';

/** The steps of one workflow and the ways between them; ids are source ids or made ones. */
export interface Region {
  readonly steps: Map<string, DraftStep>;
  /** Outgoing ways by step; those of `OUTSIDE` lead to where the region starts. */
  readonly ways: Map<string, CollapsedEdge[]>;
}

/** Ways that are taken together because the same choices lead to them. */
export interface WayGroup {
  readonly choices: readonly Choice[];
  readonly ways: readonly CollapsedEdge[];
}

/** Groups the ways out of a step by the choices on them, in order. */
export function groupWays(ways: readonly CollapsedEdge[]): WayGroup[] {
  const groups = new Map<string, { choices: readonly Choice[]; ways: CollapsedEdge[] }>();
  for (const way of ways) {
    const key = JSON.stringify(way.choices.map((c) => [c.router, c.position]));
    const group = groups.get(key) ?? { choices: way.choices, ways: [] };
    group.ways.push(way);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** True when no run can take both: they differ at one router. */
export function excludes(a: WayGroup, b: WayGroup): boolean {
  return a.choices.some((choice) =>
    b.choices.some((c) => c.router === choice.router && c.position !== choice.position),
  );
}

/** Steps reached from a step over the ways of a region, itself included unless `onlyAfter`. */
export function reachIn(region: Region, start: string, onlyAfter = false): Set<string> {
  const seen = new Set(onlyAfter ? [] : [start]);
  const queue = [start];
  for (let i = 0; i < queue.length; i += 1) {
    for (const { to } of region.ways.get(queue[i] ?? '') ?? []) {
      if (seen.has(to)) continue;
      seen.add(to);
      queue.push(to);
    }
  }
  return seen;
}

/** Steps reached from a step without going on from any of `ends`; ends that are met are included. */
export function reachBefore(region: Region, start: string, ends: ReadonlySet<string>): Set<string> {
  const seen = new Set([start]);
  const queue = ends.has(start) ? [] : [start];
  for (let i = 0; i < queue.length; i += 1) {
    for (const { to } of region.ways.get(queue[i] ?? '') ?? []) {
      if (seen.has(to)) continue;
      seen.add(to);
      if (!ends.has(to)) queue.push(to);
    }
  }
  return seen;
}

/**
 * Where the flow from a step ends: at the step itself, and at every step that is reached without it
 * as well.
 */
export function endsOf(region: Region, source: string): ReadonlySet<string> {
  if (source === OUTSIDE) return new Set();
  const seen = new Set([OUTSIDE]);
  for (const id of seen) {
    if (id === source) continue;
    for (const { to } of region.ways.get(id) ?? []) seen.add(to);
  }
  return seen;
}

/** Ways out of one step that are taken together, and the steps where their arms end. */
export interface ForkPlace {
  readonly source: string;
  readonly ways: readonly CollapsedEdge[];
  readonly ends: ReadonlySet<string>;
  /** The ends that other outputs of the source lead to. */
  readonly contested: ReadonlySet<string>;
}

/**
 * The place of a fork. Its arms end where the flow ends, and at every step that other outputs of the
 * source lead to: such a step is not theirs alone.
 */
export function placeOf(region: Region, source: string, ways: readonly CollapsedEdge[]): ForkPlace {
  const flowEnds = endsOf(region, source);
  const own = new Set(ways);
  const others = (region.ways.get(source) ?? []).filter((way) => !own.has(way));
  const contested = new Set<string>();
  for (const { to } of others) {
    for (const id of reachBefore(region, to, flowEnds)) if (!flowEnds.has(id)) contested.add(id);
  }
  return { source, ways, ends: new Set([...flowEnds, ...contested]), contested };
}

/** A way on which nothing is decided. */
export function plainWay(from: string, to: string): CollapsedEdge {
  return { from, to, labels: [], decisions: 0, conditions: [], choices: [] };
}

/** A step object without its id's source, ready for the spec. */
export function stepJson(step: DraftStep): JsonObject {
  return { id: step.id, kind: step.kind, ref: step.ref, ...step.settings };
}
