import type { PlatformTables, RunsTable } from '../../store/platform-tables.ts';
import type { SyncStore } from '../../store/sync-connection.ts';

type Store = Pick<SyncStore<PlatformTables>, 'sync'>;

/** What of a run a policy looks at. */
export type PolicedRun = Pick<RunsTable, 'id' | 'created_metadata'>;

/** Ids of the runs of an environment among the newest of all. */
export function listNewestRuns({ sync }: Store, environment: string, among: number): string[] {
  return sync
    .prepare<[number, string], string>(
      `SELECT runs.id FROM (SELECT run_id FROM run_list ORDER BY created_at DESC LIMIT ?) AS newest
       JOIN runs ON runs.id = newest.run_id WHERE environment = ?`,
    )
    .pluck()
    .all(among, environment);
}

/** Reads one of them. */
export function policedRunReader({ sync }: Store): (id: string) => PolicedRun | undefined {
  const read = sync.prepare<[string], PolicedRun>(
    'SELECT id, created_metadata FROM runs WHERE id = ?',
  );
  return (id) => read.get(id);
}
