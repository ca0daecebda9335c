import type { SourceRef } from '../../analysis.ts';
import type { Card } from '../../gaps/gap-stream.ts';
import type { Graph } from '../../graph-ir.ts';
import { type Cycle, findCycles } from '../cycles.ts';
import type { Flow } from '../flow.ts';
import type { Gated } from './gates.ts';

/** Beyond this many steps a circle is told by its first ones. */
const MAX_NAMES = 8;

/** The greatest limit that an element among these declares for its loop. */
export function capOf(graph: Graph, ids: readonly string[]): number | undefined {
  let greatest = 0;
  const asked = new Set(ids);
  for (const { id, payload } of graph.nodes) {
    if (payload.kind !== 'component' && payload.kind !== 'passthrough') continue;
    if (!asked.has(id)) continue;
    greatest = Math.max(greatest, payload.cap ?? 0);
  }
  return greatest > 0 ? greatest : undefined;
}

/** The shortest way round from an element to itself, the element first. */
function wayRound(flow: Flow, start: string, inside: ReadonlySet<string>): string[] {
  const before = new Map<string, string>();
  const queue = [start];
  for (let i = 0; i < queue.length && !before.has(start); i += 1) {
    const at = queue[i] ?? '';
    for (const { target } of flow.from.get(at) ?? []) {
      if (!inside.has(target) || before.has(target)) continue;
      before.set(target, at);
      queue.push(target);
    }
  }
  const way: string[] = [];
  for (let at = before.get(start); at !== undefined && at !== start; at = before.get(at)) {
    way.unshift(at);
  }
  return [start, ...way];
}

/** What bounds each circle of the flow; writes into `cards`, which hold the gaps of the decisions. */
class LoopCards {
  private readonly flow: Flow;
  private readonly refs: ReadonlyMap<string, SourceRef>;
  private readonly cards: Card[];
  /** Decision whose condition the author has to write → its gap, and its outputs. */
  private readonly unwritten = new Map<string, { card: number; positions: readonly number[] }>();

  constructor(
    flow: Flow,
    refs: ReadonlyMap<string, SourceRef>,
    cards: Card[],
    undecided: ReadonlySet<string>,
  ) {
    this.flow = flow;
    this.refs = refs;
    this.cards = cards;
    const told = new Map(
      cards.flatMap(({ kind, ref }, index) =>
        kind === 'expression' ? [[ref.source_id, index] as const] : [],
      ),
    );
    for (const { id, outputs } of flow.graph.nodes) {
      const card = told.get(id);
      if (card === undefined || !undecided.has(id)) continue;
      const choices = outputs.filter(({ role }) => role === 'case' || role === 'else');
      this.unwritten.set(id, { card, positions: choices.map(({ position }) => position) });
    }
  }

  /** Tells the circles that are left of `all` without the elements of `ended`. */
  tell(all: readonly Cycle[], ended: ReadonlySet<string>): void {
    if (all.length === 0) return;
    const told = new Set(ended);
    let isOpen = true;
    while (isOpen) {
      isOpen = false;
      for (const cycle of findCycles(this.flow, told)) {
        for (const id of this.tellOne(cycle, told.size > ended.size)) {
          told.add(id);
          isOpen ||= this.unwritten.has(id);
        }
      }
    }
  }

  /** Tells what bounds one circle; answers the elements that need not be looked at again. */
  private tellOne(cycle: Cycle, isInner: boolean): readonly string[] {
    const [first] = cycle.steps;
    if (first === undefined && !isInner) return cycle.members;
    const cap = capOf(this.flow.graph, cycle.members);
    const inside = new Set(cycle.members);
    const exits = cycle.members.filter((id) => this.leaves(id, inside));
    if (cap === undefined && exits.length > 0) {
      for (const id of exits) this.tellExit(id, inside);
      return exits;
    }
    const loop = cycle.steps.find((id) => this.flow.roleAt(id, 0) !== 'default');
    const ref = this.refs.get(loop ?? first ?? cycle.members[0] ?? '');
    if (ref === undefined) return cycle.members;
    const names = this.names(first === undefined ? cycle.members : cycle.steps);
    this.cards.push(cap === undefined ? unbounded(ref, names) : carriedCap(ref, cap));
    return cycle.members;
  }

  /** True when an output that the author decides about leads out of the circle only, or nowhere. */
  private leaves(id: string, inside: ReadonlySet<string>): boolean {
    const ways = this.flow.from.get(id) ?? [];
    const back = new Set(ways.filter((w) => inside.has(w.target)).map((w) => w.position));
    return this.unwritten.get(id)?.positions.some((position) => !back.has(position)) === true;
  }

  private tellExit(id: string, inside: ReadonlySet<string>): void {
    const index = this.unwritten.get(id)?.card;
    const card = index === undefined ? undefined : this.cards[index];
    if (index === undefined || card === undefined) return;
    const round = wayRound(this.flow, id, inside);
    const shown = round.filter((at) => at === id || this.flow.steps.has(at));
    const more = shown.length > MAX_NAMES ? ' → …' : '';
    const way = shown.slice(0, MAX_NAMES).map((at) => `"${this.label(at)}"`);
    const detail = `${card.detail} It ends the circle ${way.join(' → ')}${more}, which has no other limit.`;
    const todo = `${card.todo ?? 'Write the condition by hand.'} Then choose max_steps, the greatest number of steps that the circle may take.`;
    this.cards[index] = { ...card, detail, todo };
  }

  private names(ids: readonly string[]): string {
    return ids.map((id) => `"${this.label(id)}"`).join(', ');
  }

  private label(id: string): string {
    return this.refs.get(id)?.source_label ?? id;
  }
}

function unbounded(ref: SourceRef, names: string): Card {
  const detail = `The flow goes round through ${names} without a limit.`;
  return { ref, kind: 'unbounded_loop', detail };
}

function carriedCap(ref: SourceRef, cap: number): Card {
  const detail = `The limit of "${ref.source_label}" (${cap}) became the limit of the whole graph.`;
  const todo = 'Check that the limit is enough for all rounds together.';
  return { ref, kind: 'carried_as', severity: 'manual', detail, todo };
}

/**
 * Tells what bounds each circle of a flow (decision record 0009). A circle through an element of
 * `ended` has its end. One that only a decision ends whose condition the author must write anyway is
 * told by the gap of that decision; any other without a limit is an `unbounded_loop`. `cycles` are all
 * circles of the flow.
 */
export function tellLoops(
  flow: Flow,
  refs: ReadonlyMap<string, SourceRef>,
  { ended, undecided }: Pick<Gated, 'ended' | 'undecided'>,
  cards: Card[],
  cycles: readonly Cycle[],
): void {
  new LoopCards(flow, refs, cards, undecided).tell(cycles, ended);
}
