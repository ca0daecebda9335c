import type BetterSqlite3 from 'better-sqlite3';

/** Tables that grow without end, and that a prune may shorten. */
export const PRUNED_TABLES = ['audit_log', 'launches'] as const;
/** A table that may be pruned. */
export type PrunedTable = (typeof PRUNED_TABLES)[number];

/** A row as it is exported. */
export type PrunedRow = Readonly<Record<string, string | number | null>>;

const BATCH = 500;

/** How many rows of a table a prune would take. */
export function countRows(
  sqlite: BetterSqlite3.Database,
  table: PrunedTable,
  cutoff: string,
): number {
  const counted = sqlite
    .prepare<[string], { n: number }>(`SELECT count(*) AS n FROM ${table} WHERE created_at < ?`)
    .get(cutoff);
  return counted?.n ?? 0;
}

/** Hands over the rows of a table that are older than the cutoff, oldest first, after their number. */
export function readRows(
  sqlite: BetterSqlite3.Database,
  table: PrunedTable,
  cutoff: string,
  reader: { begin(rows: number): void; row(row: PrunedRow): void },
): void {
  const rows = sqlite.prepare<[string], PrunedRow>(
    `SELECT * FROM ${table} WHERE created_at < ? ORDER BY created_at, id`,
  );
  sqlite.transaction(() => {
    reader.begin(countRows(sqlite, table, cutoff));
    for (const row of rows.iterate(cutoff)) reader.row(row);
  })();
}

/** Removes rows of a table, some at a time. */
export function removeRows(
  sqlite: BetterSqlite3.Database,
  table: PrunedTable,
  ids: readonly string[],
): void {
  for (let start = 0; start < ids.length; start += BATCH) {
    const batch = ids.slice(start, start + BATCH);
    const marks = batch.map(() => '?').join(', ');
    sqlite.prepare<string[]>(`DELETE FROM ${table} WHERE id IN (${marks})`).run(...batch);
  }
}
