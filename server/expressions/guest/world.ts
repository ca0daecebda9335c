import type { GuestItem, Match, NodeLook, StepFacts } from './facts.ts';
import { OwnError } from './own-error.ts';

const NO_DATA = 'Can’t get data for expression';

function cloneOf<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(cloneOf) as Value;
  const copy: Record<string, unknown> = {};
  for (const [key, part] of Object.entries(value)) {
    if (key !== '__proto__') copy[key] = cloneOf(part);
    else Object.defineProperty(copy, key, { value: cloneOf(part), enumerable: true });
  }
  return copy as Value;
}

/** Asks for what an earlier step shows. */
export type LookAt = (name: string) => NodeLook;

/** The items of a step and of those before it. One that `isApart` hands out copies, once each. */
export class World {
  readonly facts: StepFacts;
  readonly #base: readonly GuestItem[];
  readonly #isApart: boolean;
  readonly #items: (GuestItem | undefined)[];
  readonly #looks: Map<string, NodeLook>;
  readonly #lookAt: LookAt;
  #all: GuestItem[] | undefined;

  constructor(facts: StepFacts, items: readonly GuestItem[], lookAt: LookAt, from?: World) {
    this.facts = facts;
    this.#base = items;
    this.#lookAt = lookAt;
    this.#isApart = from !== undefined;
    this.#items = from === undefined ? [...items] : [];
    this.#looks = from === undefined ? new Map() : from.#looks;
  }

  /** The same world for an expression that may change what it reads. */
  apart(): World {
    return new World(this.facts, this.#base, this.#lookAt, this);
  }

  get count(): number {
    return this.#base.length;
  }

  item(at: number): GuestItem | undefined {
    const known = this.#items[at];
    if (known !== undefined) return known;
    const copy = cloneOf(this.#base[at]);
    this.#items[at] = copy as GuestItem;
    return copy;
  }

  items(): GuestItem[] {
    this.#all ??= this.#isApart
      ? this.#base.map((_, at) => this.item(at) as GuestItem)
      : [...this.#base];
    return this.#all;
  }

  look(name: string): NodeLook {
    const known = this.#looks.get(name);
    if (known !== undefined) return known;
    const told = this.#lookAt(name);
    this.#looks.set(name, told);
    return told;
  }

  /** What an expression is handed of an earlier step. */
  handOut<Value>(value: Value): Value {
    return this.#isApart ? cloneOf(value) : value;
  }
}

/** `$("Name")`: an earlier step as an expression sees it from one item. */
export class EarlierStep {
  readonly #world: World;
  readonly #name: string;
  readonly #at: number;
  readonly #look: NodeLook;

  constructor(world: World, name: string, at: number) {
    this.#world = world;
    this.#name = name;
    this.#at = at;
    this.#look = world.look(name);
    if (this.#look.state === 'unknown') throw new OwnError("Referenced node doesn't exist");
  }

  get isExecuted(): boolean {
    return this.#look.state === 'run';
  }

  get params(): unknown {
    return this.#world.handOut(this.#look.parameters);
  }

  get context(): unknown {
    return this.#world.handOut(this.#look.context);
  }

  #itemsOf(output = this.#look.output, run?: number): readonly GuestItem[] {
    if (this.#look.state !== 'run') throw new OwnError(`Node '${this.#name}' hasn't been executed`);
    const runs = this.#look.runs;
    const outputs = (run === undefined || run === -1 ? runs.at(-1) : runs[run]) ?? undefined;
    if (outputs === undefined) throw new OwnError(NO_DATA);
    return (output in outputs ? outputs[output] : outputs[this.#look.output]) ?? [];
  }

  all(output?: number, run?: number): GuestItem[] {
    return this.#world.handOut([...this.#itemsOf(output, run)]);
  }

  first(output?: number, run?: number): GuestItem | undefined {
    return this.#world.handOut(this.#itemsOf(output, run)[0]);
  }

  last(output?: number, run?: number): GuestItem | undefined {
    return this.#world.handOut(this.#itemsOf(output, run).at(-1));
  }

  #matching(at: number, method: string): GuestItem | undefined {
    if (this.#look.state === 'run' && !this.#look.connected)
      throw new OwnError('Invalid expression');
    this.#itemsOf();
    const match: Match | undefined = this.#look.matches[at];
    if (match === undefined) throw new OwnError(NO_DATA);
    if (typeof match === 'object' && match !== null)
      throw new OwnError(match.error.replace('{method}', method));
    return match === null ? undefined : this.#world.handOut(this.#look.sources[match]);
  }

  get item(): GuestItem | undefined {
    return this.#matching(this.#at, 'item');
  }

  itemMatching(at?: number): GuestItem | undefined {
    if (at === undefined)
      throw new OwnError('Missing item index for .itemMatching() (e.g. .itemMatching(0))');
    return this.#matching(at, 'itemMatching');
  }

  pairedItem(at = this.#at): GuestItem | undefined {
    return this.#matching(at, 'pairedItem');
  }

  /** The item at the place of this one: how `$node` reads. */
  byIndex(): GuestItem | undefined {
    if (this.#look.state === 'run' && !this.#look.connected)
      throw new OwnError(`connect "${this.#world.facts.node.name}" to "${this.#name}"`);
    const items = this.#itemsOf();
    const item = items[this.#at];
    if (item === undefined) throw new OwnError(NO_DATA);
    return this.#world.handOut(item);
  }
}

/** `$node["Name"]`. */
export class NodeByIndex {
  readonly #step: EarlierStep;
  readonly #runIndex: number;

  constructor(world: World, name: string, at: number) {
    this.#step = new EarlierStep(world, name, at);
    this.#runIndex = world.look(name).runs.length - 1;
  }

  get json(): unknown {
    return this.#step.byIndex()?.json;
  }

  get data(): unknown {
    return this.json;
  }

  get binary(): unknown {
    return this.#step.byIndex()?.binary;
  }

  get parameter(): unknown {
    return this.#step.params;
  }

  get context(): unknown {
    return this.#step.context;
  }

  get runIndex(): number {
    return this.#runIndex;
  }
}

/** `$node`: read by name, whatever the name. */
export function nodesByName(world: World, at: number): object {
  return new Proxy(Object.create(null) as object, {
    get: (_, name) => (typeof name === 'string' ? new NodeByIndex(world, name, at) : undefined),
    has: (_, name) => typeof name === 'string' && world.look(name).state !== 'unknown',
  });
}
