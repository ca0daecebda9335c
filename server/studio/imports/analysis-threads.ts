import type { AnalyzeInput } from '../../importers/analysis.ts';
import { threadFile } from '../../store/thread-file.ts';
import { createThreadPool, type ThreadPool, ThreadTimeout } from '../../store/thread-pool.ts';
import type { AnalysisWork } from './analyze-thread.ts';
import {
  convertTogether,
  type DraftAnalysis,
  type EarlierDraft,
  type KeptText,
  type RefusedSource,
  type RelatedSource,
} from './analyze-together.ts';

/** A source of so many characters is read where it is: whatever it holds takes less than 20 ms. */
const SMALL = 8 * 1024;
/** No honest source takes so long; what does is refused. */
const LIMIT_MS = 10_000;

function tooLong(limit: number): RefusedSource {
  return {
    ok: false,
    status: 413,
    code: 'source_too_complex',
    message: `The file takes more than ${limit / 1000} s or too much memory to read. Import it in smaller parts.`,
    details: { limit, field: 'time' },
  };
}

/** A converted source. */
export interface Converted extends DraftAnalysis {
  /** What is only stored of it: made while the draft is written. */
  readonly kept: Promise<KeptText | RefusedSource>;
}

export type ConvertedOutcome = Converted | RefusedSource;

/** Converts sources beside the event loop. */
export interface AnalysisThreads {
  /** `related` are files of the same import, `drafts` those of earlier ones, to resolve calls to them. */
  convert(
    input: AnalyzeInput,
    related?: readonly RelatedSource[],
    drafts?: readonly EarlierDraft[],
  ): Promise<ConvertedOutcome>;
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

  const bounded = async <Made>(work: Promise<Made>): Promise<Made | RefusedSource> => {
    try {
      return await work;
    } catch (error) {
      if (error instanceof ThreadTimeout) return tooLong(limitMs);
      throw error;
    }
  };

  const here = (
    input: AnalyzeInput,
    related: readonly RelatedSource[],
    drafts: readonly EarlierDraft[],
  ): ConvertedOutcome => {
    const made = convertTogether(input, related, drafts);
    if ('refusal' in made) return made.refusal;
    return { ...made.draft, kept: Promise.resolve(made.kept()) };
  };

  const inThread = (
    pool: ThreadPool<AnalysisWork>,
    input: AnalyzeInput,
    related: readonly RelatedSource[],
    drafts: readonly EarlierDraft[],
  ): Promise<ConvertedOutcome> => {
    const { promise, resolve, reject } = Promise.withResolvers<ConvertedOutcome>();
    const onDraft = (draft: DraftAnalysis): void => resolve({ ...draft, kept });
    const kept = bounded(pool.run('convert', [input, related, drafts], limitMs, onDraft));
    // What ends without a draft is a refusal, or fails; what fails later is told to who waits for it.
    kept.then((end) => {
      if ('ok' in end) resolve(end);
    }, reject);
    return promise;
  };

  return {
    convert: async (input, related = [], drafts = []) => {
      const isSmall = input.raw.length <= small && related.length + drafts.length === 0;
      if (workers === undefined) return here(input, related, drafts);
      return isSmall ? here(input, related, drafts) : inThread(workers, input, related, drafts);
    },
    close: async () => workers?.close(),
  };
}
