import type { LaunchRow } from '../../store/dashboard-tables.ts';
import type { Db } from '../handle.ts';

/** True when the launch that made a run is remembered. */
export async function isRunRemembered(db: Db, runId: string): Promise<boolean> {
  const row = await db
    .selectFrom('launches')
    .select('id')
    .where('run_id', '=', runId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Remembers a launch. */
export async function insertLaunch(db: Db, row: LaunchRow): Promise<void> {
  await db.insertInto('launches').values(row).execute();
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
