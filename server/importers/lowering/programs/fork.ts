import type { CollapsedEdge } from '../collapse-edges.ts';
import {
  type ForkPlace,
  MAX_ARMS,
  MAX_STEPS_OF_PARTS,
  type Region,
  reachBefore,
} from './region.ts';

/** One arm of a fork: where it starts and the steps that only it has. */
export interface Arm {
  readonly start: string;
  readonly steps: ReadonlySet<string>;
}

/** Says whether the source may end without an error after a step that has ways on. */
export type MayEnd = (id: string) => boolean;

/** A fork that can be written as steps side by side. */
export interface Fork {
  /** The ways that the fork replaces. */
  readonly ways: readonly CollapsedEdge[];
  readonly arms: readonly Arm[];
  /**
   * Where the arms meet: nowhere, in one step (in a loop it may lie before the fork), or in several
   * steps that each get what every arm gave.
   */
  readonly joins: readonly string[];
}

/** How often each step is reached, over all arms. */
function countsOf(sets: readonly ReadonlySet<string>[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const set of sets) for (const id of set) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}

function exits(region: Region, own: ReadonlySet<string>, id: string): Set<string> {
  const targets = (region.ways.get(id) ?? []).map((way) => way.to);
  return new Set(targets.filter((to) => !own.has(to)));
}

/** The steps through which the arms are left; undefined when the arms do not agree on them. */
function joinsOf(
  region: Region,
  own: ReadonlySet<string>,
  starts: readonly string[],
): string[] | undefined {
  const direct = starts.filter((start) => !own.has(start));
  const left = [...own].map((id) => exits(region, own, id)).filter((set) => set.size > 0);
  const joins = new Set([...direct, ...left.flatMap((set) => [...set])]);
  if (joins.size > 1 && (direct.length > 0 || left.some((set) => set.size < joins.size))) {
    return undefined;
  }
  return [...joins];
}

/** True when what leaves the arm is its last result, and leaves it whatever the arm decides. */
function leavesAtItsEnd(region: Region, arm: ReadonlySet<string>): boolean {
  for (const id of arm) {
    const ways = region.ways.get(id) ?? [];
    const leaving = ways.filter((way) => !arm.has(way.to));
    if (leaving.length > 0 && leaving.length < ways.length) return false;
    if (leaving.some((way) => way.decisions > 0)) return false;
  }
  return true;
}

/** True when the arm is entered at its start only, and by the ways of its fork only. */
function isEnteredBy(region: Region, arm: Arm, entering: readonly CollapsedEdge[]): boolean {
  for (const [from, ways] of region.ways) {
    if (arm.steps.has(from)) continue;
    for (const way of ways) {
      if (arm.steps.has(way.to) && (way.to !== arm.start || !entering.includes(way))) return false;
    }
  }
  return true;
}

/**
 * True when every way of the arm, whatever is decided on it, leads to one of the joins without
 * coming round to the fork again.
 */
function alwaysLeaves(
  region: Region,
  source: string,
  start: string,
  joins: ReadonlySet<string>,
  mayEnd: MayEnd,
): boolean {
  if (joins.size === 0) return false;
  const arm = reachBefore(region, start, joins);
  if (arm.has(source) && !joins.has(source)) return false;
  return (
    [...joins].every((join) => arm.has(join)) &&
    [...arm].every((id) => joins.has(id) || ((region.ways.get(id) ?? []).length > 0 && !mayEnd(id)))
  );
}

/** True when a step of the arm waits for a person; a pause by the clock can be a function. */
function waitsForPerson(region: Region, arm: Arm): boolean {
  return [...arm.steps].some((id) => {
    const step = region.steps.get(id);
    return step?.kind === 'human' && step.timer === undefined;
  });
}

/** The arms of a fork, by the steps that only they have. */
function armsOf(region: Region, { ways, ends }: ForkPlace): Arm[] {
  const starts = ways.map((way) => way.to);
  const reach = starts.map((start) => reachBefore(region, start, ends));
  const counts = countsOf(reach);
  return starts
    .map((start, i) => ({
      start,
      steps: new Set([...(reach[i] ?? [])].filter((id) => counts.get(id) === 1 && !ends.has(id))),
    }))
    .filter((arm) => arm.steps.has(arm.start));
}

function isClean(region: Region, arm: Arm, entering: readonly CollapsedEdge[]): boolean {
  return (
    leavesAtItsEnd(region, arm.steps) &&
    isEnteredBy(region, arm, entering) &&
    !waitsForPerson(region, arm)
  );
}

function readArms(region: Region, place: ForkPlace): Fork | undefined {
  const { ways } = place;
  const starts = ways.map((way) => way.to);
  const arms = armsOf(region, place);
  const own = new Set(arms.flatMap((arm) => [...arm.steps]));
  const joins = joinsOf(region, own, starts);
  if (joins === undefined || arms.length === 0) return undefined;
  return arms.every((arm) => isClean(region, arm, ways)) ? { ways, arms, joins } : undefined;
}

/** Sets of ways that meet in a step which the other ways do not reach; the smallest first. */
function meetings(region: Region, { ways, ends }: ForkPlace): CollapsedEdge[][] {
  const reach = ways.map((way) => reachBefore(region, way.to, ends));
  const sets = new Map<string, CollapsedEdge[]>();
  for (const id of countsOf(reach).keys()) {
    const meeting = ways.filter((_, i) => reach[i]?.has(id));
    if (meeting.length < 2 || meeting.length === ways.length) continue;
    sets.set(meeting.map((way) => way.to).join('\n'), meeting);
  }
  return [...sets.values()].sort((a, b) => a.length - b.length);
}

/**
 * Reads the ways of one group as a fork: arms that share nothing before they meet in one step. When
 * the arms meet in several steps, the fork is of those that meet first. Undefined when the flow is
 * of another shape, or when an arm waits for a person (a nested pause is refused).
 */
export function readFork(region: Region, place: ForkPlace): Fork | undefined {
  const { ways } = place;
  const starts = new Set(ways.map((way) => way.to));
  if (ways.length > MAX_ARMS || starts.size < ways.length) return undefined;
  const whole = readArms(region, place);
  if (whole !== undefined) return whole;
  if (region.steps.size > MAX_STEPS_OF_PARTS) return undefined;
  for (const part of meetings(region, place)) {
    const fork = readArms(region, { ...place, ways: part });
    if (fork !== undefined) return fork;
  }
  return undefined;
}

/**
 * Reads the ways of one group as arms of which one has to stand last, since it decides or waits on
 * its way to where all of them meet. The others run before it. Undefined when there is no such arm.
 */
export function readSequence(region: Region, place: ForkPlace, mayEnd: MayEnd): Fork | undefined {
  const { ways } = place;
  const starts = new Set(ways.map((way) => way.to));
  if (ways.length > MAX_ARMS || starts.size < ways.length) return undefined;
  const all = armsOf(region, place);
  if (all.length < ways.length) return undefined;
  const open = all.filter((arm) => !isClean(region, arm, ways));
  const [last, ...more] = open;
  if (last === undefined || more.length > 0 || !isEnteredBy(region, last, ways)) return undefined;
  const arms = all.filter((arm) => arm !== last);
  const own = new Set(arms.flatMap((arm) => [...arm.steps]));
  const joins = joinsOf(
    region,
    own,
    arms.map((arm) => arm.start),
  );
  if (
    joins === undefined ||
    !alwaysLeaves(region, place.source, last.start, new Set(joins), mayEnd)
  )
    return undefined;
  return { ways, arms, joins: [last.start] };
}
