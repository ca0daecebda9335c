import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type BetterSqlite3 from 'better-sqlite3';
import { isStoreFault, StoreError } from './store-error.ts';

interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
  readonly sha256: string;
}

interface Applied {
  readonly version: number;
  readonly name: string;
  readonly sha256: string;
}

const FILE_NAME = /^(\d{4})_([a-z0-9_]+)\.sql$/;

function readMigrations(folder: string, store: string): Migration[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.sql'));
  const migrations = files.sort().map((file): Migration => {
    const match = FILE_NAME.exec(file);
    if (match?.[1] === undefined || match[2] === undefined) {
      throw new StoreError(
        'migration_failed',
        `The ${store} migration ${file} is not named NNNN_what.sql.`,
      );
    }
    const sql = readFileSync(path.join(folder, file), 'utf8');
    const sha256 = createHash('sha256').update(sql).digest('hex');
    return { version: Number(match[1]), name: match[2], sql, sha256 };
  });
  const twice = migrations.find(
    ({ version }, index) => version === (migrations[index - 1]?.version ?? 0),
  );
  if (twice !== undefined) {
    throw new StoreError(
      'migration_failed',
      `The ${store} migrations have the number ${twice.version} twice.`,
    );
  }
  return migrations;
}

function readApplied(sqlite: BetterSqlite3.Database): Applied[] {
  const ledger = sqlite
    .prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'schema_migrations'")
    .get();
  if (ledger === undefined) return [];
  return sqlite
    .prepare<[], Applied>('SELECT version, name, sha256 FROM schema_migrations ORDER BY version')
    .all();
}

/** The newest migration that was applied; 0 = none. */
export function newestSchema(sqlite: BetterSqlite3.Database): number {
  return readApplied(sqlite).at(-1)?.version ?? 0;
}

/** The number of the newest migration of a folder; what a store has that this program opened. */
export function newestMigration(folder: string, store: string): number {
  return readMigrations(folder, store).at(-1)?.version ?? 0;
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

function refuseUnknown(
  store: string,
  applied: readonly Applied[],
  known: readonly Migration[],
): void {
  const newest = applied.at(-1)?.version ?? 0;
  const latest = known.at(-1)?.version ?? 0;
  if (newest > latest) {
    throw new StoreError(
      'store_newer',
      `The ${store} database has schema version ${newest}, this program knows ${latest}. ` +
        'Start the newer program, or restore a backup from before the upgrade.',
    );
  }
  const hashes = new Map(known.map(({ version, sha256 }) => [version, sha256]));
  for (const row of applied) {
    if (hashes.get(row.version) !== row.sha256) {
      throw new StoreError(
        'migration_edited',
        `Migration ${row.version} of the ${store} database is not the one that was applied. ` +
          'Reinstall the program that made the database.',
      );
    }
  }
}

const LEDGER = `CREATE TABLE IF NOT EXISTS schema_migrations (
  version INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  applied_at TEXT NOT NULL
) STRICT`;

/**
 * Brings a database to the newest schema: forward only, in order, one transaction each. Before
 * anything is changed the ledger is checked; `backup` runs once when an existing store is about to change.
 * @throws StoreError `store_newer`, `store_from_unreleased_version`, `migration_edited`,
 * `store_corrupt` (nothing written) or `migration_failed`.
 */
export function migrate(
  sqlite: BetterSqlite3.Database,
  options: { store: string; folder: string; now: string; backup(fromVersion: number): void },
): number {
  const known = readMigrations(options.folder, options.store);
  const applied = readApplied(sqlite);
  refuseForeign(sqlite, options.store, applied);
  refuseUnreleased(options.store, applied, known);
  refuseUnknown(options.store, applied, known);
  const done = new Set(applied.map(({ version }) => version));
  const pending = known.filter(({ version }) => !done.has(version));
  const latest = known.at(-1)?.version ?? 0;
  if (pending.length === 0) return latest;
  if (applied.length > 0) options.backup(applied.at(-1)?.version ?? 0);
  for (const migration of pending) {
    const apply = sqlite.transaction(() => {
      sqlite.exec(LEDGER);
      sqlite.exec(migration.sql);
      sqlite
        .prepare(
          'INSERT INTO schema_migrations (version, name, sha256, applied_at) VALUES (?, ?, ?, ?)',
        )
        .run(migration.version, migration.name, migration.sha256, options.now);
    });
    try {
      apply.exclusive();
    } catch (error) {
      if (isStoreFault(error)) throw error;
      throw new StoreError(
        'migration_failed',
        `Migration ${migration.version} (${migration.name}) of the ${options.store} database failed. ` +
          'Nothing of it was kept; report this with the log.',
        error,
      );
    }
  }
  return latest;
}
