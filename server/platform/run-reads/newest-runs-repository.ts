import type { PlatformTables } from '../../store/platform-tables.ts';
import type { SyncStore } from '../../store/sync-connection.ts';

/** What of a run says whose spec it had. */
export interface NewestRun {
  readonly id: string;
  readonly workflow_name: string | null;
  readonly agent_name: string | null;
  readonly created_at: string;
  readonly created_metadata: string;
}

/** Ids of the runs that were created last, newest first. */
export function newestRunIds(
  { sync }: Pick<SyncStore<PlatformTables>, 'sync'>,
  limit: number,
): string[] {
  return sync
    .prepare<[number], string>('SELECT run_id FROM run_list ORDER BY created_at DESC LIMIT ?')
    .pluck()
    .all(limit);
}

/** Reads one of them; undefined when it was removed since. */
export function newestRunReader({
  sync,
}: Pick<SyncStore<PlatformTables>, 'sync'>): (id: string) => NewestRun | undefined {
  const read = sync.prepare<[string], NewestRun>(
    'SELECT id, workflow_name, agent_name, created_at, created_metadata FROM runs WHERE id = ?',
  );
  return (id) => read.get(id);
}
