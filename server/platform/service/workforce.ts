import { randomUUID } from 'node:crypto';
import { listenToNodes } from '../../store/postgres-signals.ts';
import { threadFile } from '../../store/thread-file.ts';
import { keepWal } from '../../store/wal-keeper.ts';
import { createWriteLock, LOCK_HOLDERS, writeLockMemory } from '../../store/write-lock.ts';
import { newsOf } from '../config.ts';
import type { PlatformDeps } from '../deps.ts';
import type { ExecutionThread } from '../legs/handed-over.ts';
import type { Metrics } from '../probes/metrics.ts';
import { openMarks, removeMarks, reportFatalErrors } from '../queue/computing-marks.ts';
import { createHandedLegs } from '../queue/handed-legs.ts';
import { startWorkers, type WorkerPool } from '../queue/worker.ts';
import { LONGEST_BESIDE_REQUESTS } from '../run-list/run-search.ts';
import { watchMemory } from '../run-record/run-changes.ts';
import { createAnswersOverNodes } from '../run-stream/answers-over-nodes.ts';
import type { PlatformOptions } from '../service-options.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import { createCallerPressure, pressureMemory } from '../threads/caller-pressure.ts';
import { keepExecutionThread } from '../threads/thread-keeper.ts';
import { createDeps } from './create-deps.ts';
import type { PlatformStore } from './platform-store.ts';
import { type ClockOffset, createClockLook } from './store-clock.ts';

/** Who executes the runs of one service: its execution thread, or workers in the thread that asks. */
export interface Workforce {
  readonly deps: PlatformDeps;
  /** Tells other services on the store that this one is alive. */
  join(): void;
  /** Begins to claim queued runs. */
  start(): void;
  /** Claims nothing more and waits for what runs, at most so many seconds. */
  drain(timeoutSeconds: number): Promise<void>;
}

const RENEW_MS = 5_000;

function stayAlive(deps: PlatformDeps, lookAtClock: () => void): () => Promise<void> {
  lookAtClock();
  // What a service of this machine left that is gone is free for this one.
  deps.services.owners();
  deps.services.renew();
  const timer = setInterval(() => {
    try {
      lookAtClock();
    } catch (error) {
      deps.log.warn({ err: error }, "the database's clock could not be read");
    }
    deps.commits
      .add(() => deps.services.renew())
      .catch((error: unknown) => {
        deps.log.warn({ err: error }, 'the sign of life could not be renewed');
      });
  }, RENEW_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    try {
      await deps.commits.turn(() => deps.services.leave());
    } catch (error) {
      deps.log.warn({ err: error }, 'the sign of life stays until it runs out');
    }
  };
}

/** Wakes the thread for runs that became due without a word: other services' leases, delayed rows. */
function watchQueue(deps: PlatformDeps): () => void {
  const look = (): void => {
    try {
      if (deps.queue.hasDue()) deps.wakeWorkers();
    } catch (error) {
      deps.log.warn({ err: error }, 'the queue could not be read');
    }
  };
  look();
  const timer = setInterval(look, deps.config.workerIdlePollSeconds * 1000);
  return () => clearInterval(timer);
}

interface WorkforceParts {
  readonly offset: ClockOffset;
  readonly telemetry: ((metrics: Metrics) => Telemetry) | undefined;
}

/** `options.clock` goes by the offset already. */
export function createWorkforce(
  options: PlatformOptions,
  store: PlatformStore,
  { offset, telemetry }: WorkforceParts,
): Workforce {
  const memory = writeLockMemory();
  const pressure = pressureMemory();
  const watching = watchMemory();
  const owner = randomUUID();
  const computing = openMarks(options.databaseFile, owner, 'main');
  const background = options.background !== false;
  const executes = options.role !== 'api';
  const threaded =
    executes && options.executionThread !== false && options.databaseFile !== ':memory:';
  const file = threaded ? threadFile('execution-thread', import.meta.dirname) : undefined;
  const notifier = store.notifier(owner);
  const base = createDeps(options, store, {
    owner: `${owner}.main`,
    computing,
    telemetry,
    writeLock: createWriteLock(memory, LOCK_HOLDERS.main),
    pressure: createCallerPressure(pressure),
    changes: { memory: watching },
    ...(file === undefined ? {} : { longestIndexed: LONGEST_BESIDE_REQUESTS }),
  });
  const wal =
    file === undefined || !background || store.file === undefined
      ? undefined
      : keepWal(
          store.file,
          { file: options.databaseFile, durability: options.config.durability, lock: memory },
          base.writeLock,
        );
  let workers: WorkerPool | undefined;
  let stopWatch = (): void => undefined;
  const threadOf = (): ExecutionThread | undefined => {
    if (!executes) return createHandedLegs(() => deps);
    return file === undefined
      ? undefined
      : keepExecutionThread({
          file,
          platform: options,
          handlers: base.handlers,
          lock: memory,
          pressure,
          watching,
          offset,
          deps: () => deps,
        });
  };
  const thread = threadOf();
  const wakeHere = (): void => {
    workers?.wake();
    if (background) thread?.wake();
  };
  const answers =
    notifier &&
    createAnswersOverNodes({
      local: base.liveAnswers,
      nodes: notifier,
      mark: base.runChanges.mark,
    });
  const deps: PlatformDeps = {
    ...base,
    liveAnswers: answers ?? base.liveAnswers,
    executionThread: thread,
    wakeWorkers() {
      wakeHere();
      notifier?.queued();
    },
  };
  const lookAtClock =
    store.external === undefined
      ? (): void => undefined
      : createClockLook(store.sync, { offset, shift: options.clockShift, log: options.log });
  let stopLife = (): Promise<void> => Promise.resolve();
  let stopListening = (): Promise<void> => Promise.resolve();
  const listen = (): void => {
    const news = newsOf(options.config);
    if (news === undefined || answers === undefined) return;
    const ended = (id: string): void => {
      deps.executions.get(id)?.abandon();
      thread?.abandon(id);
    };
    const heard = {
      ...{ runs: deps.runChanges.heard, queued: wakeHere, ended },
      followed: (ids: readonly string[], anew: boolean) => answers.heardFollowed(ids, anew),
      answers: (word: string) => answers.heardAnswers(word),
    };
    stopListening = listenToNodes(news, { owner, heard });
  };
  return {
    deps,
    join() {
      if (options.databaseFile !== ':memory:') reportFatalErrors(options.databaseFile, owner);
      stopLife = stayAlive(deps, lookAtClock);
      listen();
    },
    start() {
      if (!background || !executes) return;
      if (thread === undefined) workers = startWorkers(deps);
      else stopWatch = watchQueue(deps);
    },
    async drain(timeoutSeconds) {
      stopWatch();
      await stopListening();
      answers?.close();
      await Promise.all([workers?.drain(timeoutSeconds), thread?.drain(timeoutSeconds)]);
      await wal?.stop();
      await stopLife();
      computing.close();
      removeMarks(options.databaseFile, owner);
    },
  };
}
