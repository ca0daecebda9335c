import type { PendingEffect } from '../../engine/effect.ts';
import type { RunEvent } from '../../engine/event.ts';
import type { Program } from '../../engine/program.ts';
import type { RunState } from '../../engine/state.ts';
import { pendingEffects, step } from '../../engine/step.ts';
import { unchanged } from '../../engine/step-outcome.ts';
import type { EffectRunner } from '../../runtime/run-effects.ts';
import type { RunsTable } from '../../store/platform-tables.ts';
import { endsBeyondBudget, hasBudgets } from '../budgets/hold-to-budgets.ts';
import type { PlatformDeps } from '../deps.ts';
import type { RunWriter } from '../stored-states/run-writer.ts';
import type { CallTrace } from './call-trace.ts';
import { observeSteps } from './leg-timings.ts';
import { type Placed, placeOf } from './place.ts';
import { type Execution, type ExecutionEnd, isLegOver } from './running-leg.ts';

export interface ExecutionInput {
  readonly row: RunsTable;
  readonly token: string;
  readonly program: Program;
  readonly state: RunState;
  /** What sets the leg off; undefined = take up the effects that the state still waits for. */
  readonly event: RunEvent | undefined;
  readonly effects: EffectRunner;
  readonly writer: RunWriter;
  readonly calls: CallTrace;
  /** Writes what belongs to the transaction that ends the leg. */
  readonly atEnd: (state: RunState) => void;
  /** Runs in the transaction that stores a new run before its end. */
  readonly atFirst: () => void;
  /**
   * Waits until a new run that takes time may begin in the execution thread; `effect` is what it is
   * to do there. Rejects when it may not: nothing of the run is stored then.
   */
  readonly admit: (effect: PendingEffect | undefined) => Promise<void>;
  /** Where the place rule says "thread", the leg stops at a committed state. */
  readonly placed: Placed;
}

/** Milliseconds of pure work between two looks at the event loop. */
const SLICE_MS = 10;
/**
 * Pure work between two commits: milliseconds, and lengths of the last commit, so that large states
 * are written rarely. A kill repeats no more than that, and nothing that anybody outside has seen.
 */
const COMMIT_EVERY_MS = 250;
const WORK_PER_COMMIT = 20;

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
  /** The last commit is on its way: nothing changes the leg any more. */
  #closing = false;
  #handingOver = false;
  #rest = (): void => undefined;

  constructor(deps: PlatformDeps, input: ExecutionInput) {
    this.runId = input.row.id;
    this.token = input.token;
    this.#deps = deps;
    this.#input = input;
    this.#writer = input.writer;
    this.#ready = input.event === undefined ? [...pendingEffects(input.state)] : [];
    this.#state = input.state;
  }

  get done(): Promise<ExecutionEnd> {
    return this.#settled.promise;
  }

  async start(): Promise<void> {
    try {
      this.#compute();
      const { event } = this.#input;
      if (event !== undefined) this.#advance(event, false);
      await this.#pump();
    } catch (error) {
      this.#crash(error);
    }
  }

  /** What is computed from now on is this run's, until it waits or is over. */
  #compute(): void {
    this.#rest = this.#deps.computing.enter(this.runId);
  }

  /** Absent while the leg moves to another thread: what is stored counts. */
  get apply(): ((event: RunEvent) => boolean) | undefined {
    return this.#handingOver ? undefined : (event) => this.#advance(event, true);
  }

  /** `atOnce`: an end is in the store before this returns. */
  #advance(event: RunEvent, atOnce: boolean): boolean {
    if (this.#ended || this.#closing) return false;
    this.#deps.pulse?.enter(this.runId);
    const outcome = step(this.#input.program, this.#state, event);
    if (outcome.state === this.#state) return false;
    this.#state = outcome.state;
    this.#writer.add(outcome);
    observeSteps(this.#deps, this.#input.row, outcome.trace);
    this.#drop(outcome.abandoned);
    for (const effect of outcome.effects) {
      if (effect.kind !== 'ask_human' && effect.kind !== 'finish') this.#ready.push(effect);
    }
    if (isLegOver(this.#state)) this.#close(atOnce);
    return true;
  }

  #close(atOnce: boolean): void {
    const state = this.#state;
    const also = (): void => this.#input.atEnd(state);
    // A leg that nobody waits for in this thread has nobody to share its last commit with.
    const isAlone = this.#writer.stored && !this.#input.placed.hasThread;
    if (atOnce || isAlone) {
      if (this.#commit(null, also)) this.#end({ kind: 'settled', state });
      return;
    }
    this.#closeLater(null, also, { kind: 'settled', state });
  }

  /** Commits with others, without holding the event loop up, and ends then. */
  #closeLater(next: string | null, also: (() => void) | undefined, end: ExecutionEnd): void {
    this.#closing = true;
    this.#writer.commitLater({ token: this.token }, next, also).then(
      (held) => this.#end(held ? end : { kind: 'lost' }),
      (error: unknown) => this.#crash(error),
    );
  }

  abandon(): void {
    this.#end({ kind: 'lost' });
  }

  #drop(abandoned: readonly string[]): void {
    if (abandoned.length === 0) return;
    this.#input.calls.givenUp(abandoned);
    for (const id of abandoned) {
      this.#running.get(id)?.abort();
      this.#running.delete(id);
    }
    this.#ready = this.#ready.filter((effect) => !abandoned.includes(effect.id));
  }

  #leave(): boolean {
    if (this.#ended) return false;
    this.#ended = true;
    this.#rest();
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
    if (this.#ended) return false;
    return !this.#writer.dirty || this.#commit(this.token, this.#first);
  }

  #perform(effect: PendingEffect): void {
    const controller = new AbortController();
    this.#running.set(effect.id, controller);
    const answered = (event: RunEvent): void => {
      if (!this.#running.delete(effect.id)) return;
      try {
        this.#compute();
        this.#input.calls.ended(effect, event);
        if (this.#advance(event, false)) void this.#pump();
      } catch (error) {
        this.#crash(error);
      }
    };
    const failed = (error: unknown): void => this.#crash(error);
    this.#input.effects.perform(effect, controller.signal, this.#state).then(answered, failed);
  }

  /** Calls that are about to be made stand in the trace before they are, all that are ready at once. */
  #tellCalls(effect: PendingEffect): void {
    const ready = [effect, ...this.#ready];
    const told = ready.filter((each) => this.#input.calls.began(each, this.#state));
    if (told.length > 0 && !this.#writer.dirty) this.#writer.add(unchanged(this.#state));
  }

  #moves(before: 'a call outside' | 'a further slice'): boolean {
    return placeOf(this.#input.placed, { before }) === 'thread';
  }

  /** Leaves the rest to another thread, a new run as soon as there is a place for it. */
  #handOver(effect?: PendingEffect): void {
    if (this.#ended) return;
    if (this.#writer.stored) {
      this.#moveOn();
      return;
    }
    // Nothing changes the leg while it waits, and it computes nothing.
    this.#closing = true;
    this.#rest();
    this.#input.admit(effect).then(
      () => this.#moveOn(),
      (error: unknown) => this.#crash(error),
    );
  }

  /** Commits what led here. */
  #moveOn(): void {
    if (this.#ended) return;
    const end: ExecutionEnd = { kind: 'handed_over', state: this.#state };
    this.#handingOver = true;
    this.#closeLater(this.token, this.#first, end);
  }

  /** What belongs to the transaction that stores the run before its end. */
  get #first(): (() => void) | undefined {
    return this.#writer.stored ? undefined : this.#input.atFirst;
  }

  /** Ends a run whose next call of a model a budget does not allow; what it used so far counts. */
  #endsBeyondBudget(effect: PendingEffect): boolean {
    if (effect.kind !== 'call_model' || !hasBudgets(this.#deps)) return false;
    if (!this.#flush()) return true;
    const { caller } = this.#input.row;
    const error = endsBeyondBudget(this.#deps, { caller, workflow: this.#state.workflow_name });
    if (error === undefined) return false;
    this.#advance({ type: 'failed', at: this.#deps.clock.now(), error }, false);
    return true;
  }

  /** Answers one ready effect; false when there is none or the leg is over. */
  #takeOne(): boolean {
    const effect = this.#ready.shift();
    if (effect === undefined || this.#closing) return false;
    const event = this.#input.effects.answerNow(effect);
    if (event !== undefined) this.#advance(event, false);
    else if (this.#moves('a call outside')) this.#handOver(effect);
    else if (!this.#endsBeyondBudget(effect)) {
      this.#tellCalls(effect);
      if (this.#flush()) this.#perform(effect);
    }
    return !this.#ended && !this.#closing;
  }

  async #work(): Promise<void> {
    let sliceEnd = performance.now() + SLICE_MS;
    let commitAt = performance.now() + COMMIT_EVERY_MS;
    while (this.#takeOne()) {
      const now = performance.now();
      if (now < sliceEnd) continue;
      if (this.#moves('a further slice')) return this.#handOver();
      if (now >= commitAt) {
        if (!this.#flush()) return;
        const spent = performance.now() - now;
        commitAt = now + Math.max(COMMIT_EVERY_MS, spent * WORK_PER_COMMIT);
      }
      await turnOfLoop();
      sliceEnd = performance.now() + SLICE_MS;
    }
    if (!this.#closing) this.#flush();
  }

  async #pump(): Promise<void> {
    if (this.#pumping) return;
    this.#pumping = true;
    try {
      await this.#work();
      // An answer that came between the last commit and here found the work still in progress.
      while (this.#writer.dirty && !this.#ended && !this.#closing) await this.#work();
    } catch (error) {
      this.#crash(error);
    } finally {
      this.#pumping = false;
      if (!this.#closing) this.#rest();
    }
  }
}

/**
 * Executes a leg. Answers that are computed here without the outside world are committed in slices;
 * before an outside effect starts, everything that led to it is in the store, so that a killed
 * process repeats at most the effects in flight.
 */
export function startExecution(deps: PlatformDeps, input: ExecutionInput): Promise<ExecutionEnd> {
  const execution = new LegExecution(deps, input);
  deps.executions.set(input.row.id, execution);
  void execution.start();
  return execution.done;
}
