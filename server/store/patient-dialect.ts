import { setTimeout as sleep } from 'node:timers/promises';
import type BetterSqlite3 from 'better-sqlite3';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { systemCode } from '../kernel/system-code.ts';
import { openReader } from './open-reader.ts';

/** How long a statement waits for another process's write before the store counts as busy. */
const PATIENCE_MS = 5_000;
const BETWEEN_TRIES_MS = 5;
/** More than a service has statements; only lists of values of many lengths make more. */
const KEPT_STATEMENTS = 256;

type Statement = BetterSqlite3.Statement<unknown[]>;

/** True when another process writes now. */
export function isHeld(error: unknown): boolean {
  return systemCode(error)?.startsWith('SQLITE_BUSY') === true;
}

/**
 * Keeps what the store made of a statement's text: most of what a short query costs is that. No row
 * is stepped through one by one here, so a statement is free when it comes again.
 */
class Statements implements SqliteDatabase {
  readonly sqlite: BetterSqlite3.Database;
  readonly #kept = new Map<string, Statement>();
  /** As the connection was opened, in milliseconds. */
  #patience: number | undefined;

  constructor(sqlite: BetterSqlite3.Database) {
    this.sqlite = sqlite;
  }

  prepare(sql: string): Statement {
    const known = this.#kept.get(sql);
    if (known !== undefined) return known;
    const [oldest] = this.#kept.keys();
    if (oldest !== undefined && this.#kept.size >= KEPT_STATEMENTS) this.#kept.delete(oldest);
    const statement = this.sqlite.prepare<unknown[]>(sql);
    this.#kept.set(sql, statement);
    return statement;
  }

  close(): void {
    this.sqlite.close();
  }

  /** Runs work that fails at once, instead of holding up the event loop, when another process writes. */
  unwaiting<T>(work: () => T): T {
    this.#patience ??= Number(this.sqlite.pragma('busy_timeout', { simple: true }));
    // `exec` costs a tenth of `pragma`, which every write would pay twice.
    this.sqlite.exec('PRAGMA busy_timeout = 0');
    try {
      return work();
    } finally {
      this.sqlite.exec(`PRAGMA busy_timeout = ${this.#patience}`);
    }
  }
}

/** Tries work until no other process writes, beside the event loop. @throws the store's own busy error. */
async function patiently<T>(since: number, work: () => T | Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isHeld(error) || performance.now() - since > PATIENCE_MS) throw error;
      await sleep(BETWEEN_TRIES_MS);
    }
  }
}

/** Writers of this process one after the other; readers never stand in the line. */
class WriteLine {
  /** A transaction of the query builder is open. */
  inTransaction = false;
  #last: Promise<void> = Promise.resolve();

  /** Resolves with the word that lets the next one in. */
  async enter(): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const before = this.#last;
    this.#last = promise;
    await before;
    return resolve;
  }
}

function isPragma(sql: string): boolean {
  return sql.trimStart().slice(0, 6).toLowerCase() === 'pragma';
}

/** One connection to the store, and what the query builder reads its answers with. */
interface Way {
  readonly statements: Statements;
  readonly connection: DatabaseConnection;
}

interface Ways {
  readonly write: Way;
  readonly read: Way;
  readonly line: WriteLine;
}

async function wayOf(sqlite: BetterSqlite3.Database): Promise<Way> {
  const statements = new Statements(sqlite);
  const driver = new SqliteDialect({ database: statements }).createDriver();
  await driver.init();
  return { statements, connection: await driver.acquireConnection() };
}

/** What the query builder takes for a connection: its writes stand in line, its reads do not. */
class Lane implements DatabaseConnection {
  readonly #ways: Ways;
  /** Lets the next writer in; set while a transaction is open. */
  #leave: (() => void) | undefined;

  constructor(ways: Ways) {
    this.#ways = ways;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { write, read, line } = this.#ways;
    // One that was begun on the connection itself is everybody's: what it wrote must be seen.
    const begunBeside = write.statements.sqlite.inTransaction && !line.inTransaction;
    if (this.#leave !== undefined || begunBeside) return write.connection.executeQuery<R>(query);
    const since = performance.now();
    // A setting is asked of the connection that it was made on.
    if (!isPragma(query.sql) && write.statements.prepare(query.sql).readonly) {
      return patiently(since, () => read.connection.executeQuery<R>(query));
    }
    const leave = await line.enter();
    try {
      return await patiently(since, () =>
        write.statements.unwaiting(() => write.connection.executeQuery<R>(query)),
      );
    } finally {
      leave();
    }
  }

  streamQuery(): AsyncIterableIterator<never> {
    throw new TypeError('rows of a store are not read one by one');
  }

  async begin(): Promise<void> {
    const { write, line } = this.#ways;
    const since = performance.now();
    const leave = await line.enter();
    try {
      // At once a writer: one that became it later could find that its reads are out of date.
      await patiently(since, () =>
        write.statements.unwaiting(() => write.statements.sqlite.exec('BEGIN IMMEDIATE')),
      );
      this.#leave = leave;
      line.inTransaction = true;
    } catch (error) {
      leave();
      throw error;
    }
  }

  end(word: 'COMMIT' | 'ROLLBACK'): void {
    const { sqlite } = this.#ways.write.statements;
    if (sqlite.inTransaction) sqlite.exec(word);
    this.#ways.line.inTransaction = false;
    this.#leave?.();
    this.#leave = undefined;
  }

  release(): void {
    if (this.#leave !== undefined) this.end('ROLLBACK');
  }
}

class PatientDriver implements Driver {
  readonly #writer: BetterSqlite3.Database;
  readonly #openReader: () => BetterSqlite3.Database;
  #ways: Ways | undefined;

  constructor(writer: BetterSqlite3.Database, openReader: () => BetterSqlite3.Database) {
    this.#writer = writer;
    this.#openReader = openReader;
  }

  async init(): Promise<void> {
    const [write, read] = [await wayOf(this.#writer), await wayOf(this.#openReader())];
    this.#ways = { write, read, line: new WriteLine() };
  }

  async acquireConnection(): Promise<Lane> {
    if (this.#ways === undefined) throw new TypeError('the store is not open');
    return new Lane(this.#ways);
  }

  async beginTransaction(lane: Lane): Promise<void> {
    await lane.begin();
  }

  async commitTransaction(lane: Lane): Promise<void> {
    lane.end('COMMIT');
  }

  async rollbackTransaction(lane: Lane): Promise<void> {
    lane.end('ROLLBACK');
  }

  async releaseConnection(lane: Lane): Promise<void> {
    lane.release();
  }

  async destroy(): Promise<void> {}
}

class ManyLanes extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

/** The query builder's way to a store that other processes write too. */
export interface PatientDialect extends Dialect {
  /** Closes what it opened; the writer stays open. */
  closeReader(): void;
}

/**
 * `writer` for what changes the store, one after the other, and a second connection, opened for the
 * first query, for everything else. Who waits for another process does it beside the event loop,
 * five seconds at most, and then fails like a busy store.
 */
export function patientDialect(writer: BetterSqlite3.Database, file: string): PatientDialect {
  let reader: BetterSqlite3.Database | undefined;
  const open = (): BetterSqlite3.Database => {
    reader = openReader(file);
    return reader;
  };
  return {
    createAdapter: () => new ManyLanes(),
    createDriver: () => new PatientDriver(writer, open),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    closeReader: () => reader?.close(),
  };
}
