import { sql } from 'kysely';
import type { AnnotationRow } from '../../store/dashboard-tables.ts';
import { rowsOfTags } from '../../store/dialect.ts';
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

/** Notes that have a tag, newest first. */
export async function listTaggedRows(db: Db, tag: string, limit: number): Promise<AnnotationRow[]> {
  return db
    .selectFrom('annotations')
    .selectAll()
    .where(sql<boolean>`EXISTS (SELECT 1 FROM ${sql.raw(rowsOfTags(db))} WHERE value = ${tag})`)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Adds a note. */
export async function insertAnnotation(db: Db, row: AnnotationRow): Promise<void> {
  await db.insertInto('annotations').values(row).execute();
}
