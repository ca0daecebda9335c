import { isTerminalStatus } from '../../contract/platform/run-status.ts';
import type { PlatformDeps } from '../deps.ts';
import { endRun } from '../legs/end-run.ts';
import { getRunRow } from '../run-record/get-run.ts';
import { statusOf } from '../run-record/run-view.ts';

/**
 * Cancels a run at once; a terminal one answers unchanged (contract/platform.md 6.2).
 * @throws Refusal not_found.
 */
export function cancelRun(
  deps: PlatformDeps,
  input: { readonly runId: string; readonly actor: string },
): void {
  const row = getRunRow(deps, input.runId);
  if (isTerminalStatus(statusOf(row))) return;
  const { row: after, changed } = endRun(deps, row, {
    type: 'cancelled',
    at: deps.clock.now(),
    reason: 'Run cancellation requested.',
    requested: true,
  });
  if (changed && after.status === 'cancelled') {
    deps.recordAudit({
      event_type: 'run.cancelled',
      actor: input.actor,
      run_id: row.id,
      metadata: {},
    });
  }
}
