import type BetterSqlite3 from 'better-sqlite3';

/** Runs writes as one, with the write lock from their start. */
export function writeAtOnce(sqlite: BetterSqlite3.Database, write: () => void): void {
  sqlite.transaction(write).immediate();
}

/** Runs a write that also a power cut leaves in the store. */
export function writeDurably(sqlite: BetterSqlite3.Database, write: () => void): void {
  const usual: unknown = sqlite.pragma('synchronous', { simple: true });
  sqlite.pragma('synchronous = FULL');
  try {
    write();
  } finally {
    sqlite.pragma(`synchronous = ${String(usual)}`);
  }
}
