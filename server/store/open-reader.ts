import BetterSqlite3 from 'better-sqlite3';

/** A second connection to a store that is open already; it only reads, and waits for nobody. */
export function openReader(file: string): BetterSqlite3.Database {
  const sqlite = new BetterSqlite3(file, { readonly: true, fileMustExist: true, timeout: 0 });
  sqlite.pragma('temp_store = MEMORY');
  sqlite.pragma('cache_size = -16000');
  return sqlite;
}
