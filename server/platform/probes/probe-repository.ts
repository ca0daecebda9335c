import type { PlatformTables } from '../../store/platform-tables.ts';
import type { SyncStore } from '../../store/sync-connection.ts';

/** Asks the store for a row of a table, whichever: one that does not answer throws. */
export function askTable(
  { sync }: Pick<SyncStore<PlatformTables>, 'sync'>,
  table: 'runs' | 'continuations',
): void {
  sync.prepare(`SELECT 1 FROM ${table} LIMIT 1`).get();
}
