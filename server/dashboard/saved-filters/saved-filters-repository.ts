import type { SavedFilterRow } from '../../store/dashboard-tables.ts';
import type { Db } from '../handle.ts';

/** All saved filters by name. */
export async function listSavedFilterRows(db: Db): Promise<SavedFilterRow[]> {
  return db.selectFrom('saved_filters').selectAll().orderBy('name').orderBy('created_at').execute();
}

/** A filter of any version. */
export async function findSavedFilter(db: Db, id: string): Promise<SavedFilterRow | undefined> {
  return db.selectFrom('saved_filters').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Adds a filter. */
export async function insertSavedFilter(db: Db, row: SavedFilterRow): Promise<void> {
  await db.insertInto('saved_filters').values(row).execute();
}

/** Replaces a filter of exactly this version by the next one; undefined when there is no such filter. */
export async function replaceSavedFilter(
  db: Db,
  id: string,
  version: number,
  change: Pick<SavedFilterRow, 'name' | 'filters' | 'updated_at'>,
): Promise<SavedFilterRow | undefined> {
  return db
    .updateTable('saved_filters')
    .set({ ...change, version: version + 1 })
    .where('id', '=', id)
    .where('version', '=', version)
    .returningAll()
    .executeTakeFirst();
}

/** Removes a filter of exactly this version; undefined when there is no such filter. */
export async function removeSavedFilter(
  db: Db,
  id: string,
  version: number,
): Promise<Pick<SavedFilterRow, 'id'> | undefined> {
  return db
    .deleteFrom('saved_filters')
    .where('id', '=', id)
    .where('version', '=', version)
    .returning('id')
    .executeTakeFirst();
}
