import type { CollapsedEdge } from '../collapse-edges.ts';
import { OUTSIDE, type Region, reachIn } from './region.ts';

/** Arms of one fork that are worth writing side by side; more is no hand-made flow. */
const MAX_ARMS = 32;

/** One arm of a fork: where it starts and the steps that only it has. */
export interface Arm {
  readonly start: string;
  readonly steps: ReadonlySet<string>;
}

/** A fork that can be written as steps side by side. */
export interface Fork {
  readonly arms: readonly Arm[];
  /** The step where the arms meet, if they do. */
  readonly join: string | undefined;
}

function intersection(sets: readonly ReadonlySet<string>[]): Set<string> {
  const counts = new Map<string, number>();
  for (const set of sets) for (const id of set) counts.set(id, (counts.get(id) ?? 0) + 1);
  return new Set([...counts].filter(([, count]) => count > 1).map(([id]) => id));
}

/** The one step through which everything that the arms share is entered; null when there are more. */
function joinOf(region: Region, shared: ReadonlySet<string>): string | undefined | null {
  const entered = new Set<string>();
  for (const [from, ways] of region.ways) {
    if (shared.has(from)) continue;
    for (const { to } of ways) if (shared.has(to)) entered.add(to);
  }
  const [join, ...more] = entered;
  return more.length > 0 ? null : join;
}

function leavesOnlyTo(region: Region, arm: ReadonlySet<string>, join: string | undefined): boolean {
  for (const id of arm) {
    for (const way of region.ways.get(id) ?? []) {
      if (arm.has(way.to)) continue;
      if (way.to !== join || way.decisions > 0) return false;
    }
  }
  return true;
}

function enteredOnlyFrom(region: Region, arm: Arm, source: string): boolean {
  for (const [from, ways] of region.ways) {
    if (arm.steps.has(from)) continue;
    for (const way of ways) {
      if (arm.steps.has(way.to) && (from !== source || way.to !== arm.start)) return false;
    }
  }
  return true;
}

function hasHuman(region: Region, arm: Arm): boolean {
  return [...arm.steps].some((id) => region.steps.get(id)?.kind === 'human');
}

/**
 * Reads the ways of one group as a fork: arms that share nothing before they meet in one step.
 * Undefined when the flow is of another shape, or when an arm waits for a person (a nested pause
 * is refused).
 */
export function readFork(
  region: Region,
  source: string,
  ways: readonly CollapsedEdge[],
): Fork | undefined {
  const starts = ways.map((way) => way.to);
  if (starts.length > MAX_ARMS) return undefined;
  if (new Set(starts).size < starts.length) return undefined;
  const reach = starts.map((start) => reachIn(region, start));
  if (source !== OUTSIDE && reach.some((set) => set.has(source))) return undefined;
  const join = joinOf(region, intersection(reach));
  if (join === null) return undefined;
  const behind = join === undefined ? new Set<string>() : reachIn(region, join);
  const arms = starts
    .map((start, i) => ({
      start,
      steps: new Set([...(reach[i] ?? [])].filter((id) => !behind.has(id))),
    }))
    .filter((arm) => arm.steps.has(arm.start));
  const clean = arms.every(
    (arm) =>
      leavesOnlyTo(region, arm.steps, join) &&
      enteredOnlyFrom(region, arm, source) &&
      !hasHuman(region, arm),
  );
  return clean && arms.length > 0 ? { arms, join } : undefined;
}
