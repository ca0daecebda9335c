import type { PendingEffect } from '../../engine/effect.ts';
import type { RunEvent } from '../../engine/event.ts';
import type { Program } from '../../engine/program.ts';
import { isTerminal } from '../../engine/run-status.ts';
import type { RunState } from '../../engine/state.ts';
import { step } from '../../engine/step.ts';
import type { EffectRunner } from '../../runtime/run-effects.ts';
import type { RunsTable } from '../../store/platform-tables.ts';
import type { PlatformDeps } from '../deps.ts';
import type { RunWriter } from './run-writer.ts';
import type { Execution, ExecutionEnd } from './running-leg.ts';

export interface ExecutionInput {
  readonly row: RunsTable;
  readonly token: string;
  readonly program: Program;
  readonly state: RunState;
  /** What sets the leg off; absent = take up the effects that the state still waits for. */
  readonly events: readonly RunEvent[];
  readonly pending: readonly PendingEffect[];
  readonly effects: EffectRunner;
  readonly writer: RunWriter;
  /** Writes what belongs to the transaction that ends the leg. */
  readonly atEnd: ((state: RunState) => void) | undefined;
}

/** Milliseconds of pure work between two looks at the event loop. */
const SLICE_MS = 10;
/** Pure work between two commits, in lengths of the last commit: large states are written rarely. */
const WORK_PER_COMMIT = 10;

function turnOfLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** One leg in progress: applies events, performs effects, commits. */
class LegExecution implements Execution {
  readonly runId: string;
  readonly token: string;
  readonly #deps: PlatformDeps;
  readonly #input: ExecutionInput;
  readonly #writer: RunWriter;
  readonly #running = new Map<string, AbortController>();
  readonly #settled = Promise.withResolvers<ExecutionEnd>();
  #ready: PendingEffect[];
  #state: RunState;
  #ended = false;
  #pumping = false;

  constructor(deps: PlatformDeps, input: ExecutionInput) {
    this.runId = input.row.id;
    this.token = input.token;
    this.#deps = deps;
    this.#input = input;
    this.#writer = input.writer;
    this.#ready = [...input.pending];
    this.#state = input.state;
  }

  get done(): Promise<ExecutionEnd> {
    return this.#settled.promise;
  }

  async start(): Promise<void> {
    try {
      for (const event of this.#input.events) this.apply(event);
      await this.#pump();
    } catch (error) {
      this.#crash(error);
    }
  }

  apply(event: RunEvent): boolean {
    if (this.#ended) return false;
    const outcome = step(this.#input.program, this.#state, event);
    if (outcome.state === this.#state) return false;
    this.#state = outcome.state;
    this.#writer.add(outcome);
    this.#drop(outcome.abandoned);
    for (const effect of outcome.effects) {
      if (effect.kind !== 'ask_human' && effect.kind !== 'finish') this.#ready.push(effect);
    }
    const over = isTerminal(this.#state.status) || this.#state.status === 'blocked';
    if (over && this.#commit(null, () => this.#input.atEnd?.(this.#state))) {
      this.#end({ kind: 'settled', state: this.#state });
    }
    return true;
  }

  abandon(): void {
    this.#end({ kind: 'lost' });
  }

  #drop(abandoned: readonly string[]): void {
    if (abandoned.length === 0) return;
    for (const id of abandoned) {
      this.#running.get(id)?.abort();
      this.#running.delete(id);
    }
    this.#ready = this.#ready.filter((effect) => !abandoned.includes(effect.id));
  }

  #leave(): boolean {
    if (this.#ended) return false;
    this.#ended = true;
    for (const controller of this.#running.values()) controller.abort();
    this.#running.clear();
    this.#deps.executions.delete(this.runId);
    return true;
  }

  #end(result: ExecutionEnd): void {
    if (this.#leave()) this.#settled.resolve(result);
  }

  #crash(error: unknown): void {
    if (this.#leave()) this.#settled.reject(error);
  }

  #commit(next: string | null, also?: () => void): boolean {
    if (this.#writer.commit({ token: this.token }, next, also)) return true;
    this.#end({ kind: 'lost' });
    return false;
  }

  /** Commits what is pending; false when the run is no longer ours. */
  #flush(): boolean {
    return !this.#ended && (!this.#writer.dirty || this.#commit(this.token));
  }

  #perform(effect: PendingEffect): void {
    const controller = new AbortController();
    this.#running.set(effect.id, controller);
    const answered = (event: RunEvent): void => {
      if (!this.#running.delete(effect.id)) return;
      try {
        if (this.apply(event)) void this.#pump();
      } catch (error) {
        this.#crash(error);
      }
    };
    const failed = (error: unknown): void => this.#crash(error);
    this.#input.effects.perform(effect, controller.signal).then(answered, failed);
  }

  /** Answers one ready effect; false when there is none or the leg is over. */
  #takeOne(): boolean {
    const effect = this.#ready.shift();
    if (effect === undefined) return false;
    const event = this.#input.effects.answerNow(effect);
    if (event !== undefined) this.apply(event);
    else if (this.#flush()) this.#perform(effect);
    return !this.#ended;
  }

  async #work(): Promise<void> {
    let sliceEnd = performance.now() + SLICE_MS;
    let commitAt = sliceEnd;
    while (this.#takeOne()) {
      const now = performance.now();
      if (now < sliceEnd) continue;
      if (now >= commitAt) {
        if (!this.#flush()) return;
        const spent = performance.now() - now;
        commitAt = now + Math.max(SLICE_MS, spent * WORK_PER_COMMIT);
      }
      await turnOfLoop();
      sliceEnd = performance.now() + SLICE_MS;
    }
    this.#flush();
  }

  async #pump(): Promise<void> {
    if (this.#pumping) return;
    this.#pumping = true;
    try {
      await this.#work();
    } catch (error) {
      this.#crash(error);
    } finally {
      this.#pumping = false;
    }
  }
}

/**
 * Executes a leg. Answers that are computed here without the outside world are committed in slices;
 * before an outside effect starts, everything that led to it is in the store, so that a killed
 * process repeats at most the effects in flight.
 */
export function startExecution(deps: PlatformDeps, input: ExecutionInput): Execution {
  const execution = new LegExecution(deps, input);
  deps.executions.set(input.row.id, execution);
  void execution.start();
  return execution;
}
