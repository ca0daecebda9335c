import { search } from 'jmespath';
import { DateTime } from 'luxon';
import { LUXON } from './extensions/extend.ts';
import { isBlank } from './extensions/kinds.ts';
import type { GuestItem, StepFacts } from './facts.ts';
import { OwnError } from './own-error.ts';
import { EarlierStep, nodesByName, type World } from './world.ts';

const MODES: Readonly<Record<string, string>> = { manual: 'test', test: 'test' };

/** `$input` of an expression. */
class Input {
  readonly #world: World;
  readonly #at: number;

  constructor(world: World, at: number) {
    this.#world = world;
    this.#at = at;
  }

  get item(): GuestItem | undefined {
    return this.#world.item(this.#at);
  }

  /** Settings of the step that the items come from. */
  get params(): unknown {
    const { prevNode } = this.#world.facts;
    return this.#world.handOut(prevNode === null ? {} : this.#world.look(prevNode.name).parameters);
  }

  get context(): object {
    return {};
  }

  all(): GuestItem[] {
    return this.#world.items();
  }

  first(): GuestItem | undefined {
    return this.#world.item(0);
  }

  last(): GuestItem | undefined {
    return this.#world.item(this.#world.count - 1);
  }

  itemMatching(at: number): GuestItem | undefined {
    return this.#world.item(at);
  }
}

/** `$env`: an object that tells nothing of itself and refuses every name. */
export function refusedVariables(): object {
  const refuse = (): never => {
    throw new OwnError('access to env vars denied');
  };
  return new Proxy({} as object, {
    get: (_, name) => (typeof name === 'symbol' || name === 'toJSON' ? undefined : refuse()),
    has: refuse,
  });
}

/** `$execution` as it reads; what code sets among its data is kept nowhere. */
export function executionOf(facts: StepFacts): object {
  const { noted = {}, ...execution } = facts.execution;
  const data = new Map(Object.entries(noted));
  const customData = {
    set: (key: string, value: unknown) => void data.set(String(key), String(value)),
    setAll: (values: Record<string, unknown>) => {
      for (const [key, value] of Object.entries(values)) data.set(key, String(value));
    },
    get: (key: string) => data.get(key),
    getAll: () => Object.fromEntries(data),
  };
  return { ...execution, mode: MODES[execution.mode] ?? 'production', customData };
}

function jmesPath(data: unknown, path: unknown): unknown {
  if (typeof data !== 'object' || typeof path !== 'string')
    throw new OwnError('expected two arguments (Object, string) for this function');
  return search(data, path);
}

function numbers(values: readonly unknown[]): number[] {
  return values.flat().map(Number);
}

/** The functions that expressions and code call by a name with a dollar sign. */
export const FUNCTIONS = {
  $if: (condition: unknown, then: unknown, otherwise: unknown = false): unknown =>
    condition ? then : otherwise,
  $ifEmpty: (value: unknown, instead: unknown): unknown => (isBlank(value) ? instead : value),
  $max: (...values: unknown[]): number => Math.max(...numbers(values)),
  $min: (...values: unknown[]): number => Math.min(...numbers(values)),
  $average: (...values: unknown[]): number =>
    numbers(values).reduce((sum, value) => sum + value, 0) / Math.max(1, numbers(values).length),
  $not: (value: unknown): boolean => !value,
  $jmespath: jmesPath,
  $jmesPath: jmesPath,
};

/** What an expression sees of a file: everything but its bytes. */
function described(file: unknown): object {
  const { data: _, ...rest } = file as Record<string, unknown>;
  return rest;
}

/** The names of one item's expressions. Reading one computes it; nothing is prepared. */
export class Scope {
  readonly #world: World;
  #at: number;

  constructor(world: World, at: number) {
    this.#world = world;
    this.#at = at;
    Object.assign(this, world.facts.extras);
  }

  /** From here on it is the scope of another item. */
  static move(scope: Scope, at: number): void {
    scope.#at = at;
  }

  get $json(): unknown {
    return this.#world.item(this.#at)?.json;
  }
  get $data(): unknown {
    return this.$json;
  }
  get $binary(): unknown {
    const files = Object.entries(this.#world.item(this.#at)?.binary ?? {});
    return Object.fromEntries(files.map(([name, file]) => [name, described(file)]));
  }
  get $input(): Input {
    return new Input(this.#world, this.#at);
  }
  get $itemIndex(): number {
    return this.#at;
  }
  get $position(): number {
    return this.#at;
  }
  get $runIndex(): number {
    return this.#world.facts.runIndex;
  }
  get $mode(): string {
    return this.#world.facts.execution.mode;
  }
  get $prevNode(): unknown {
    return this.#world.facts.prevNode ?? {};
  }
  get $workflow(): unknown {
    return this.#world.facts.workflow;
  }
  get $execution(): unknown {
    return executionOf(this.#world.facts);
  }
  get $executionId(): unknown {
    return this.#world.facts.execution.id;
  }
  get $resumeWebhookUrl(): unknown {
    return this.#world.facts.execution.resumeUrl;
  }
  get $vars(): unknown {
    return this.#world.handOut(this.#world.facts.vars);
  }
  get $parameter(): unknown {
    return this.#world.handOut(this.#world.facts.node.parameters);
  }
  get $rawParameter(): unknown {
    return this.$parameter;
  }
  get $nodeVersion(): number {
    return this.#world.facts.node.version;
  }
  get $nodeId(): string {
    return this.#world.facts.node.id;
  }
  get $self(): object {
    return {};
  }
  get $env(): object {
    return refusedVariables();
  }
  get $now(): DateTime {
    return DateTime.fromMillis(this.#world.facts.now);
  }
  get $today(): DateTime {
    return this.$now.startOf('day');
  }
  get $(): (name: string) => EarlierStep {
    return (name) => new EarlierStep(this.#world, name, this.#at);
  }
  get $node(): object {
    return nodesByName(this.#world, this.#at);
  }
  get $items(): (name?: string, output?: number, run?: number) => GuestItem[] {
    return (name, output, run) =>
      name === undefined
        ? this.#world.items()
        : new EarlierStep(this.#world, name, this.#at).all(output, run);
  }
  get $item(): (at: number, run?: number) => Scope {
    return (at) => new Scope(this.#world, at);
  }
  get DateTime() {
    return LUXON.DateTime;
  }
  get Duration() {
    return LUXON.Duration;
  }
  get Interval() {
    return LUXON.Interval;
  }
  /** What `this` is in an expression: names of a process, each without anything in it. */
  get $this(): object {
    return { process: {}, require: {}, module: {}, Buffer: {} };
  }
}

Object.assign(Scope.prototype, FUNCTIONS);

/** Every name that a scope answers. */
export const SCOPE_NAMES: readonly string[] = Object.getOwnPropertyNames(Scope.prototype).filter(
  (name) => name !== 'constructor' && name !== '$this',
);
