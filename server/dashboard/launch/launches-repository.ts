import { sql } from 'kysely';
import type { LaunchRow } from '../../store/dashboard-tables.ts';
import { inTransaction } from '../../store/transaction.ts';
import type { Db } from '../handle.ts';

/** Remembers a launch, unless one is that made the same run; calls may be repeated at once, also at two nodes. */
export async function insertLaunch(db: Db, row: LaunchRow): Promise<void> {
  const columns = Object.keys(row).map((column) => sql.ref(column));
  const known = sql`SELECT 1 FROM launches WHERE run_id = ${row.run_id}`;
  const insert = sql`
    INSERT INTO launches (${sql.join(columns)})
    SELECT ${sql.join(Object.values(row))} WHERE NOT EXISTS (${known})`;
  await inTransaction(db, (transaction) => insert.execute(transaction));
}

/** The newest launches, in the named environments alone unless they are null. */
export async function listLaunchRows(
  db: Db,
  environments: readonly string[] | null,
  limit: number,
): Promise<LaunchRow[]> {
  const all = db.selectFrom('launches').selectAll();
  const some = environments === null ? all : all.where('environment', 'in', [...environments]);
  return some.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).execute();
}
