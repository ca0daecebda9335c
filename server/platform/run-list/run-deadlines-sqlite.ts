import type { PlatformTables, RunsTable } from '../../store/platform-tables.ts';
import type { SyncStore } from '../../store/sync-connection.ts';
import type { RunDeadlines } from './run-deadlines.ts';

/** Deadlines of runs that are not over, found in the list. */
export function createRunDeadlines({
  sync,
}: Pick<SyncStore<PlatformTables>, 'sync'>): RunDeadlines {
  // Only the list rows of runs that are not over are looked at, in the index alone.
  const pastDeadline = sync.prepare<[number], RunsTable>(
    `SELECT runs.* FROM (
       SELECT run_id, deadline_at AS due FROM run_list INDEXED BY run_list_parts
       WHERE workflow_kind IN (SELECT DISTINCT workflow_kind FROM run_counts)
         AND status IN ('queued', 'running', 'blocked') AND deadline_at <= ?
       ORDER BY deadline_at LIMIT 100
     ) AS late CROSS JOIN runs ON runs.id = late.run_id ORDER BY due`,
  );
  const nextDeadlines = sync.prepare<[number], { id: string; due: number }>(
    `SELECT run_id AS id, deadline_at AS due FROM run_list INDEXED BY run_list_parts
     WHERE workflow_kind IN (SELECT DISTINCT workflow_kind FROM run_counts)
       AND status IN ('queued', 'running', 'blocked') AND deadline_at > ?
     ORDER BY deadline_at LIMIT 1000`,
  );
  return {
    pastDeadline: (now) => pastDeadline.all(now),
    nextDeadlines: (now) => nextDeadlines.all(now),
  };
}
