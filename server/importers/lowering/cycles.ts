import type { SourceRef } from '../analysis.ts';
import type { Card } from '../gaps/gap-stream.ts';
import { type Flow, reachedFrom } from './flow.ts';

/** An element on the way of the search. */
interface Visit {
  readonly id: string;
  readonly targets: readonly string[];
  readonly index: number;
  low: number;
  next: number;
  isOpen: boolean;
}

/** Strongly connected groups by Tarjan's method, without recursion. */
class Groups {
  readonly found: string[][] = [];
  private readonly visits = new Map<string, Visit>();
  private readonly stack: Visit[] = [];
  private readonly targets: ReadonlyMap<string, readonly string[]>;

  constructor(targets: ReadonlyMap<string, readonly string[]>) {
    this.targets = targets;
  }

  visit(root: string): void {
    if (this.visits.has(root)) return;
    const path: Visit[] = [this.enter(root)];
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const target = top.targets[top.next];
      top.next += 1;
      if (target === undefined) {
        path.pop();
        this.leave(top, path.at(-1));
        continue;
      }
      const known = this.visits.get(target);
      if (known === undefined) path.push(this.enter(target));
      else if (known.isOpen) top.low = Math.min(top.low, known.index);
    }
  }

  private enter(id: string): Visit {
    const index = this.visits.size;
    const targets = this.targets.get(id) ?? [];
    const visit = { id, targets, index, low: index, next: 0, isOpen: true };
    this.visits.set(id, visit);
    this.stack.push(visit);
    return visit;
  }

  private leave(visit: Visit, parent: Visit | undefined): void {
    if (parent !== undefined) parent.low = Math.min(parent.low, visit.low);
    if (visit.low !== visit.index) return;
    const group: string[] = [];
    let member: Visit | undefined;
    do {
      member = this.stack.pop();
      if (member === undefined) break;
      member.isOpen = false;
      group.push(member.id);
    } while (member !== visit);
    this.found.push(group);
  }
}

/** A cycle of the flow; members in element order. */
export interface Cycle {
  readonly members: readonly string[];
  readonly steps: readonly string[];
}

/** Steps and other nodes before what else flow crosses, so that the first member is a node. */
function memberOrder(flow: Flow): ReadonlyMap<string, number> {
  const nodes = flow.graph.nodes.map((node) => node.id);
  return new Map([...new Set([...nodes, ...flow.ids])].map((id, index) => [id, index]));
}

/**
 * Cycles of the flow without the elements of `ended`, listed by first member. A cycle that holds a
 * loop or a container is left out whole (importers 6.9).
 */
export function findCycles(flow: Flow, ended: ReadonlySet<string> = new Set()): Cycle[] {
  const targets = new Map<string, string[]>();
  for (const id of flow.ids) {
    if (ended.has(id)) continue;
    const list = (flow.from.get(id) ?? []).map((c) => c.target).filter((t) => !ended.has(t));
    targets.set(id, list.length > 1 ? [...new Set(list)] : list);
  }
  const groups = new Groups(targets);
  for (const id of targets.keys()) groups.visit(id);
  const bounded = new Set(
    flow.graph.nodes
      .filter((node) => node.payload.kind === 'loop' || node.payload.kind === 'container')
      .map((node) => node.id),
  );
  const circles = groups.found.filter(
    (group) =>
      (group.length > 1 || group.some((id) => targets.get(id)?.includes(id))) &&
      !group.some((id) => bounded.has(id)),
  );
  if (circles.length === 0) return [];
  const order = memberOrder(flow);
  const rank = (id: string): number => order.get(id) ?? 0;
  return circles
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
