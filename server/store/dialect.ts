import { type Kysely, PostgresAdapter } from 'kysely';
import * as postgres from './dialect-postgres.ts';
import * as sqlite from './dialect-sqlite.ts';

/** True for a store in an external database. */
function isPostgres<Tables>(db: Kysely<Tables>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}

/** Rows of a JSON list that stands in the column `tags`, as SQL of the store's own: `value`. */
export function rowsOfTags<Tables>(db: Kysely<Tables>): string {
  return isPostgres(db) ? postgres.rowsOfTags() : sqlite.rowsOfList('tags');
}
