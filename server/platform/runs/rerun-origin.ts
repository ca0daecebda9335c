import type { RunSetup } from '../../engine/state.ts';
import type { RunsTable } from '../../store/platform-tables.ts';
import type { PlatformDeps } from '../deps.ts';
import { refuse } from '../refuse.ts';
import { getRunRow } from '../run-record/get-run.ts';
import type { RerunOrigin } from '../specs/rerun-work.ts';
import { setupOf } from '../stored-states/remnant-state.ts';

/**
 * A checkpoint of a run that something can go on from.
 * @throws Refusal not_found, invalid_request.
 */
export async function originOf(deps: PlatformDeps, runId: string, sequence: number) {
  getRunRow(deps, runId);
  const checkpoint = deps.checkpoints.find(runId, sequence);
  if (checkpoint === undefined) {
    throw refuse('invalid_request', { message: `The run has no checkpoint ${sequence}.` });
  }
  if (checkpoint.point === null) {
    const message = 'The checkpoint was written before reruns existed: nothing can go on from it.';
    throw refuse('invalid_request', { message });
  }
  const point = await deps.resumePoints.find(runId, checkpoint.point);
  // A run that was removed while its points were read is not found.
  const row = getRunRow(deps, runId);
  const { created_metadata: createdMetadata, environment } = row;
  const origin: RerunOrigin = { createdMetadata, environment, strict: row.strict === 1 };
  return { row, checkpoint, origin, point };
}

/** The set-up of a run that goes on from another one. */
export function originSetup(
  row: RunsTable,
  runId: string,
  timeout: number | null,
  at: number,
): RunSetup {
  const deadline_at = timeout === null ? null : at / 1000 + timeout;
  return { ...setupOf(row, timeout), run_id: runId, deadline_at };
}
