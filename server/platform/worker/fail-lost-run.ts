import { isTerminal } from '../../engine/run-status.ts';
import type { PlatformDeps } from '../deps.ts';
import { endRun } from '../runs/end-run.ts';
import { statusOf } from '../runs/run-view.ts';
import type { LegEnd } from './running-leg.ts';

/** Fails the run whose computation took its thread down, while the lost thread still holds it. */
export function failLostRun(
  deps: PlatformDeps,
  runId: string,
  reason: 'stalled' | 'crashed',
): LegEnd | undefined {
  const row = deps.runs.find(runId);
  const held = row?.execution_token?.startsWith(`${deps.owner}.`) === true;
  if (row === undefined || !held || isTerminal(statusOf(row))) return undefined;
  const message =
    reason === 'stalled'
      ? `The run was stopped: one computation took longer than ${deps.config.executionStallSeconds} s (SERV_EXECUTION_STALL_SECONDS).`
      : 'The run was stopped: its execution thread ended unexpectedly.';
  const error = { type: 'RuntimeError', message };
  const { changed } = endRun(deps, row, { type: 'failed', at: deps.clock.now(), error });
  if (!changed) return undefined;
  deps.metrics.add('runs_failed');
  return { kind: 'settled', outcome: { status: 'failed', thrown: true, error }, result: null };
}
