import type { CollapsedEdge } from '../collapse-edges.ts';
import { endsOf, MAX_ARMS, type Region, reachBefore } from './region.ts';
import type { Writing } from './writing.ts';

/** More copies than this make a draft that nobody would draw. */
const MAX_COPIES = 12;

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

function mayBeCopied(
  writing: Writing,
  region: Region,
  arms: Arms,
  shared: readonly string[],
): boolean {
  const copies =
    arms.reduce((sum, arm) => sum + arm.size, 0) - new Set(arms.flatMap((arm) => [...arm])).size;
  if (shared.length === 0 || copies > MAX_COPIES) return false;
  const inArms = arms.flatMap((arm) => [...arm]);
  if (inArms.some((id) => region.steps.get(id)?.kind === 'human')) return false;
  return shared.every((id) => !writing.gathering.has(id));
}

/** Gives each arm after the first that holds a step a copy of it; the map says which is whose. */
function copySteps(writing: Writing, region: Region, arms: Arms): Map<string, string>[] {
  const taken = new Set<string>();
  return arms.map((arm, i) => {
    const own = new Map<string, string>();
    for (const id of arm) {
      const step = region.steps.get(id);
      const copy = `copy:${i}:${id}`;
      if (taken.has(id) && step !== undefined) {
        region.steps.set(copy, { ...step, id: writing.draft.claimStepId(step.id) });
      }
      own.set(id, taken.has(id) ? copy : id);
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
  source: string,
  ways: readonly CollapsedEdge[],
): Separated | undefined {
  const ends = endsOf(region, source);
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
