import type BetterSqlite3 from 'better-sqlite3';
import { Kysely, type SqliteDatabase, SqliteDialect, type SqliteStatement } from 'kysely';
import { type OpenOptions, openDatabase } from '../store/open-database.ts';
import type { StudioTables } from '../store/studio-tables.ts';
import { keepWal } from '../store/wal-keeper.ts';
import { createWriteLock, LOCK_HOLDERS, writeLockMemory } from '../store/write-lock.ts';
import type { Db } from './handle.ts';

/** The studio's open, migrated store. */
export interface StudioStore {
  readonly db: Db;
  close(): Promise<void>;
}

/** More than the studio has statements; only lists of values of many lengths make more. */
const KEPT_STATEMENTS = 256;

/**
 * Keeps what the store made of a statement's text: most of what a short query costs is that. The
 * query builder never steps through rows one by one here, so a statement is free when it comes again.
 */
class StatementCache implements SqliteDatabase {
  readonly #sqlite: BetterSqlite3.Database;
  readonly #kept = new Map<string, SqliteStatement>();

  constructor(sqlite: BetterSqlite3.Database) {
    this.#sqlite = sqlite;
  }

  prepare(sql: string): SqliteStatement {
    const known = this.#kept.get(sql);
    if (known !== undefined) return known;
    const [oldest] = this.#kept.keys();
    if (oldest !== undefined && this.#kept.size >= KEPT_STATEMENTS) this.#kept.delete(oldest);
    const statement = this.#sqlite.prepare<unknown[]>(sql);
    this.#kept.set(sql, statement);
    return statement;
  }

  close(): void {
    this.#sqlite.close();
  }
}

/**
 * Opens the store. Its log is moved by a thread of its own: an import writes a sealed record of
 * hundreds of kilobytes, and every sixteenth would wait for all of them to be moved.
 * @throws StoreError with what to do.
 */
export function openStudioStore(options: Omit<OpenOptions, 'name'>): StudioStore {
  const store = openDatabase<StudioTables>({ ...options, name: 'studio' });
  const lock = writeLockMemory();
  const { file, durability = 'normal' } = options;
  const wal =
    file === ':memory:'
      ? undefined
      : keepWal(store, { file, durability, lock }, createWriteLock(lock, LOCK_HOLDERS.main));
  const dialect = new SqliteDialect({ database: new StatementCache(store.sqlite) });
  return {
    db: new Kysely<StudioTables>({ dialect }),
    async close() {
      await wal?.stop();
      store.close();
    },
  };
}
