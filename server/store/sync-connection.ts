import type { Kysely } from 'kysely';

// A connection whose statements have answered when they return, so that a transaction is one call and
// nothing of this thread comes in between. That of SQLite is the driver's own (better-sqlite3), which
// fits these types as it is; that of PostgreSQL is postgres-connection.ts.

/** A statement that was prepared once. Values are given in order, or by name as one object. */
export interface SyncStatement<Args extends unknown[], Row> {
  get(...args: Args): Row | undefined;
  all(...args: Args): Row[];
  iterate(...args: Args): IterableIterator<Row>;
  /** Only where a way to the store costs: as all, asked together with the next statement that is sent. */
  later?(...args: Args): () => Row[];
  /** `changes` counts the rows that it wrote. */
  run(...args: Args): { readonly changes: number };
  /** Answers the first column alone. */
  pluck(): SyncStatement<Args, Row>;
  /** Answers rows as lists of columns. */
  raw(): SyncStatement<Args, Row>;
}

/**
 * As all, for what a transaction needs in a moment: one way to the store brings it with something else.
 * It says what was there where it was asked, not where its answer is looked at.
 */
export function askAllLater<Args extends unknown[], Row>(
  statement: SyncStatement<Args, Row>,
  ...args: Args
): () => Row[] {
  if (statement.later !== undefined) return statement.later(...args);
  const rows = statement.all(...args);
  return () => rows;
}

/** As get, in the same way. */
export function askLater<Args extends unknown[], Row>(
  statement: SyncStatement<Args, Row>,
  ...args: Args
): () => Row | undefined {
  const rows = askAllLater(statement, ...args);
  return () => rows()[0];
}

/** A statement that is given values in order, or one object that names them. */
export type StatementOf<Args, Row> = Args extends unknown[]
  ? SyncStatement<Args, Row>
  : SyncStatement<[Args], Row>;

/** Work that is one transaction; within another it is a part of that. */
export type SyncTransaction<Args extends unknown[], T> = ((...args: Args) => T) & {
  /** At once a writer, where a store has only one. */
  readonly immediate: (...args: Args) => T;
};

export interface SyncConnection {
  readonly open: boolean;
  readonly inTransaction: boolean;
  prepare<Args extends unknown[] | object = unknown[], Row = unknown>(
    sql: string,
  ): StatementOf<Args, Row>;
  transaction<Args extends unknown[], T>(work: (...args: Args) => T): SyncTransaction<Args, T>;
}

/** A store by such a connection, whatever it is kept in. */
export interface SyncStore<Tables> {
  /** Builds statements; asynchronous where it runs them. */
  readonly db: Kysely<Tables>;
  readonly sync: SyncConnection;
  readonly schemaVersion: number;
}
