import type { Database } from '../../store/open-database.ts';
import type { PlatformTables } from '../../store/platform-tables.ts';

/** Asks the store for a row of a table, whichever: one that does not answer throws. */
export function askTable(
  { sqlite }: Pick<Database<PlatformTables>, 'sqlite'>,
  table: 'runs' | 'continuations',
): void {
  sqlite.prepare(`SELECT 1 FROM ${table} LIMIT 1`).get();
}
