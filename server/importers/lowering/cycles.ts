import type { SourceRef } from '../analysis.ts';
import type { Card } from '../gaps/gap-stream.ts';
import { type Flow, reachedFrom } from './flow.ts';

interface Visit {
  readonly id: string;
  next: number;
}

/** Strongly connected groups by Tarjan's method, without recursion. */
class Groups {
  readonly found: string[][] = [];
  private readonly index = new Map<string, number>();
  private readonly low = new Map<string, number>();
  private readonly open = new Set<string>();
  private readonly stack: string[] = [];
  private readonly targets: (id: string) => readonly string[];

  constructor(targets: (id: string) => readonly string[]) {
    this.targets = targets;
  }

  visit(root: string): void {
    if (this.index.has(root)) return;
    const visits: Visit[] = [this.enter(root)];
    for (let top = visits.at(-1); top !== undefined; top = visits.at(-1)) {
      const target = this.targets(top.id)[top.next];
      top.next += 1;
      if (target === undefined) {
        visits.pop();
        this.leave(top.id, visits.at(-1)?.id);
      } else if (!this.index.has(target)) visits.push(this.enter(target));
      else if (this.open.has(target)) this.lower(top.id, this.index.get(target) ?? 0);
    }
  }

  private enter(id: string): Visit {
    this.index.set(id, this.index.size);
    this.low.set(id, this.index.size - 1);
    this.open.add(id);
    this.stack.push(id);
    return { id, next: 0 };
  }

  private lower(id: string, value: number): void {
    this.low.set(id, Math.min(this.low.get(id) ?? value, value));
  }

  private leave(id: string, parent: string | undefined): void {
    const low = this.low.get(id) ?? 0;
    if (parent !== undefined) this.lower(parent, low);
    if (low !== this.index.get(id)) return;
    const group: string[] = [];
    let member: string | undefined;
    do {
      member = this.stack.pop();
      if (member === undefined) break;
      this.open.delete(member);
      group.push(member);
    } while (member !== id);
    this.found.push(group);
  }
}

/** A cycle of the flow; members in element order. */
export interface Cycle {
  readonly members: readonly string[];
  readonly steps: readonly string[];
}

/**
 * Cycles of the flow, loops, containers and the elements of `ended` apart, listed by first member
 * (importers 6.9).
 */
export function findCycles(flow: Flow, ended: ReadonlySet<string> = new Set()): Cycle[] {
  const skipped = new Set(
    flow.graph.nodes
      .filter((node) => node.payload.kind === 'loop' || node.payload.kind === 'container')
      .map((node) => node.id)
      .concat([...ended]),
  );
  const order = new Map(flow.ids.map((id, index) => [id, index]));
  const targets = new Map<string, string[]>();
  for (const id of flow.ids) {
    if (skipped.has(id)) continue;
    const list = (flow.from.get(id) ?? []).map((c) => c.target).filter((t) => !skipped.has(t));
    targets.set(id, [...new Set(list)]);
  }
  const groups = new Groups((id) => targets.get(id) ?? []);
  for (const id of targets.keys()) groups.visit(id);
  const rank = (id: string): number => order.get(id) ?? 0;
  return groups.found
    .filter((group) => group.length > 1 || group.some((id) => targets.get(id)?.includes(id)))
    .map((group) => [...group].sort((a, b) => rank(a) - rank(b)))
    .sort((a, b) => rank(a[0] ?? '') - rank(b[0] ?? ''))
    .map((members) => ({ members, steps: members.filter((id) => flow.steps.has(id)) }));
}

function names(ids: readonly string[], refs: ReadonlyMap<string, SourceRef>): string {
  return ids.map((id) => `"${refs.get(id)?.source_label ?? id}"`).join(', ');
}

/** Cycles that hold a step, unless no step of them is reached (importers 6.9). */
export function stepCycleCards(
  cycles: readonly Cycle[],
  reached: ReadonlySet<string>,
  refs: ReadonlyMap<string, SourceRef>,
): Card[] {
  const out: Card[] = [];
  for (const cycle of cycles) {
    const [first] = cycle.steps;
    const ref = first === undefined ? undefined : refs.get(first);
    if (ref === undefined || !cycle.steps.some((id) => reached.has(id))) continue;
    const detail = `The flow goes round through ${names(cycle.members, refs)} without a limit.`;
    out.push({ ref, kind: 'unbounded_loop', detail });
  }
  return out;
}

/** Cycles without a step that a trigger reaches (importers 6.9). */
export function emptyCycleCards(
  flow: Flow,
  cycles: readonly Cycle[],
  refs: ReadonlyMap<string, SourceRef>,
): Card[] {
  const empty = cycles.filter((cycle) => cycle.steps.length === 0);
  if (empty.length === 0) return [];
  const reached = flow.graph.entries.map((entry) => reachedFrom(flow, entry.id));
  const out: Card[] = [];
  for (const cycle of empty) {
    const [first] = cycle.members;
    const ref = first === undefined ? undefined : refs.get(first);
    if (ref === undefined) continue;
    if (!cycle.members.some((id) => reached.some((set) => set.has(id)))) continue;
    const detail = `The flow goes round through ${names(cycle.members, refs)}, none of which is a step of the draft.`;
    out.push({ ref, kind: 'branching_shape', detail });
  }
  return out;
}
