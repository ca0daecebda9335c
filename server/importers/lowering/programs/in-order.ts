import type { CollapsedEdge } from '../collapse-edges.ts';
import {
  type ForkPlace,
  MAX_STEPS_OF_PARTS,
  plainWay,
  type Region,
  reachBefore,
} from './region.ts';

/** Steps between a fork and the place where all of it has come together again. */
interface Between {
  readonly steps: ReadonlySet<string>;
  /** Where the steps lead to; undefined when they lead nowhere. */
  readonly join: string | undefined;
}

function between(
  region: Region,
  ways: readonly CollapsedEdge[],
  ends: ReadonlySet<string>,
): Between | undefined {
  const steps = new Set<string>();
  const joins = new Set<string>();
  for (const { to } of ways) {
    for (const id of reachBefore(region, to, ends)) (ends.has(id) ? joins : steps).add(id);
  }
  const [join, ...more] = joins;
  if (more.length > 0) return undefined;
  const decides = [...steps].some((id) =>
    (region.ways.get(id) ?? []).some((way) => way.choices.length > 0 || way.decisions > 0),
  );
  return decides ? undefined : { steps, join };
}

/** The smallest part after the fork that holds no decision and has one way out only. */
function firstPart(region: Region, { ways, ends }: ForkPlace): Between | undefined {
  const [first, ...others] = ways.map((way) => reachBefore(region, way.to, ends));
  const shared = [...(first ?? [])].filter((id) => others.every((reach) => reach.has(id)));
  for (const join of shared) {
    const part = between(region, ways, new Set([...ends, join]));
    const after = reachBefore(region, join, ends);
    if (part !== undefined && ![...part.steps].some((id) => after.has(id))) return part;
  }
  return between(region, ways, ends);
}

/** Each step after all that feed it; undefined where the steps go round. */
function order(region: Region, steps: ReadonlySet<string>): string[] | undefined {
  const next = (id: string): string[] =>
    (region.ways.get(id) ?? []).map((way) => way.to).filter((to) => steps.has(to));
  const waiting = new Map<string, number>();
  for (const to of [...steps].flatMap(next)) waiting.set(to, (waiting.get(to) ?? 0) + 1);
  const out = [...steps].filter((id) => !waiting.has(id));
  for (const to of stream(out, next)) {
    const count = (waiting.get(to) ?? 0) - 1;
    waiting.set(to, count);
    if (count === 0) out.push(to);
  }
  return out.length === steps.size ? out : undefined;
}

/**
 * What each element of a list leads to. Elements that are added while the list is walked count too.
 */
function* stream(list: readonly string[], next: (id: string) => string[]): Iterable<string> {
  for (const id of list) yield* next(id);
}

/**
 * Writes what follows a fork one step after the other, each after all that feed it, where arms cross
 * and no decision stands between them. False when the flow is of another shape.
 */
export function putInOrder(region: Region, place: ForkPlace): boolean {
  const { source, ways } = place;
  if (region.steps.size > MAX_STEPS_OF_PARTS) return false;
  const part = firstPart(region, place);
  const steps = part && order(region, part.steps);
  const [first, ...rest] = steps ?? [];
  const entering = ways.find((way) => way.to === first) ?? ways[0];
  if (part === undefined || first === undefined || entering === undefined) return false;
  const gone = new Set(ways.filter((way) => way !== entering));
  const left = (region.ways.get(source) ?? []).filter((way) => !gone.has(way));
  region.ways.set(
    source,
    left.map((way) => (way === entering ? { ...way, to: first } : way)),
  );
  let at = first;
  for (const next of part.join === undefined ? rest : [...rest, part.join]) {
    region.ways.set(at, [plainWay(at, next)]);
    at = next;
  }
  return true;
}
