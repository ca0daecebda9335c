import { sql } from 'kysely';
import type { DashboardTables } from '../store/dashboard-tables.ts';
import type { Db } from './handle.ts';
import { requireChanged } from './versioned-row.ts';

/** Tables whose rows have an id and an optimistic version. */
type Table = 'annotations' | 'saved_filters';

/** A row as whoever changes it knows it. */
interface Known {
  readonly id: string;
  readonly version: number;
}

async function findRow(db: Db, table: Table, id: string): Promise<unknown> {
  const { rows } = await sql`SELECT id FROM ${sql.table(table)} WHERE id = ${id}`.execute(db);
  return rows[0];
}

/** Replaces a row of exactly this version by the next one. @throws Refusal as requireChanged. */
export async function replaceRow<Name extends Table>(
  db: Db,
  table: Name,
  { id, version }: Known,
  change: Partial<DashboardTables[Name]>,
): Promise<DashboardTables[Name]> {
  const columns = Object.entries({ ...change, version: version + 1 });
  const values = columns.map(([column, value]) => sql`${sql.ref(column)} = ${value}`);
  const { rows } = await sql<DashboardTables[Name]>`
    UPDATE ${sql.table(table)} SET ${sql.join(values)}
    WHERE id = ${id} AND version = ${version} RETURNING *`.execute(db);
  return requireChanged(rows[0], () => findRow(db, table, id));
}

/** Removes a row of exactly this version. @throws Refusal as requireChanged. */
export async function removeRow(db: Db, table: Table, { id, version }: Known): Promise<void> {
  const { rows } = await sql`
    DELETE FROM ${sql.table(table)} WHERE id = ${id} AND version = ${version} RETURNING id`.execute(
    db,
  );
  await requireChanged(rows[0], () => findRow(db, table, id));
}
