import type { Database } from '../../store/open-database.ts';
import type { PlatformTables, RunsTable } from '../../store/platform-tables.ts';
import type { RunListWriter } from './run-list-writer.ts';

/** Runs of one transaction: a start that is cut off goes on where it was. */
const BATCH = 200;

/** Writes the list rows of runs that are older than the lists' tables (migration 2). */
export function fillRunList(store: Database<PlatformTables>, list: RunListWriter): void {
  const { sqlite } = store;
  const counted = sqlite
    .prepare<[], { runs: number; listed: number }>(
      'SELECT (SELECT count(*) FROM runs) AS runs, (SELECT count(*) FROM run_list) AS listed',
    )
    .get();
  if (counted === undefined || counted.runs <= counted.listed) return;
  const next = sqlite.prepare<[number, number], RunsTable & { at: number; listed: number }>(
    `SELECT runs.*, runs.rowid AS at,
       EXISTS (SELECT 1 FROM run_list WHERE run_list.run_id = runs.id) AS listed
     FROM runs WHERE runs.rowid > ? ORDER BY runs.rowid LIMIT ?`,
  );
  const batch = sqlite.transaction((after: number): number | undefined => {
    const rows = next.all(after, BATCH);
    for (const { at: _at, listed, ...row } of rows) if (listed === 0) list.insert(row);
    return rows.at(-1)?.at;
  });
  for (let after: number | undefined = 0; after !== undefined; after = batch.immediate(after));
}
