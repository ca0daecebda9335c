import type { SourceRef } from '../analysis.ts';
import type { Card } from '../gaps/gap-stream.ts';
import { type CollapsedEdge, collapseFrom } from './collapse-edges.ts';
import { DECISION_ROLES, type Flow } from './flow.ts';

const MAX_CHOICE_SETS = 16;
/** Ways looked at from one step; more count as "too many choices". */
const MAX_WAYS = 4000;

/** Router → the output chosen there. */
type Choices = ReadonlyMap<string, number>;

interface Walked {
  readonly targets: ReadonlyMap<string, readonly Choices[]>;
  readonly overflow: boolean;
}

function keyOf(choices: Choices): string {
  return JSON.stringify([...choices].sort(([a], [b]) => (a < b ? -1 : 1)));
}

class ChoiceWalk {
  readonly targets = new Map<string, Choices[]>();
  overflow = false;
  private ways = 0;
  private readonly flow: Flow;
  private readonly met = new Map<string, Set<string>>();
  private readonly queue: { id: string; choices: Choices }[];

  constructor(flow: Flow, start: string) {
    this.flow = flow;
    this.queue = [{ id: start, choices: new Map() }];
  }

  run(): Walked {
    for (let i = 0; i < this.queue.length && this.ways < MAX_WAYS; i += 1) {
      const state = this.queue[i];
      if (state !== undefined) this.expand(state.id, state.choices);
    }
    const overflow = this.overflow || this.ways >= MAX_WAYS;
    return { targets: this.targets, overflow };
  }

  private expand(id: string, choices: Choices): void {
    const connections = this.flow.from.get(id) ?? [];
    const isRouter = connections.some((c) => DECISION_ROLES.has(this.flow.roleAt(id, c.position)));
    this.ways += connections.length;
    for (const { target, position } of connections) {
      const chosen = choices.get(id);
      if (isRouter && chosen !== undefined && chosen !== position) continue;
      this.arrive(target, isRouter ? new Map([...choices, [id, position]]) : choices);
    }
  }

  private arrive(target: string, choices: Choices): void {
    const met = this.met.get(target) ?? new Set();
    this.met.set(target, met);
    const key = keyOf(choices);
    if (met.has(key)) return;
    if (met.size >= MAX_CHOICE_SETS) {
      this.overflow = true;
      return;
    }
    met.add(key);
    if (this.flow.steps.has(target)) {
      this.targets.set(target, [...(this.targets.get(target) ?? []), choices]);
    } else this.queue.push({ id: target, choices });
  }
}

function agree(a: Choices, b: Choices): boolean {
  for (const [router, position] of a) {
    const other = b.get(router);
    if (other !== undefined && other !== position) return false;
  }
  return true;
}

function runsTogether({ targets, overflow }: Walked): boolean {
  const lists = [...targets.values()];
  if (lists.length < 2) return false;
  if (overflow) return true;
  return lists.some((list, i) =>
    lists.slice(i + 1).some((other) => list.some((a) => other.some((b) => agree(a, b)))),
  );
}

/** The steps that a run surely takes one after the other from the start. */
function forcedPath(start: string | undefined, edges: readonly CollapsedEdge[]): Set<string> {
  const path = new Set<string>();
  for (let at = start; at !== undefined && !path.has(at); ) {
    path.add(at);
    const here: string = at;
    const next = new Set(
      edges.filter((e) => e.from === here && e.labels.length === 0).map((e) => e.to),
    );
    const [only] = next;
    at = next.size === 1 ? only : undefined;
  }
  return path;
}

function entryForks(
  flow: Flow,
  edges: readonly CollapsedEdge[],
  start: string | undefined,
  reached: ReadonlySet<string>,
): { id: string; targets: string[] }[] {
  const path = forcedPath(start, edges);
  const out: { id: string; targets: string[] }[] = [];
  for (const entry of flow.graph.entries) {
    if (entry.basis !== 'declared') continue;
    const ways = collapseFrom(flow, entry.id).filter((way) => way.decisions === 0);
    const targets = [...new Set(ways.map((way) => way.to))];
    const loose = targets.some((id) => !path.has(id) && reached.has(id));
    if (targets.length > 1 && loose) out.push({ id: entry.id, targets });
  }
  return out;
}

/** Fan-outs under the rule "a step runs once per run" (importers 6.8, *join*). */
export function findJoinForks(
  flow: Flow,
  edges: readonly CollapsedEdge[],
  start: string | undefined,
  reached: ReadonlySet<string>,
): { id: string; targets: readonly string[] }[] {
  const forks: { id: string; targets: readonly string[] }[] = entryForks(
    flow,
    edges,
    start,
    reached,
  );
  for (const id of flow.stepOrder) {
    const walked = new ChoiceWalk(flow, id).run();
    if (runsTogether(walked)) forks.push({ id, targets: [...walked.targets.keys()] });
  }
  return forks;
}

/** One card for each element that starts several steps in the same run. */
export function joinForkCards(
  forks: readonly { id: string; targets: readonly string[] }[],
  refs: ReadonlyMap<string, SourceRef>,
): Card[] {
  const out: Card[] = [];
  for (const { id, targets } of forks) {
    const ref = refs.get(id);
    if (ref === undefined) continue;
    const names = targets.map((target) => `"${refs.get(target)?.source_label ?? target}"`);
    const detail = `"${ref.source_label}" starts ${names.join(', ')} in the same run; a graph follows one edge at a time.`;
    out.push({ ref, kind: 'branching_shape', detail });
  }
  return out;
}
