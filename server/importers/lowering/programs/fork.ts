import type { CollapsedEdge } from '../collapse-edges.ts';
import { OUTSIDE, type Region, reachBefore, reachIn } from './region.ts';

/** Arms of one fork that are worth writing side by side; more is no hand-made flow. */
const MAX_ARMS = 32;
/** Beyond this size a flow is read as one fork or not at all. */
const MAX_STEPS_OF_PARTS = 300;

/** One arm of a fork: where it starts and the steps that only it has. */
export interface Arm {
  readonly start: string;
  readonly steps: ReadonlySet<string>;
}

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

/** Steps from which the fork can be reached again: in a loop the arms end before them. */
function before(region: Region, source: string): ReadonlySet<string> {
  if (source === OUTSIDE || !reachIn(region, source, true).has(source)) return new Set();
  const into = new Map<string, string[]>();
  for (const [from, ways] of region.ways) {
    for (const { to } of ways) into.set(to, [...(into.get(to) ?? []), from]);
  }
  const out = new Set([source]);
  for (const id of out) for (const from of into.get(id) ?? []) out.add(from);
  out.delete(OUTSIDE);
  return out;
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

function enteredOnlyFrom(region: Region, arm: Arm, source: string): boolean {
  for (const [from, ways] of region.ways) {
    if (arm.steps.has(from)) continue;
    for (const way of ways) {
      if (arm.steps.has(way.to) && (from !== source || way.to !== arm.start)) return false;
    }
  }
  return true;
}

/** True when a step of the arm waits for a person; a pause by the clock can be a function. */
function waitsForPerson(region: Region, arm: Arm): boolean {
  return [...arm.steps].some((id) => {
    const step = region.steps.get(id);
    return step?.kind === 'human' && step.timer === undefined;
  });
}

function readArms(
  region: Region,
  source: string,
  ways: readonly CollapsedEdge[],
  ahead: ReadonlySet<string>,
): Fork | undefined {
  const starts = ways.map((way) => way.to);
  const reach = starts.map((start) => reachBefore(region, start, ahead));
  const counts = countsOf(reach);
  const arms = starts
    .map((start, i) => ({
      start,
      steps: new Set([...(reach[i] ?? [])].filter((id) => counts.get(id) === 1 && !ahead.has(id))),
    }))
    .filter((arm) => arm.steps.has(arm.start));
  const own = new Set(arms.flatMap((arm) => [...arm.steps]));
  const joins = joinsOf(region, own, starts);
  if (joins === undefined || arms.length === 0) return undefined;
  const clean = arms.every(
    (arm) =>
      leavesAtItsEnd(region, arm.steps) &&
      enteredOnlyFrom(region, arm, source) &&
      !waitsForPerson(region, arm),
  );
  return clean ? { ways, arms, joins } : undefined;
}

/** Sets of ways that meet in a step which the other ways do not reach; the smallest first. */
function meetings(
  region: Region,
  ways: readonly CollapsedEdge[],
  ahead: ReadonlySet<string>,
): CollapsedEdge[][] {
  const reach = ways.map((way) => reachBefore(region, way.to, ahead));
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
export function readFork(
  region: Region,
  source: string,
  ways: readonly CollapsedEdge[],
): Fork | undefined {
  const starts = new Set(ways.map((way) => way.to));
  if (ways.length > MAX_ARMS || starts.size < ways.length) return undefined;
  const ahead = before(region, source);
  const whole = readArms(region, source, ways, ahead);
  if (whole !== undefined) return whole;
  if (region.steps.size > MAX_STEPS_OF_PARTS) return undefined;
  for (const part of meetings(region, ways, ahead)) {
    const fork = readArms(region, source, part, ahead);
    if (fork !== undefined) return fork;
  }
  return undefined;
}
