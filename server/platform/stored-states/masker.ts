import { threadFile } from '../../store/thread-file.ts';
import { createThreadPool } from '../../store/thread-pool.ts';
import { maskLeft, type RunLeft } from './mask-run.ts';

/** So many characters are masked in a millisecond or two; more of them beside the event loop. */
const LARGE = 8192;
/** Texts of 32 million characters take a minute. */
const LIMIT_MS = 600_000;

/** Masks what runs left: small things where it is asked, large ones in a thread, with one result. */
export interface Masker {
  /** @throws ThreadTimeout when it takes minutes or gigabytes. */
  mask(left: RunLeft): Promise<RunLeft>;
  close(): Promise<void>;
}

function sizeOf({ row, points, state }: RunLeft): number {
  const texts = [...Object.values(row), ...points.map((point) => point.change), state];
  return texts.reduce((sum: number, text) => sum + (text?.length ?? 0), 0);
}

/** Starts no thread before the first large run. */
export function createMasker(): Masker {
  const file = threadFile('mask-thread', import.meta.dirname);
  const pool =
    file === undefined ? undefined : createThreadPool<{ mask: typeof maskLeft }>(file, 1);
  return {
    async mask(left) {
      if (pool === undefined || sizeOf(left) <= LARGE) return maskLeft(left);
      return pool.run('mask', [left], LIMIT_MS);
    },
    close: async () => pool?.close(),
  };
}
