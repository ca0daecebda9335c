import { Worker } from 'node:worker_threads';
import { systemCode } from '../../kernel/system-code.ts';
import { threadLimits } from '../../store/thread-limits.ts';
import type { FromThread, ThreadSetup, ToThread } from './execution-protocol.ts';
import { createThreadPulse } from './thread-pulse.ts';

/** One started thread. */
export interface ThreadProcess {
  readonly owner: string;
  send(message: ToThread): void;
  /** Ends it at once. */
  kill(): Promise<void>;
  /** Settles when it has ended. */
  readonly ended: Promise<void>;
}

/** Why a thread is gone: it computed too long, used too much memory, or anything else. */
export type LossReason = 'stalled' | 'memory' | 'crashed';

export interface ThreadEvents {
  message(message: FromThread): void;
  /** It ended, by itself or killed; `guilty` is the run that it computed last when it did not end well. */
  lost(thread: ThreadProcess, guilty: string | null, reason: LossReason): void;
}

const LOOK_MS = 500;

function isOutOfMemory(error: unknown): boolean {
  return systemCode(error) === 'ERR_WORKER_OUT_OF_MEMORY';
}

/** Watches the pulse: so many looks without a beat mean that one computation holds the thread. */
function watch(beats: () => number, stallSeconds: number, stalled: () => void): () => void {
  let seen = -1;
  let silent = 0;
  const timer = setInterval(() => {
    const now = beats();
    silent = now === seen ? silent + 1 : 0;
    seen = now;
    if (silent * LOOK_MS >= stallSeconds * 1000) stalled();
  }, LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Starts the thread; one that computes longer than `stallSeconds` without a turn of its loop is killed. */
export function startThreadProcess(
  file: string,
  setup: ThreadSetup,
  stallSeconds: number,
  events: ThreadEvents,
): ThreadProcess {
  const worker = new Worker(file, {
    workerData: setup,
    name: 'execution',
    ...threadLimits(setup.config.executionMemoryMb),
  });
  const pulse = createThreadPulse(setup.pulse);
  const ended = Promise.withResolvers<void>();
  let reason: LossReason = 'crashed';
  let draining = false;
  const thread: ThreadProcess = {
    owner: setup.owner,
    send(message) {
      if (message.type === 'drain') draining = true;
      worker.postMessage(message);
    },
    async kill() {
      draining = true;
      await worker.terminate();
    },
    ended: ended.promise,
  };
  const stopWatch = watch(pulse.beats, stallSeconds, () => {
    reason = 'stalled';
    void worker.terminate();
  });
  worker.on('message', (message: FromThread) => events.message(message));
  // The exit that follows tells; without a listener the error would end the program.
  worker.on('error', (error) => {
    if (isOutOfMemory(error)) reason = 'memory';
    events.message({
      type: 'log',
      level: 'error',
      fields: { err: error },
      message: 'the execution thread met an error',
    });
  });
  worker.on('exit', () => {
    stopWatch();
    ended.resolve();
    if (!draining) events.lost(thread, pulse.current(), reason);
  });
  return thread;
}
