import type { Database } from '../../store/open-database.ts';
import type { PlatformTables, RunsTable } from '../../store/platform-tables.ts';

type Store = Pick<Database<PlatformTables>, 'sqlite'>;

/** What of a run a policy looks at. */
export type PolicedRun = Pick<RunsTable, 'id' | 'created_metadata'>;

/** Ids of the runs of an environment among the newest of all. */
export function listNewestRuns({ sqlite }: Store, environment: string, among: number): string[] {
  return sqlite
    .prepare<[number, string], string>(
      `SELECT runs.id FROM (SELECT run_id FROM run_list ORDER BY created_at DESC LIMIT ?) AS newest
       JOIN runs ON runs.id = newest.run_id WHERE environment = ?`,
    )
    .pluck()
    .all(among, environment);
}

/** Reads one of them. */
export function policedRunReader({ sqlite }: Store): (id: string) => PolicedRun | undefined {
  const read = sqlite.prepare<[string], PolicedRun>(
    'SELECT id, created_metadata FROM runs WHERE id = ?',
  );
  return (id) => read.get(id);
}
