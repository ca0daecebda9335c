import type { AnnotationRow } from '../../store/dashboard-tables.ts';
import type { Db } from '../handle.ts';

const MAX_ANNOTATIONS = 500;

/** Notes on a run, oldest first. */
export async function listAnnotationRows(db: Db, runId: string): Promise<AnnotationRow[]> {
  return db
    .selectFrom('annotations')
    .selectAll()
    .where('run_id', '=', runId)
    .orderBy('created_at')
    .orderBy('id')
    .limit(MAX_ANNOTATIONS)
    .execute();
}

/** A note of any version. */
export async function findAnnotation(db: Db, id: string): Promise<AnnotationRow | undefined> {
  return db.selectFrom('annotations').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Adds a note. */
export async function insertAnnotation(db: Db, row: AnnotationRow): Promise<void> {
  await db.insertInto('annotations').values(row).execute();
}

/** Replaces a note of exactly this version by the next one; undefined when there is no such note. */
export async function replaceAnnotation(
  db: Db,
  id: string,
  version: number,
  change: Pick<AnnotationRow, 'body' | 'tags' | 'updated_at'>,
): Promise<AnnotationRow | undefined> {
  return db
    .updateTable('annotations')
    .set({ ...change, version: version + 1 })
    .where('id', '=', id)
    .where('version', '=', version)
    .returningAll()
    .executeTakeFirst();
}

/** Removes a note of exactly this version; undefined when there is no such note. */
export async function removeAnnotation(
  db: Db,
  id: string,
  version: number,
): Promise<Pick<AnnotationRow, 'id'> | undefined> {
  return db
    .deleteFrom('annotations')
    .where('id', '=', id)
    .where('version', '=', version)
    .returning('id')
    .executeTakeFirst();
}
