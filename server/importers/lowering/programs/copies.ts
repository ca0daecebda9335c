import type { CollapsedEdge } from '../collapse-edges.ts';
import { type ForkPlace, MAX_ARMS, type Region, reachBefore } from './region.ts';
import type { Writing } from './writing.ts';

/** More copies than this at one fork make a draft that nobody would draw. */
const MAX_COPIES = 12;

/** Copies of copies end here: decisions that stand in a row would double them each time. */
const MAX_COPIES_IN_ALL = 60;

/** The ways of a fork whose arms have copies of the steps that they shared. */
export interface Separated {
  readonly ways: readonly CollapsedEdge[];
  /** Source ids of the steps that now stand in several arms. */
  readonly shared: readonly string[];
}

type Arms = readonly ReadonlySet<string>[];

function sharedSteps(arms: Arms): string[] {
  const seen = new Set<string>();
  const shared = new Set<string>();
  for (const arm of arms) for (const id of arm) (seen.has(id) ? shared : seen).add(id);
  return [...shared];
}

function hasRoomFor(writing: Writing, copies: number): boolean {
  return copies <= MAX_COPIES && writing.copies.size + copies <= MAX_COPIES_IN_ALL;
}

function mayBeCopied(
  writing: Writing,
  region: Region,
  arms: Arms,
  shared: readonly string[],
): boolean {
  const copies =
    arms.reduce((sum, arm) => sum + arm.size, 0) - new Set(arms.flatMap((arm) => [...arm])).size;
  if (shared.length === 0 || !hasRoomFor(writing, copies)) return false;
  const inArms = arms.flatMap((arm) => [...arm]);
  if (inArms.some((id) => region.steps.get(id)?.kind === 'human')) return false;
  return shared.every((id) => !writing.gathering.has(writing.copies.get(id) ?? id));
}

/** Adds a copy of a step to the region, without ways; answers its id. */
function copyStep(writing: Writing, region: Region, id: string): string {
  const step = region.steps.get(id);
  if (step === undefined) return id;
  const own = writing.draft.claimStepId(step.id);
  const copy = `copy:${own}`;
  region.steps.set(copy, { ...step, id: own });
  writing.copies.set(copy, writing.copies.get(id) ?? id);
  return copy;
}

/** Gives each arm after the first that holds a step a copy of it; the map says which is whose. */
function copySteps(writing: Writing, region: Region, arms: Arms): Map<string, string>[] {
  const taken = new Set<string>();
  return arms.map((arm) => {
    const own = new Map<string, string>();
    for (const id of arm) {
      own.set(id, taken.has(id) ? copyStep(writing, region, id) : id);
      taken.add(id);
    }
    return own;
  });
}

/**
 * Separates the arms of a fork that go into each other's steps: a source that runs a step once for
 * each connection that arrives runs such a step in every arm, so each arm has its own. Only for arms
 * that lead nowhere else, hold no pause, and share no step that waits for all of its inputs;
 * undefined otherwise.
 */
export function separateArms(
  writing: Writing,
  region: Region,
  { source, ways, ends }: ForkPlace,
): Separated | undefined {
  if (!writing.runsPerArrival || ways.length > MAX_ARMS) return undefined;
  if (new Set(ways.map((way) => way.to)).size < ways.length) return undefined;
  const arms = ways.map((way) => reachBefore(region, way.to, ends));
  if (arms.some((arm) => [...arm].some((id) => ends.has(id)))) return undefined;
  const shared = sharedSteps(arms);
  if (!mayBeCopied(writing, region, arms, shared)) return undefined;
  const before = new Map(region.ways);
  const copies = copySteps(writing, region, arms);
  const own = (way: CollapsedEdge, arm: number): CollapsedEdge => ({
    ...way,
    from: copies[arm]?.get(way.from) ?? way.from,
    to: copies[arm]?.get(way.to) ?? way.to,
  });
  for (const [i, names] of copies.entries()) {
    for (const [id, name] of names) {
      region.ways.set(
        name,
        (before.get(id) ?? []).map((way) => own(way, i)),
      );
    }
  }
  const entering = new Map(ways.map((way, i) => [way, own(way, i)]));
  region.ways.set(
    source,
    (before.get(source) ?? []).map((way) => entering.get(way) ?? way),
  );
  return { ways: [...entering.values()], shared };
}

/**
 * Gives the ways of a fork that start at a step of another output a copy of that step: only one of
 * the outputs is taken in a run. Answers the ways of the fork, and the steps that were copied.
 */
export function withOwnStarts(
  writing: Writing,
  region: Region,
  { source, ways, contested }: ForkPlace,
): Separated {
  const shared = ways.filter(
    ({ to }) => contested.has(to) && region.steps.get(to)?.kind !== 'human',
  );
  if (shared.length === 0 || !hasRoomFor(writing, shared.length)) return { ways, shared: [] };
  const own = new Map(
    shared.map((way) => {
      const copy = copyStep(writing, region, way.to);
      const on = (region.ways.get(way.to) ?? []).map((next) => ({ ...next, from: copy }));
      region.ways.set(copy, on);
      return [way, { ...way, to: copy }];
    }),
  );
  const kept = (region.ways.get(source) ?? []).map((way) => own.get(way) ?? way);
  region.ways.set(source, kept);
  return { ways: ways.map((way) => own.get(way) ?? way), shared: shared.map((way) => way.to) };
}
