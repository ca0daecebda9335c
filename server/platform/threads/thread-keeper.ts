import type { HandlerRegistry } from '../../runtime/handler-registry.ts';
import { LOCK_HOLDERS, type WriteLockMemory } from '../../store/write-lock.ts';
import type { PlatformDeps } from '../deps.ts';
import type { ExecutionThread, HandedOver } from '../legs/handed-over.ts';
import type { LegEnd } from '../legs/running-leg.ts';
import type { WatchMemory } from '../run-record/run-changes.ts';
import type { PlatformOptions } from '../service-options.ts';
import type { PressureMemory } from './caller-pressure.ts';
import type { FromThread } from './execution-protocol.ts';
import { failLostRun } from './fail-lost-run.ts';
import { createHandlerCalls } from './remote-handlers.ts';
import { type LossReason, startThreadProcess, type ThreadProcess } from './thread-process.ts';
import { pulseMemory } from './thread-pulse.ts';

// Executing beside the event loop. The room promises: a leg that is sent to the thread ends with an
// answer, whatever becomes of the thread; a computation that never ends costs its own run and no other;
// and nothing here decides what a run does.

const RESUME_MS = 1_000;

interface Waiting {
  readonly leg: HandedOver;
  readonly end: PromiseWithResolvers<LegEnd>;
}

export interface ThreadOptions {
  readonly file: string;
  readonly platform: PlatformOptions;
  readonly handlers: HandlerRegistry;
  readonly lock: WriteLockMemory;
  readonly pressure: PressureMemory;
  readonly watching: WatchMemory;
  readonly offset: SharedArrayBuffer;
  /** What a lost thread and its messages change; read when needed, since it refers to the thread. */
  deps(): PlatformDeps;
}

/** Starts threads one after another as they are needed and replaces one that is lost. */
class ThreadKeeper implements ExecutionThread {
  readonly takesAll = false;
  readonly #options: ThreadOptions;
  readonly #waiting = new Map<string, Waiting>();
  readonly #calls: ReturnType<typeof createHandlerCalls>;
  #thread: ThreadProcess | undefined;
  #retired: ThreadProcess | undefined;
  #generation = 0;
  #stopped = false;
  #woken = false;

  constructor(options: ThreadOptions) {
    this.#options = options;
    this.#calls = createHandlerCalls(options.handlers, (message) => this.#thread?.send(message));
  }

  execute(leg: HandedOver): Promise<LegEnd> {
    const end = Promise.withResolvers<LegEnd>();
    this.#waiting.set(leg.run_id, { leg, end });
    this.#running().send({ type: 'execute', leg });
    return end.promise;
  }

  abandon(runId: string): void {
    this.#thread?.send({ type: 'abandon', run_id: runId });
  }

  wake(): void {
    if (this.#stopped || this.#woken) return;
    this.#woken = true;
    setImmediate(() => {
      this.#woken = false;
      if (!this.#stopped) this.#running().send({ type: 'wake' });
    });
  }

  async drain(timeoutSeconds: number): Promise<void> {
    this.#stopped = true;
    const thread = this.#thread;
    await this.#retired?.ended;
    if (thread === undefined) return;
    thread.send({ type: 'drain', timeout_seconds: timeoutSeconds });
    const limit = setTimeout(() => void thread.kill(), (timeoutSeconds + 1) * 1000);
    await thread.ended;
    clearTimeout(limit);
    this.#calls.stopAll();
    for (const { end } of this.#waiting.values()) end.resolve({ kind: 'lost' });
    this.#waiting.clear();
  }

  #running(): ThreadProcess {
    this.#thread ??= this.#start();
    return this.#thread;
  }

  #start(): ThreadProcess {
    const { file, platform, lock, pressure, watching, offset } = this.#options;
    const { config, databaseFile, migrationsDir, specRoot, trusted, projects } = platform;
    const deps = this.#options.deps();
    this.#generation += 1;
    const setup = {
      config: { ...config, env: { ...config.env } },
      databaseFile,
      migrationsDir,
      specRoot,
      trusted,
      projects,
      appVersion: deps.appVersion,
      claims: platform.background !== false,
      handlers: deps.handlers.names(),
      owner: `${deps.owner}.${this.#generation}`,
      lock,
      pulse: pulseMemory(),
      pressure,
      watching,
      clockShift: platform.clockShift,
      clockOffset: offset,
    };
    return startThreadProcess(file, setup, config.executionStallSeconds, {
      message: (message) => this.#take(message),
      lost: (thread, guilty, reason) => this.#lost(thread, guilty, reason),
    });
  }

  #take(message: FromThread): void {
    const deps = this.#options.deps();
    switch (message.type) {
      case 'retiring':
        this.#retired = this.#thread;
        this.#thread = undefined;
        return;
      case 'leg_ended':
        this.#waiting.get(message.run_id)?.end.resolve(message.end);
        this.#waiting.delete(message.run_id);
        return;
      case 'call_handler':
        void this.#calls.call(message.id, message.name, message.args);
        return;
      case 'stop_handler':
        this.#calls.stop(message.id);
        return;
      case 'written':
        deps.runChanges.heard(message.run_ids);
        return;
      case 'answer':
        deps.liveAnswers.tell(message.run_id, message.answer);
        return;
      case 'log':
        deps.log[message.level](message.fields, message.message);
        return;
      case 'spans':
        deps.telemetry?.take(message.spans);
        return;
      case 'counts':
        for (const [name, amount] of message.amounts) deps.metrics.add(name, amount);
        for (const timing of message.timings) deps.metrics.observe(...timing);
    }
  }

  #resume(): void {
    for (const { leg } of this.#waiting.values()) this.#running().send({ type: 'execute', leg });
  }

  /** The run that the thread computed fails; what else it held goes on in the next thread. */
  #lost(thread: ThreadProcess, computed: string | null, reason: LossReason): void {
    if (thread === this.#retired) {
      // It took nothing of what was sent to it after it had said that it retires: that is sent again.
      this.#retired = undefined;
      if (!this.#stopped && this.#waiting.size > 0) this.#resume();
      return;
    }
    const deps = this.#options.deps();
    // A thread that is lost before it computes anything would be lost again and again.
    const guilty = computed ?? [...this.#waiting.keys()][0] ?? null;
    deps.log.error({ run_id: guilty, reason }, 'the execution thread was lost');
    this.#thread = undefined;
    deps.writeLock.free(LOCK_HOLDERS.execution);
    this.#calls.stopAll();
    try {
      this.#blame(deps, thread, guilty, reason);
    } catch (error) {
      // A store that does not answer now: leases run out by themselves, and what was sent is sent again.
      deps.log.warn({ err: error }, 'what a lost thread held could not be given back');
      setTimeout(() => {
        if (!this.#stopped && this.#waiting.size > 0) this.#resume();
      }, RESUME_MS);
    }
  }

  #blame(
    deps: PlatformDeps,
    thread: ThreadProcess,
    guilty: string | null,
    reason: LossReason,
  ): void {
    const failed = guilty === null ? undefined : failLostRun(deps, guilty, reason);
    const blamed = guilty === null ? undefined : this.#waiting.get(guilty);
    if (guilty !== null && blamed !== undefined) {
      blamed.end.resolve(failed ?? { kind: 'lost' });
      this.#waiting.delete(guilty);
    }
    const released = deps.queue.expireLeasesOf(thread.owner);
    if (this.#stopped || this.#waiting.size + released === 0) return;
    this.#resume();
    this.wake();
  }
}

/** The execution thread of this process; it starts with the first work. */
export function keepExecutionThread(options: ThreadOptions): ExecutionThread {
  return new ThreadKeeper(options);
}
