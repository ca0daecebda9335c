import { isTerminalStatus } from '../../contract/platform/run-status.ts';
import type { RunQueueTable } from '../../store/platform-tables.ts';
import type { PlatformDeps } from '../deps.ts';
import { endRun } from '../legs/end-run.ts';
import { statusOf } from '../run-record/run-view.ts';

/** Gives a run up after its attempts (contract/platform.md 6.5). True when the run changed. */
export function deadLetter(deps: PlatformDeps, entry: RunQueueTable): boolean {
  const limit = deps.config.queueMaxAttempts;
  const row = deps.runs.find(entry.run_id);
  const now = deps.clock.now();
  if (row === undefined || isTerminalStatus(statusOf(row)) || row.status === 'blocked') {
    deps.queue.end(entry.run_id, 'completed');
    return false;
  }
  const { changed } = endRun(deps, row, {
    type: 'failed',
    at: now,
    error: {
      type: 'dead_letter',
      message: `The run was given up after ${limit} attempts (SERV_QUEUE_MAX_ATTEMPTS).`,
    },
    metadata: { dead_letter: true },
  });
  deps.queue.end(entry.run_id, 'failed');
  if (!changed) return false;
  deps.metrics.add('runs_dead_lettered');
  deps.metrics.add('runs_failed');
  deps.recordAudit({
    event_type: 'run.dead_lettered',
    actor: null,
    run_id: entry.run_id,
    metadata: { attempts: entry.attempts, limit },
  });
  return true;
}
