import type { ResumePointsTable } from '../../store/platform-tables.ts';
import { threadFile } from '../../store/thread-file.ts';
import { createThreadPool } from '../../store/thread-pool.ts';
import { type MaskedRun, maskStored, PointMask } from './mask-run.ts';
import type { MaskThread } from './mask-thread.ts';
import type { MaskingRepository } from './masking-repository.ts';
import type { PointPiece } from './point-piece.ts';

/** So much is masked in a millisecond or two; more of them beside the event loop. */
const LARGE = 8192;
/** Texts of 32 million characters take a minute. */
const LIMIT_MS = 600_000;

/** Masks what runs left: small things where it is asked, large ones in a thread, with one result. */
export interface Masker {
  /** Null when the run is gone. @throws ThreadTimeout when it takes minutes or gigabytes. */
  mask(runId: string): Promise<MaskedRun | null>;
  /** Begins the masking of one run's resume points; its pieces are given in their order. */
  points(): MaskPoints;
  close(): Promise<void>;
}

/**
 * The points of a piece that change. A run's later points name texts of earlier ones, so that all
 * pieces are masked in one place.
 */
export type MaskPoints = (piece: PointPiece) => Promise<ResumePointsTable[]>;

function sizeOf(texts: readonly (string | null | undefined)[]): number {
  return texts.reduce((sum, text) => sum + (text?.length ?? 0), 0);
}

function isSmall({ points, more }: PointPiece): boolean {
  return !more && sizeOf(points.map(({ change }) => change)) <= LARGE;
}

/**
 * Starts no thread before the first large run, which it reads there too. `databaseFile` is the store
 * of `masking`, or `:memory:`, which no other thread can open.
 */
export function createMasker(masking: MaskingRepository, databaseFile: string): Masker {
  const file = threadFile('mask-thread', import.meta.dirname);
  const pool = file === undefined ? undefined : createThreadPool<MaskThread>(file, 1);
  let maskings = 0;
  return {
    mask: async (runId) =>
      pool === undefined || databaseFile === ':memory:' || masking.weight(runId) <= LARGE
        ? maskStored(masking, runId)
        : pool.run('mask', [databaseFile, runId], LIMIT_MS),
    points() {
      maskings += 1;
      const masking = maskings;
      let here: PointMask | undefined;
      let begins = true;
      return async (piece) => {
        if (begins && (pool === undefined || isSmall(piece))) here = new PointMask();
        const words = [masking, begins, piece.points] as const;
        begins = false;
        if (here !== undefined || pool === undefined) return here?.mask(piece.points) ?? [];
        return pool.run('points', [...words], LIMIT_MS);
      };
    },
    close: async () => pool?.close(),
  };
}
