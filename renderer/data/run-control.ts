import { t } from '../../preload/texts/t.ts';
import { cancelRun, continueRun } from '../../server/contract/dashboard/run-actions.ts';
import { rerunRun } from '../../server/contract/dashboard/run-record.ts';
import { getRunReplay } from '../../server/contract/dashboard/runs.ts';
import { call } from './api-client.ts';

/** Stops a run; answers the status that it ended with. @throws ApiError */
export async function stopRun(run_id: string, idempotencyKey: string): Promise<string> {
  return (await call(cancelRun, { params: { run_id } }, { idempotencyKey })).status;
}

/** Takes a run up again from its last saved state; answers its status then. @throws ApiError */
export async function takeUpRun(run_id: string, idempotencyKey: string): Promise<string> {
  return (await call(continueRun, { params: { run_id } }, { idempotencyKey })).status;
}

/**
 * Starts a run as another one began, from the first state that was saved of it; answers the id of
 * the new run. @throws ApiError, or an Error that says that nothing was saved
 */
export async function runAgain(run_id: string, idempotencyKey: string): Promise<string> {
  const { timeline } = await call(getRunReplay, { params: { run_id } });
  const checkpoint_sequence = timeline.find(({ sequence }) => sequence !== null)?.sequence;
  if (checkpoint_sequence === undefined || checkpoint_sequence === null) {
    throw new Error(t('Nothing of it was saved: start it again from its spec.'));
  }
  const body = { checkpoint_sequence, edits: {}, async_mode: true, metadata: {} };
  const started = await call(rerunRun, { params: { run_id }, body }, { idempotencyKey });
  return started.run_id;
}
