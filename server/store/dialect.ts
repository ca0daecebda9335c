import { type Kysely, PostgresAdapter } from 'kysely';
import * as postgres from './dialect-postgres.ts';
import type { SqlOf } from './dialect-sql.ts';
import * as sqlite from './dialect-sqlite.ts';
import { PostgresConnection } from './postgres-connection.ts';
import type { SyncConnection } from './sync-connection.ts';

/** True for a store in an external database. */
function isPostgres<Tables>(db: Kysely<Tables>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}

/** Rows of a JSON list that stands in the column `tags`, as SQL of the store's own: `value`. */
export function rowsOfTags<Tables>(db: Kysely<Tables>): string {
  return isPostgres(db) ? postgres.rowsOfTags() : sqlite.rowsOfTags();
}

/** What a store of a kind has its own way for: one of two. */
export function byDialect<S, P>(sync: SyncConnection, ways: { sqlite: S; postgres: P }): S | P {
  return sync instanceof PostgresConnection ? ways.postgres : ways.sqlite;
}

/** The SQL of a store's own. */
export function sqlOf(sync: SyncConnection): SqlOf {
  return byDialect(sync, { sqlite: sqlite.SQL, postgres: postgres.SQL });
}
