import type { PlatformTables, RunsTable } from '../../store/platform-tables.ts';
import type { SyncStore } from '../../store/sync-connection.ts';
import type { RunDeadlines } from './run-deadlines.ts';

const OPEN = "status IN ('queued', 'running', 'blocked') AND deadline_at IS NOT NULL";

/** Deadlines of runs that are not over, found in the list. */
export function createRunDeadlines({
  sync,
}: Pick<SyncStore<PlatformTables>, 'sync'>): RunDeadlines {
  const pastDeadline = sync.prepare<[number], RunsTable>(
    `SELECT runs.* FROM (SELECT run_id, deadline_at AS due FROM run_list
       WHERE ${OPEN} AND deadline_at <= ? ORDER BY deadline_at LIMIT 100) AS late
     JOIN runs ON runs.id = late.run_id ORDER BY due`,
  );
  const nextDeadlines = sync.prepare<[number], { id: string; due: number }>(
    `SELECT run_id AS id, deadline_at AS due FROM run_list
     WHERE ${OPEN} AND deadline_at > ? ORDER BY deadline_at LIMIT 1000`,
  );
  return {
    pastDeadline: (now) => pastDeadline.all(now),
    nextDeadlines: (now) => nextDeadlines.all(now),
  };
}
