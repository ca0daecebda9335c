import type { AnalyzeInput, AnalyzeOutcome } from '../../importers/analysis.ts';
import { threadFile } from '../../store/thread-file.ts';
import { createThreadPool, ThreadTimeout } from '../../store/thread-pool.ts';
import {
  type AnalysisWork,
  type ConvertedOutcome,
  convertTogether,
  type RelatedSource,
} from './analyze-together.ts';

/** A source of so many characters is read where it is: whatever it holds takes less than 20 ms. */
const SMALL = 8 * 1024;
/** No honest source takes so long; what does is refused. */
const LIMIT_MS = 10_000;

function tooLong(limit: number): Exclude<AnalyzeOutcome, { ok: true }> {
  return {
    ok: false,
    status: 413,
    code: 'source_too_complex',
    message: `The file takes more than ${limit / 1000} s or too much memory to read. Import it in smaller parts.`,
    details: { limit, field: 'time' },
  };
}

/** Converts sources beside the event loop. */
export interface AnalysisThreads {
  /** `related` are files of the same import, there to resolve calls to them. */
  convert(input: AnalyzeInput, related?: readonly RelatedSource[]): Promise<ConvertedOutcome>;
  close(): Promise<void>;
}

/**
 * Starts no thread before the first source that is worth one. A source that is read longer than
 * `limitMs` (10 s) loses its thread and is refused as too complex (bounded time).
 * `threads` is the greatest number of threads; the default leaves one processor to the services.
 * `youngMb` is that of a thread pool. Sources of up to `small` characters are read where they are.
 */
export function createAnalysisThreads({
  threads,
  limitMs = LIMIT_MS,
  youngMb,
  small = SMALL,
}: {
  threads?: number;
  limitMs?: number;
  youngMb?: number;
  small?: number;
} = {}): AnalysisThreads {
  const file = threadFile('analyze-thread', import.meta.dirname);
  const workers =
    file === undefined ? undefined : createThreadPool<AnalysisWork>(file, threads, youngMb);

  const inThread = async <Outcome>(
    work: Promise<Outcome>,
  ): Promise<Outcome | ReturnType<typeof tooLong>> => {
    try {
      return await work;
    } catch (error) {
      if (error instanceof ThreadTimeout) return tooLong(limitMs);
      throw error;
    }
  };

  const isHere = ({ raw }: AnalyzeInput, related: readonly RelatedSource[]): boolean =>
    raw.length <= small && related.length === 0;

  return {
    convert: async (input, related = []) =>
      workers === undefined || isHere(input, related)
        ? convertTogether(input, related)
        : inThread(workers.run('convertTogether', [input, related], limitMs)),
    close: async () => workers?.close(),
  };
}
