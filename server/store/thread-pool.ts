import { availableParallelism } from 'node:os';
import { type Pool, Promise as PoolPromise, pool } from 'workerpool';
import { threadLimits } from './thread-limits.ts';

/** Without work for so long the threads end. */
const IDLE_MS = 30_000;
/** What reads the largest specs and imports that are allowed needs far less. */
const MEMORY_MB = 2048;

/** The work took longer, or more memory, than it may; its thread is gone. */
export class ThreadTimeout extends Error {
  override readonly name = 'ThreadTimeout';
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && /memory limit|out of memory/i.test(error.message);
}

type WordsOf<Method> = Method extends (...words: infer Words) => unknown ? Words : never;
type AnswerOf<Method> = Method extends (...words: never) => infer Answer ? Awaited<Answer> : never;

/** Threads of one entry, for computations that would hold the event loop; `Work` is what it offers. */
export interface ThreadPool<Work> {
  /**
   * Calls what the entry offers under that name; words and answer are copied. `onPart` is given
   * what the work hands over before its answer.
   * @throws ThreadTimeout after `limitMs` or beyond the memory of a thread, or what the work threw.
   */
  run<Name extends keyof Work & string, Part = never>(
    name: Name,
    words: WordsOf<Work[Name]>,
    limitMs: number,
    onPart?: (part: Part) => void,
  ): Promise<AnswerOf<Work[Name]>>;
  close(): Promise<void>;
}

/**
 * Starts no thread before the first work, and ends them when there is none. `threads` is the
 * greatest number of them; the default leaves one processor to the services. `youngMb` is that of
 * {@link threadLimits}.
 */
export function createThreadPool<Work>(
  entry: string,
  threads = Math.max(1, availableParallelism() - 1),
  youngMb?: number,
): ThreadPool<Work> {
  let workers: Pool | undefined;
  let idle: NodeJS.Timeout | undefined;
  let running = 0;

  const close = async (): Promise<void> => {
    clearTimeout(idle);
    const old = workers;
    workers = undefined;
    await old?.terminate(true);
  };

  return {
    close,
    async run(name, words, limitMs, onPart) {
      clearTimeout(idle);
      workers ??= pool(entry, {
        maxWorkers: threads,
        workerType: 'thread',
        workerThreadOpts: threadLimits(MEMORY_MB, youngMb),
      });
      running += 1;
      try {
        const parts = onPart === undefined ? {} : { on: onPart };
        return await workers.exec(name, [...words], parts).timeout(limitMs);
      } catch (error) {
        if (error instanceof PoolPromise.TimeoutError || isOutOfMemory(error)) {
          throw new ThreadTimeout(name);
        }
        throw error;
      } finally {
        running -= 1;
        if (running === 0) {
          idle = setTimeout(() => void close(), IDLE_MS);
          idle.unref();
        }
      }
    },
  };
}
