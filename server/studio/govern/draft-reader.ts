import { refuse } from '../../contract/studio/errors.ts';
import { threadFile } from '../../store/thread-file.ts';
import { createThreadPool, type ThreadPool, ThreadTimeout } from '../../store/thread-pool.ts';
import { type Done, DRAFT_WORK } from './draft-work.ts';

/** Texts of so many characters in sum are read where they are: whatever they hold takes less than 20 ms. */
const SMALL = 8 * 1024;
/** No honest draft takes so long; what does is refused. */
const LIMIT_MS = 10_000;

type Work = typeof DRAFT_WORK;

/** Reads drafts: small ones where it is asked, large ones beside the event loop, with the same answers. */
export interface DraftReader {
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
  unfolded(
    size: number,
    ...words: Parameters<Work['unfolded']>
  ): Promise<ReturnType<Work['unfolded']>>;
  namesIn(
    size: number,
    ...words: Parameters<Work['namesIn']>
  ): Promise<ReturnType<Work['namesIn']>>;
  opened(size: number, ...words: Parameters<Work['opened']>): Promise<ReturnType<Work['opened']>>;
  asked(size: number, ...words: Parameters<Work['asked']>): Promise<ReturnType<Work['asked']>>;
  bufferAsked(
    size: number,
    ...words: Parameters<Work['bufferAsked']>
  ): Promise<ReturnType<Work['bufferAsked']>>;
  registryUses(
    size: number,
    ...words: Parameters<Work['registryUses']>
  ): Promise<ReturnType<Work['registryUses']>>;
  close(): Promise<void>;
}

/** The value, or the refusal that a thread answered. @throws Refusal. */
export function told<Value>(done: Done<Value>): Value {
  if (done.ok) return done.value;
  const { code, message, details } = done;
  throw refuse(code, { message, ...(details === undefined ? {} : { details }) });
}

/** Starts no thread before the first large draft; a draft that takes too long or too much is refused. */
export function createDraftReader(limitMs = LIMIT_MS): DraftReader {
  const file = threadFile('draft-thread', import.meta.dirname);
  const pool = file === undefined ? undefined : createThreadPool<Work>(file, 1);

  const at = async <Result>(
    size: number,
    here: () => Result,
    there: (threads: ThreadPool<Work>) => Promise<Result>,
  ): Promise<Result> => {
    if (pool === undefined || size <= SMALL) return here();
    try {
      return await there(pool);
    } catch (error) {
      if (error instanceof ThreadTimeout) throw refuse('spec_too_complex');
      throw error;
    }
  };

  return {
    faultOf: (size, ...words) =>
      at(
        size,
        () => DRAFT_WORK.faultOf(...words),
        ({ run }) => run('faultOf', words, limitMs),
      ),
    bufferGated: (size, ...words) =>
      at(
        size,
        () => DRAFT_WORK.bufferGated(...words),
        ({ run }) => run('bufferGated', words, limitMs),
      ),
    composed: (size, ...words) =>
      at(
        size,
        () => DRAFT_WORK.composed(...words),
        ({ run }) => run('composed', words, limitMs),
      ),
    unfolded: (size, ...words) =>
      at(
        size,
        () => DRAFT_WORK.unfolded(...words),
        ({ run }) => run('unfolded', words, limitMs),
      ),
    namesIn: (size, ...words) =>
      at(
        size,
        () => DRAFT_WORK.namesIn(...words),
        ({ run }) => run('namesIn', words, limitMs),
      ),
    opened: (size, ...words) =>
      at(
        size,
        () => DRAFT_WORK.opened(...words),
        ({ run }) => run('opened', words, limitMs),
      ),
    asked: (size, ...words) =>
      at(
        size,
        () => DRAFT_WORK.asked(...words),
        ({ run }) => run('asked', words, limitMs),
      ),
    bufferAsked: (size, ...words) =>
      at(
        size,
        () => DRAFT_WORK.bufferAsked(...words),
        ({ run }) => run('bufferAsked', words, limitMs),
      ),
    registryUses: (size, ...words) =>
      at(
        size,
        () => DRAFT_WORK.registryUses(...words),
        ({ run }) => run('registryUses', words, limitMs),
      ),
    close: async () => pool?.close(),
  };
}
