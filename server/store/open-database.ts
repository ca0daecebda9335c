import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import { makeFileSync } from '../files/durable-write.ts';
import { toTimestamp } from '../kernel/timestamp.ts';
import { migrate } from './migrate.ts';
import { patientDialect } from './patient-dialect.ts';
import { copyBeforeMigration, dropOldCopies } from './store-copies.ts';
import { StoreError, toStoreError } from './store-error.ts';
import type { OnStoreStep, StoreName } from './store-step.ts';
import type { SyncConnection, SyncStore } from './sync-connection.ts';

/** An open, migrated store. `sqlite` is the same connection as `db`, for prepared statements on hot paths. */
export interface Database<Tables> extends SyncStore<Tables> {
  readonly sqlite: BetterSqlite3.Database;
  /** The same as `sqlite`, for those who need no more than every dialect has. */
  readonly sync: SyncConnection;
  close(): void;
}

export interface OpenOptions {
  readonly name: StoreName;
  /** A file, or `:memory:`. */
  readonly file: string;
  /** Folder of `NNNN_what.sql`. */
  readonly migrations: string;
  /** `normal`: an acknowledged write survives kill -9; `full`: also a power cut. */
  readonly durability?: 'normal' | 'full';
  /**
   * How long a statement waits for another process's write once the store is open. It holds up the
   * thread: short where a thread serves requests.
   */
  readonly busyTimeoutMs?: number;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Is told before the store is copied and once it is migrated; a large one takes a while. */
  note?(facts: Readonly<Record<string, number>>, message: string): void;
  readonly onStep?: OnStoreStep | undefined;
}

const MINIMUM_NAPI = 10;
const BUSY_TIMEOUT_MS = 5000;

function refuseOldRuntime(): void {
  if (Number(process.versions['napi'] ?? '0') < MINIMUM_NAPI) {
    throw new StoreError(
      'store_unwritable',
      'The database needs Node 22.14 or newer; this process runs an older one. Start it with npm run specwright.',
    );
  }
}

function configure(sqlite: BetterSqlite3.Database, durability: 'normal' | 'full'): void {
  sqlite.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
  sqlite.pragma(`synchronous = ${durability === 'full' ? 'FULL' : 'NORMAL'}`);
  sqlite.pragma('foreign_keys = ON');
  // What was removed or overwritten may have been a secret: no free page keeps it.
  sqlite.pragma('secure_delete = ON');
  sqlite.pragma('temp_store = MEMORY');
  sqlite.pragma('cache_size = -16000');
}

/** Stands beside a store that was made once, so that an emptied one is not taken for a new one. */
function markOf(file: string): string {
  return `${file}.made`;
}

/** A first start that was killed leaves an empty file too, but no mark. */
function refuseLost({ file, name }: Pick<OpenOptions, 'file' | 'name'>): void {
  if (file === ':memory:' || !existsSync(markOf(file))) return;
  if (statSync(file, { throwIfNoEntry: false })?.size !== 0) return;
  throw new StoreError(
    'store_lost',
    `The ${name} database is empty, but it held data before. Restore it from a backup, or move the ` +
      `empty ${path.basename(file)} away to begin a new one.`,
  );
}

function noteMade({ file, note }: Pick<OpenOptions, 'file' | 'note'>): void {
  if (file === ':memory:' || existsSync(markOf(file))) return;
  try {
    makeFileSync(markOf(file), 'The database beside this file has been in use.\n', 0o600);
  } catch {
    // A store that opens is worth more than its mark; the next start tries again.
    note?.({}, 'the mark beside the store was not written');
  }
}

/**
 * Opens a store: WAL, foreign keys, busy timeout; migrates it forward after copying it.
 * @throws StoreError with what to do; a refused start leaves the file as it was.
 */
export function openDatabase<Tables>(options: OpenOptions): Database<Tables> {
  refuseOldRuntime();
  let sqlite: BetterSqlite3.Database | undefined;
  try {
    if (options.file !== ':memory:') {
      mkdirSync(path.dirname(options.file), { recursive: true, mode: 0o700 });
    }
    refuseLost(options);
    const fresh = options.file !== ':memory:' && !existsSync(options.file);
    sqlite = new BetterSqlite3(options.file);
    if (fresh) chmodSync(options.file, 0o600);
    if (!fresh && options.file !== ':memory:' && statSync(options.file).size > 0) {
      sqlite.prepare('SELECT count(*) FROM sqlite_master').get();
    }
    const opened = sqlite;
    let from: number | undefined;
    configure(opened, options.durability ?? 'normal');
    const schemaVersion = migrate(opened, {
      store: options.name,
      folder: options.migrations,
      now: toTimestamp(options.now()),
      backup(version) {
        from = version;
        copyBeforeMigration(opened, options, version);
      },
      onChange(change, changes) {
        options.onStep?.({ store: options.name, step: 'changing', change, changes });
      },
    });
    if (from !== undefined) {
      options.onStep?.({ store: options.name, step: 'done' });
      options.note?.({ from, schema_version: schemaVersion }, 'the store was brought up to date');
      dropOldCopies(options.file);
    }
    opened.pragma('journal_mode = WAL');
    noteMade(options);
    opened.pragma(`busy_timeout = ${options.busyTimeoutMs ?? BUSY_TIMEOUT_MS}`);
    if (options.file === ':memory:') {
      const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: opened }) });
      return { db, sqlite: opened, sync: opened, schemaVersion, close: () => opened.close() };
    }
    const dialect = patientDialect(opened, options.file);
    const close = (): void => {
      dialect.closeReader();
      opened.close();
    };
    return {
      db: new Kysely<Tables>({ dialect }),
      ...{ sqlite: opened, sync: opened, schemaVersion, close },
    };
  } catch (error) {
    sqlite?.close();
    throw toStoreError(options.name, error);
  }
}
