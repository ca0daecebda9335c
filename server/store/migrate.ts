import type BetterSqlite3 from 'better-sqlite3';
import {
  type Applied,
  failedMigration,
  type Migration,
  olderStore,
  pendingOf,
  readMigrations,
  refuseIncompatible,
  refuseUnknown,
} from './migration-files.ts';
import { isStoreFault, StoreError } from './store-error.ts';

function readApplied(sqlite: BetterSqlite3.Database): Applied[] {
  const ledger = sqlite
    .prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'schema_migrations'")
    .get();
  if (ledger === undefined) return [];
  return sqlite.prepare<[], Applied>('SELECT * FROM schema_migrations ORDER BY version').all();
}

/** The newest migration that was applied; 0 = none. */
export function newestSchema(sqlite: BetterSqlite3.Database): number {
  return readApplied(sqlite).at(-1)?.version ?? 0;
}

function refuseForeign(
  sqlite: BetterSqlite3.Database,
  store: string,
  applied: readonly Applied[],
): void {
  if (applied.length > 0) return;
  const foreign = sqlite
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' LIMIT 1")
    .get();
  if (foreign !== undefined) {
    throw new StoreError(
      'store_corrupt',
      `The ${store} database was not made by this program. Move it away or name another data folder.`,
    );
  }
}

/** The first migration of a store is the same in every version that was released. */
function refuseUnreleased(
  store: string,
  [first]: readonly Applied[],
  known: readonly Migration[],
): void {
  if (first === undefined || first.sha256 === known[0]?.sha256) return;
  throw new StoreError(
    'store_from_unreleased_version',
    `The ${store} database was made by a version of this program that was never released. It was ` +
      'left as it is, but no other version reads it: move it away, or name another data folder.',
  );
}

/**
 * For whoever reads a store that it may not change.
 * @throws StoreError for a store that is not at the newest migration of this program, or is none of its
 */
export function requireNewestSchema(
  sqlite: BetterSqlite3.Database,
  store: string,
  folder: string,
): void {
  const known = readMigrations(folder, store);
  const applied = readApplied(sqlite);
  refuseForeign(sqlite, store, applied);
  refuseUnreleased(store, applied, known);
  refuseUnknown(store, applied, known);
  if (pendingOf(applied, known).length > 0) throw olderStore(store);
}

const LEDGER = `CREATE TABLE IF NOT EXISTS schema_migrations (
  version INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  applied_at TEXT NOT NULL,
  requires INTEGER
) STRICT`;

/** One that was made without the last column gets it. */
function makeLedger(sqlite: BetterSqlite3.Database): void {
  sqlite.exec(LEDGER);
  const column = "SELECT 1 FROM pragma_table_info('schema_migrations') WHERE name = 'requires'";
  if (sqlite.prepare(column).get() !== undefined) return;
  sqlite.exec('ALTER TABLE schema_migrations ADD COLUMN requires INTEGER');
}

/**
 * Brings a database to the newest schema: forward only, in order, one transaction each. Before
 * anything is changed the ledger is checked; steps of a newer program stay, where it says that this one
 * works with them; `backup` runs once when an existing store is about to change.
 * @throws StoreError `store_newer`, `store_from_unreleased_version`, `migration_edited`,
 * `store_corrupt` (nothing written) or `migration_failed`.
 */
export function migrate(
  sqlite: BetterSqlite3.Database,
  options: {
    store: string;
    folder: string;
    now: string;
    backup(fromVersion: number): void;
    /** Of an existing store: which change of how many begins. */
    onChange?(change: number, changes: number): void;
  },
): number {
  const known = readMigrations(options.folder, options.store);
  const applied = readApplied(sqlite);
  refuseForeign(sqlite, options.store, applied);
  refuseUnreleased(options.store, applied, known);
  refuseIncompatible(options.store, applied, known);
  const pending = pendingOf(applied, known);
  const latest = known.at(-1)?.version ?? 0;
  if (pending.length === 0) return latest;
  if (applied.length > 0) options.backup(applied.at(-1)?.version ?? 0);
  for (const [at, migration] of pending.entries()) {
    if (applied.length > 0) options.onChange?.(at + 1, pending.length);
    const apply = sqlite.transaction(() => {
      makeLedger(sqlite);
      sqlite.exec(migration.sql);
      sqlite
        .prepare(
          `INSERT INTO schema_migrations (version, name, sha256, applied_at, requires)
           VALUES (?, ?, ?, ?, ?)`,
        )
        .run(
          ...[migration.version, migration.name, migration.sha256, options.now],
          migration.requires,
        );
    });
    try {
      apply.exclusive();
    } catch (error) {
      if (isStoreFault(error)) throw error;
      throw failedMigration(options.store, migration, error);
    }
  }
  return latest;
}
