import type { SourceRef } from '../analysis.ts';
import type { Way } from './draft-flow.ts';
import type { Place } from './place.ts';
import type { LedgerScene } from './scene.ts';
import type { Verdict } from './survey.ts';

/** An element that wires start at or end at. */
export interface WiredElement {
  readonly ref: SourceRef;
  /** True: flow comes in here from outside. */
  readonly isEntry: boolean;
  /** True: switched off in the source. */
  readonly isOff: boolean;
}

export interface Wire {
  readonly source: string;
  readonly target: string;
  /** What an edge of the draft may call the output; none for the only one. */
  readonly names: readonly string[];
  /** False for one that flow does not take in the source. */
  readonly passes: boolean;
}

interface Reach {
  readonly steps: readonly string[];
  /** What lies between, the element itself included. */
  readonly crossed: readonly string[];
  /** True: it also leads to where runs start. */
  readonly outside: boolean;
}

/** The ways of the draft that may be it, or another answer. */
type Decided = Verdict | readonly [Way, ...Way[]];

/** More steps than this on one side are not looked at for cards. */
const MOST_ASKED = 50;

type Neighbours = ReadonlyMap<string, readonly string[]>;

type End = 'source' | 'target';

function neighbours(wires: readonly Wire[], near: End, far: End): Neighbours {
  const out = new Map<string, string[]>();
  for (const wire of wires) {
    if (!wire.passes) continue;
    const list = out.get(wire[near]);
    if (list === undefined) out.set(wire[near], [wire[far]]);
    else if (list.at(-1) !== wire[far]) list.push(wire[far]);
  }
  return out;
}

/** What became of the wires of a source: each is looked for in the flow of the draft. */
export class Wires {
  private readonly scene: LedgerScene;
  private readonly elements: ReadonlyMap<string, WiredElement>;
  private readonly before: Neighbours;
  private readonly after: Neighbours;
  private readonly reached = { before: new Map<string, Reach>(), after: new Map<string, Reach>() };
  private readonly decided = new Map<string, Map<string, Decided>>();

  constructor(
    scene: LedgerScene,
    elements: ReadonlyMap<string, WiredElement>,
    wires: readonly Wire[],
  ) {
    this.scene = scene;
    this.elements = elements;
    this.after = neighbours(wires, 'source', 'target');
    this.before = neighbours(wires, 'target', 'source');
  }

  decide(wire: Wire): Verdict {
    const { source, target } = wire;
    const unused = wire.passes ? [] : this.unused(wire);
    if (unused.length > 0) return { fate: 'told', cards: unused };
    const bySource = this.decided.get(source) ?? new Map<string, Decided>();
    this.decided.set(source, bySource);
    const known = bySource.get(target) ?? this.look(source, target);
    bySource.set(target, known);
    if ('fate' in known) return known;
    const isUnnamed = ({ outputs }: Way): boolean => outputs.length === 0;
    const on = known.find((way) => this.isOn(wire, way)) ?? known.find(isUnnamed) ?? known[0];
    return { fate: 'carried', form: 'translated', draft: on.place };
  }

  /** The cards that tell why a wire passes no flow: of one of its ends, else all of the first. */
  private unused({ source, target }: Wire): readonly number[] {
    for (const end of [source, target]) {
      const outputs = this.scene.cardsOf(end, undefined, 'outputs');
      if (outputs.length > 0) return outputs;
    }
    return this.scene.cardsOf(source);
  }

  /** True for an edge that names the output: the first on it is that of the step that it leaves. */
  private isOn({ source, names }: Wire, { outputs }: Way): boolean {
    const asked = this.scene.runsOf(source) === undefined ? outputs : outputs.slice(0, 1);
    return asked.some((output) => names.includes(output));
  }

  private look(source: string, target: string): Decided {
    const from = this.reach(source, this.before, 'before');
    const to = this.reach(target, this.after, 'after');
    const start = this.startAt(from, to.steps);
    if (start !== undefined) return { fate: 'carried', form: 'translated', draft: start };
    const [way, ...more] = this.carriedBy(from, to.steps);
    if (way !== undefined) return [way, ...more];
    const cards = this.cards(source, target, from, to);
    if (cards.length > 0) return { fate: 'told', cards };
    const isIdle = from.steps.length === 0 && !from.crossed.some((id) => this.isEntry(id));
    const card = isIdle ? this.idle(source, target) : this.lost(source, target);
    return { fate: 'told', cards: [card] };
  }

  private startAt(from: Reach, to: readonly string[]): Place | undefined {
    if (!from.outside) return undefined;
    for (const target of to) {
      const runs = this.scene.runsOf(target);
      const start = runs === undefined ? undefined : this.scene.flow.startOf(runs);
      if (start !== undefined) return start;
    }
    return undefined;
  }

  /** The ways of the draft from one of the first steps to one of the last. */
  private carriedBy(from: Reach, to: readonly string[]): readonly Way[] {
    const { flow } = this.scene;
    for (const target of to) {
      const runs = this.scene.runsOf(target);
      if (runs === undefined) continue;
      for (const source of from.steps) {
        const ways = flow.next(this.scene.runsOf(source) ?? '').get(runs);
        if (ways !== undefined) return ways;
      }
    }
    return [];
  }

  /** The cards that tell why the draft does not have the wire. */
  private cards(source: string, target: string, from: Reach, to: Reach): readonly number[] {
    const { scene } = this;
    const forks = this.flowCards(source, target, from, to);
    if (forks.length > 0) return forks;
    const above = this.putInOrder(from, to);
    if (above.length > 0) return above;
    if (this.elements.get(source)?.isOff === true) return scene.cardsOf(source);
    if (to.steps.length === 0) return scene.cardsOf(target);
    return from.steps.length === 0 && !from.outside ? scene.cardsOf(source) : [];
  }

  private flowCards(source: string, target: string, from: Reach, to: Reach): number[] {
    const { scene } = this;
    const starts = [...new Set([source, ...from.steps])].slice(0, MOST_ASKED);
    const above = [...new Set([...starts, ...from.crossed])].slice(0, MOST_ASKED);
    const ends = [...new Set([target, ...to.steps])].slice(0, MOST_ASKED);
    const idle = [...starts, ...ends].flatMap((id) => scene.cardsOf(id, undefined, 'idle'));
    const cut = ends.flatMap((id) => scene.cardsOf(id, undefined, 'flow'));
    const forked = above
      .flatMap((id) => scene.cardsOf(id, undefined, 'flow'))
      .filter((card) => scene.cards[card]?.names?.some((id) => ends.includes(id)));
    return [...new Set([...idle, ...cut, ...forked])];
  }

  /**
   * A wire whose end runs later, not next: the cards of the nearest fork above it, whose arms the
   * draft puts one after the other.
   */
  private putInOrder(from: Reach, to: Reach): readonly number[] {
    const { flow } = this.scene;
    const starts = from.steps.slice(0, MOST_ASKED);
    const ends = to.steps.slice(0, MOST_ASKED).map((id) => this.scene.runsOf(id) ?? '');
    const isLater = starts.some((id) =>
      ends.some((end) => flow.isLater(this.scene.runsOf(id) ?? '', end)),
    );
    if (!isLater) return [];
    const seen = new Set(starts);
    for (const id of seen) {
      const cards = this.scene.cardsOf(id, undefined, 'flow');
      if (cards.length > 0) return cards;
      for (const other of this.before.get(id) ?? []) seen.add(other);
    }
    return [];
  }

  private isEntry(id: string): boolean {
    return this.elements.get(id)?.isEntry === true;
  }

  private refOf(id: string): SourceRef {
    const unknown = { source_id: id, source_label: id, locator: '$' };
    return this.elements.get(id)?.ref ?? unknown;
  }

  /** A wire from what nothing leads to, so that no run took it. */
  private idle(source: string, target: string): number {
    const ref = this.refOf(source);
    const detail = `No trigger of the source leads to "${ref.source_label}", so no run took its way to "${this.refOf(target).source_label}"; the draft leaves it out.`;
    const todo = 'Draw an edge in its place if it belongs into the flow.';
    return this.scene.tell({ ref, kind: 'carried_as', severity: 'manual', detail, todo });
  }

  /** No wire goes unsaid: what nothing else tells is a gap of its own. */
  private lost(source: string, target: string): number {
    const ref = this.refOf(source);
    const end = this.refOf(target).source_label;
    const detail = `"${ref.source_label}" leads to "${end}" in the source; the draft does not have this way.`;
    const todo = 'Draw it in the editor.';
    return this.scene.tell({ ref, kind: 'branching_shape', detail, todo });
  }

  /** The nearest steps on one side of an element; itself when it is one. */
  private reach(id: string, towards: Neighbours, side: 'before' | 'after'): Reach {
    const ofSide = this.reached[side];
    const known = ofSide.get(id);
    if (known !== undefined) return known;
    const isStep = this.scene.runsOf(id) !== undefined;
    const reach = isStep
      ? { steps: [id], crossed: [], outside: false }
      : this.beyond(id, towards, side);
    ofSide.set(id, reach);
    return reach;
  }

  private beyond(id: string, towards: Neighbours, side: 'before' | 'after'): Reach {
    const steps: string[] = [];
    const crossed: string[] = [];
    let outside = false;
    const seen = new Set([id]);
    for (const at of seen) {
      if (this.scene.runsOf(at) !== undefined) {
        steps.push(at);
        continue;
      }
      crossed.push(at);
      const next = towards.get(at);
      if (side === 'before' && (this.isEntry(at) || next === undefined)) outside = true;
      for (const other of next ?? []) seen.add(other);
    }
    return { steps, crossed, outside };
  }
}
