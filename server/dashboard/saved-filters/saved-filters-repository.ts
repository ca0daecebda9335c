import type { SavedFilterRow } from '../../store/dashboard-tables.ts';
import type { Db } from '../handle.ts';

/** All saved filters by name. */
export async function listSavedFilterRows(db: Db): Promise<SavedFilterRow[]> {
  return db.selectFrom('saved_filters').selectAll().orderBy('name').orderBy('created_at').execute();
}

/** Adds a filter. */
export async function insertSavedFilter(db: Db, row: SavedFilterRow): Promise<void> {
  await db.insertInto('saved_filters').values(row).execute();
}
