import { refuse } from '../../contract/studio/errors.ts';
import { threadFile } from '../../store/thread-file.ts';
import { createThreadPool, ThreadTimeout } from '../../store/thread-pool.ts';
import { type Done, DRAFT_WORK } from './draft-work.ts';

/** Texts of so many characters in sum are read where they are: whatever they hold takes less than 20 ms. */
const SMALL = 8 * 1024;
/** No honest draft takes so long; what does is refused. */
const LIMIT_MS = 10_000;

type Work = typeof DRAFT_WORK;

/** Reads drafts: small ones where it is asked, large ones beside the event loop, with the same answers. */
export interface DraftThreads {
  /** `size` is the length of all texts in sum. @throws Refusal `spec_too_complex`. */
  faultOf(
    size: number,
    ...words: Parameters<Work['faultOf']>
  ): Promise<ReturnType<Work['faultOf']>>;
  bufferGated(
    size: number,
    ...words: Parameters<Work['bufferGated']>
  ): Promise<ReturnType<Work['bufferGated']>>;
  composed(
    size: number,
    ...words: Parameters<Work['composed']>
  ): Promise<ReturnType<Work['composed']>>;
  namesIn(
    size: number,
    ...words: Parameters<Work['namesIn']>
  ): Promise<ReturnType<Work['namesIn']>>;
  opened(size: number, ...words: Parameters<Work['opened']>): Promise<ReturnType<Work['opened']>>;
  close(): Promise<void>;
}

/** The value, or the refusal that a thread answered. @throws Refusal. */
export function told<Value>(done: Done<Value>): Value {
  if (done.ok) return done.value;
  const { code, message, details } = done;
  throw refuse(code, { message, ...(details === undefined ? {} : { details }) });
}

/** Starts no thread before the first large draft; a draft that takes too long or too much is refused. */
export function createDraftThreads(limitMs = LIMIT_MS): DraftThreads {
  const file = threadFile('draft-thread', import.meta.dirname);
  const pool = file === undefined ? undefined : createThreadPool(file, 1);

  const at = async <Result>(
    size: number,
    name: keyof Work,
    words: readonly unknown[],
    here: () => Result,
  ): Promise<Result> => {
    if (pool === undefined || size <= SMALL) return here();
    try {
      return await pool.run<Result>(name, words, limitMs);
    } catch (error) {
      if (error instanceof ThreadTimeout) throw refuse('spec_too_complex');
      throw error;
    }
  };

  return {
    faultOf: (size, ...words) => at(size, 'faultOf', words, () => DRAFT_WORK.faultOf(...words)),
    bufferGated: (size, ...words) =>
      at(size, 'bufferGated', words, () => DRAFT_WORK.bufferGated(...words)),
    composed: (size, ...words) => at(size, 'composed', words, () => DRAFT_WORK.composed(...words)),
    namesIn: (size, ...words) => at(size, 'namesIn', words, () => DRAFT_WORK.namesIn(...words)),
    opened: (size, ...words) => at(size, 'opened', words, () => DRAFT_WORK.opened(...words)),
    close: async () => pool?.close(),
  };
}
