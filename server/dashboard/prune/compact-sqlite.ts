import type BetterSqlite3 from 'better-sqlite3';

/** Gives the space of removed rows back to the disk. */
export function compact(sqlite: BetterSqlite3.Database): void {
  sqlite.exec('VACUUM');
}
