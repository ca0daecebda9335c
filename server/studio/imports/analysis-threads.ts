import { availableParallelism } from 'node:os';
import { type Pool, Promise as PoolPromise, pool } from 'workerpool';
import type { AnalyzeInput, AnalyzeOutcome } from '../../importers/analysis.ts';
import { threadFile } from '../../store/thread-file.ts';
import { analyzeTogether, type RelatedSource } from './analyze-together.ts';

/**
 * A source of at most so many characters is read where it is: a thread would cost more. JSON of this
 * size (about 400 elements) holds the loop less than 20 ms.
 */
const SMALL_JSON = 128 * 1024;
const SMALL = 8 * 1024;
/** No honest source takes so long; what does is refused. */
const LIMIT_MS = 10_000;
/** Without work for so long the threads end. */
const IDLE_MS = 30_000;

function tooLong(limit: number): AnalyzeOutcome {
  return {
    ok: false,
    status: 413,
    code: 'source_too_complex',
    message: `The file takes longer than ${limit / 1000} s to read. Import it in smaller parts.`,
    details: { limit, field: 'time' },
  };
}

/** Converts sources beside the event loop. */
export interface AnalysisThreads {
  /** `related` are files of the same import, there to resolve calls to them. */
  analyze(input: AnalyzeInput, related?: readonly RelatedSource[]): Promise<AnalyzeOutcome>;
  close(): Promise<void>;
}

/**
 * Starts no thread before the first source that is worth one. A source that is read longer than
 * `limitMs` (10 s) loses its thread and is refused as too complex (bounded time).
 * `threads` is the greatest number of threads; the default leaves one processor to the services.
 */
export function createAnalysisThreads(
  threads = Math.max(1, availableParallelism() - 1),
  limitMs = LIMIT_MS,
): AnalysisThreads {
  const file = threadFile('analyze-thread', import.meta.dirname);
  let workers: Pool | undefined;
  let idle: NodeJS.Timeout | undefined;
  let running = 0;

  const close = async (): Promise<void> => {
    clearTimeout(idle);
    const old = workers;
    workers = undefined;
    await old?.terminate(true);
  };

  const inThread = async (
    entry: string,
    words: [AnalyzeInput, readonly RelatedSource[]],
  ): Promise<AnalyzeOutcome> => {
    clearTimeout(idle);
    workers ??= pool(entry, { maxWorkers: threads, workerType: 'thread' });
    running += 1;
    try {
      return await workers.exec('analyzeTogether', words).timeout(limitMs);
    } catch (error) {
      if (error instanceof PoolPromise.TimeoutError) return tooLong(limitMs);
      throw error;
    } finally {
      running -= 1;
      if (running === 0) {
        idle = setTimeout(() => void close(), IDLE_MS);
        idle.unref();
      }
    }
  };

  const isSmall = ({ source, raw }: AnalyzeInput): boolean =>
    raw.length <= (source === 'n8n' ? SMALL_JSON : SMALL);

  return {
    analyze: async (input, related = []) =>
      file === undefined || (isSmall(input) && related.length === 0)
        ? analyzeTogether(input, related)
        : inThread(file, [input, related]),
    close,
  };
}
