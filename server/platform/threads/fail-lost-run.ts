import { isTerminalStatus } from '../../contract/platform/run-status.ts';
import type { PlatformDeps } from '../deps.ts';
import { endRun } from '../legs/end-run.ts';
import type { LegEnd } from '../legs/running-leg.ts';
import { statusOf } from '../run-record/run-view.ts';
import type { LossReason } from './thread-process.ts';

function messageOf({ config }: PlatformDeps, reason: LossReason): string {
  switch (reason) {
    case 'stalled':
      return `The run was stopped: one computation took longer than ${config.executionStallSeconds} s (SERV_EXECUTION_STALL_SECONDS).`;
    case 'memory':
      return `The run was stopped: it needed more than ${config.executionMemoryMb} MB of memory (SERV_EXECUTION_MEMORY_MB). Make its texts smaller or fewer at once, then start it again.`;
    case 'crashed':
      return 'The run was stopped: its execution thread ended unexpectedly.';
  }
}

/** Fails the run whose computation took its thread down, while the lost thread still holds it. */
export function failLostRun(
  deps: PlatformDeps,
  runId: string,
  reason: LossReason,
): LegEnd | undefined {
  const row = deps.runs.find(runId);
  const held = row?.execution_token?.startsWith(`${deps.owner}.`) === true;
  if (row === undefined || !held || isTerminalStatus(statusOf(row))) return undefined;
  const error = { type: 'RunStopped', message: messageOf(deps, reason) };
  const { changed } = endRun(deps, row, { type: 'failed', at: deps.clock.now(), error });
  if (!changed) return undefined;
  deps.metrics.add('runs_failed');
  deps.metrics.add('runs_crashed');
  return { kind: 'settled', outcome: { status: 'failed', thrown: true, error }, result: null };
}
