import { sqlOf } from '../../store/dialect.ts';

import type { PlatformTables, ResumePointsTable } from '../../store/platform-tables.ts';
import type { SyncStore } from '../../store/sync-connection.ts';
import type { EndedRun, EndedRuns, MaskedRun, RunRead } from './mask-run.ts';
import { type PointPiece, takePiece } from './point-piece.ts';

/** Runs whose texts are to be masked, and the masking. */
export interface MaskingRepository extends EndedRuns {
  /** Belongs to the transaction that ends the run. */
  note(runId: string): void;
  /** Some runs that are over and not held. */
  waiting(): readonly string[];
  /** Bytes of a run's texts and state. */
  weight(runId: string): number;
  /** Its resume points after a number, in their order. */
  points(runId: string, after: number): PointPiece;
  /** False, and nothing written, when the run went on in between. */
  writePoints(run: RunRead, points: readonly ResumePointsTable[]): boolean;
  /** The rest, and that it is done, at once; false, and nothing written, as for the points. */
  write(masked: MaskedRun, points: readonly ResumePointsTable[]): boolean;
}

const SOME = 50;
const OVER = "('completed', 'failed', 'cancelled', 'expired', 'timed_out')";

/** What is overwritten and removed is zeroed, so that no free page keeps it. */
export function createMaskingRepository(
  store: Pick<SyncStore<PlatformTables>, 'sync'>,
): MaskingRepository {
  const { sync } = store;
  const { THEN_JOIN } = sqlOf(sync);
  const note = sync.prepare<[string]>(
    'INSERT INTO runs_to_mask (run_id) VALUES (?) ON CONFLICT (run_id) DO NOTHING',
  );
  const done = sync.prepare<[string]>('DELETE FROM runs_to_mask WHERE run_id = ?');
  const waiting = sync.prepare<[], { run_id: string }>(
    `SELECT runs_to_mask.run_id FROM runs_to_mask ${THEN_JOIN} runs ON runs.id = runs_to_mask.run_id
     WHERE runs.execution_token IS NULL AND runs.status IN ${OVER} LIMIT ${SOME}`,
  );
  const read = sync.prepare<[string], EndedRun>(
    `SELECT id, status, updated_at, input_text, output_text, messages, error, created_metadata,
       run_metadata FROM runs WHERE id = ?`,
  );
  const points = sync.prepare<[string, number], ResumePointsTable>(
    'SELECT run_id, number, change FROM resume_points WHERE run_id = ? AND number > ? ORDER BY number',
  );
  const state = sync.prepare<[string], { state: string }>(
    'SELECT state FROM run_states WHERE run_id = ?',
  );
  const weight = sync.prepare<[string], { bytes: number }>(
    `SELECT coalesce(octet_length(input_text), 0) + coalesce(octet_length(output_text), 0) +
       coalesce(octet_length(error), 0) + octet_length(messages) + octet_length(run_metadata) +
       octet_length(created_metadata) + coalesce(octet_length(state), 0) AS bytes
     FROM runs LEFT JOIN run_states ON run_states.run_id = runs.id WHERE runs.id = ?`,
  );
  const saveRun = sync.prepare<[EndedRun]>(
    `UPDATE runs SET input_text = @input_text, output_text = @output_text, messages = @messages,
       error = @error, created_metadata = @created_metadata, run_metadata = @run_metadata
     WHERE id = @id AND status = @status AND updated_at = @updated_at AND execution_token IS NULL`,
  );
  const savePoint = sync.prepare<[ResumePointsTable]>(
    'UPDATE resume_points SET change = @change WHERE run_id = @run_id AND number = @number',
  );
  const saveState = sync.prepare<[string, string]>(
    'UPDATE run_states SET state = ? WHERE run_id = ?',
  );
  const isSame = sync.prepare<[RunRead]>(
    `SELECT 1 FROM runs
     WHERE id = @id AND status = @status AND updated_at = @updated_at AND execution_token IS NULL`,
  );
  const writePoints = sync.transaction(
    (run: RunRead, changed: readonly ResumePointsTable[]): boolean => {
      if (isSame.get(run) === undefined) return false;
      for (const point of changed) savePoint.run(point);
      return true;
    },
  );
  const write = sync.transaction(
    ({ run, row, state: kept }: MaskedRun, changed: readonly ResumePointsTable[]): boolean => {
      const found =
        row === null ? isSame.get(run) !== undefined : saveRun.run({ ...run, ...row }).changes > 0;
      if (!found) return false;
      for (const point of changed) savePoint.run(point);
      if (kept !== null) saveState.run(kept, run.id);
      done.run(run.id);
      return true;
    },
  );
  return {
    note: (runId) => void note.run(runId),
    waiting: () => waiting.all().map((row) => row.run_id),
    read: (runId) => read.get(runId),
    weight: (runId) => weight.get(runId)?.bytes ?? 0,
    points: (runId, after) => takePiece(points.iterate(runId, after)),
    state: (runId) => state.get(runId)?.state,
    writePoints: (run, changed) => writePoints.immediate(run, changed),
    write: (masked, changed) => write.immediate(masked, changed),
  };
}
