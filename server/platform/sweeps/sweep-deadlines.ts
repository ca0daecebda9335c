import { toTimestamp } from '../../kernel/timestamp.ts';
import type { RunsTable } from '../../store/platform-tables.ts';
import type { PlatformDeps } from '../deps.ts';
import { endRun } from '../legs/end-run.ts';
import { parseObject } from '../redaction.ts';
import { takeLock } from '../take-lock.ts';
import type { DeadlineWatch } from './deadline-watch.ts';

function timeOut(deps: PlatformDeps, row: RunsTable, now: number): boolean {
  const { changed, row: after } = endRun(deps, row, { type: 'deadline_passed', at: now });
  if (!changed || after.status !== 'timed_out') return false;
  deps.metrics.add('runs_failed');
  deps.recordAudit({
    event_type: 'run.timed_out',
    actor: null,
    run_id: row.id,
    metadata: {
      timeout_seconds: parseObject(row.created_metadata)['timeout_seconds'] ?? null,
      deadline_at: row.deadline_at,
      timed_out_at: toTimestamp(now),
      status_at_timeout: row.status,
    },
  });
  return true;
}

/** Ends every run past its deadline (contract/platform.md 6.2). Answers how many. */
export async function sweepDeadlines(deps: PlatformDeps, watch: DeadlineWatch): Promise<number> {
  const now = deps.clock.now();
  const overdue = watch.overdue(deps.runList.nextDeadlines(now / 1000), now / 1000);
  const late = [...overdue].flatMap((id) => deps.runs.find(id) ?? []);
  let timedOut = 0;
  for (const row of [...deps.runList.pastDeadline(now / 1000), ...late]) {
    try {
      const release = await takeLock(deps, `run:${row.id}`);
      if (release === undefined) continue;
      const changed = deps.commits.turn(() => timeOut(deps, row, now));
      if (await changed.finally(release)) timedOut += 1;
    } catch (error) {
      deps.log.error({ run_id: row.id, err: error }, 'a deadline could not be swept');
    }
  }
  return timedOut;
}
