import type { Database } from '../../store/open-database.ts';
import type { PlatformTables, RunsTable } from '../../store/platform-tables.ts';

export interface RunDeadlines {
  /** Runs past their deadline (epoch seconds) that are not over. */
  pastDeadline(now: number): RunsTable[];
  /** Runs whose deadline is still ahead, the next ones first. */
  nextDeadlines(now: number): { id: string; due: number }[];
}

/** Deadlines of runs that are not over, found in the list. */
export function createRunDeadlines({
  sqlite,
}: Pick<Database<PlatformTables>, 'sqlite'>): RunDeadlines {
  // Only the list rows of runs that are not over are looked at, in the index alone.
  const pastDeadline = sqlite.prepare<[number], RunsTable>(
    `SELECT runs.* FROM (
       SELECT run_id, deadline_at AS due FROM run_list INDEXED BY run_list_parts
       WHERE workflow_kind IN (SELECT DISTINCT workflow_kind FROM run_counts)
         AND status IN ('queued', 'running', 'blocked') AND deadline_at <= ?
       ORDER BY deadline_at LIMIT 100
     ) AS late CROSS JOIN runs ON runs.id = late.run_id ORDER BY due`,
  );
  const nextDeadlines = sqlite.prepare<[number], { id: string; due: number }>(
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
