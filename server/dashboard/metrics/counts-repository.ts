import type { Db } from '../handle.ts';

/** Number of rows of a table that grows without end. */
export async function countRowsOf(db: Db, table: 'audit_log' | 'launches'): Promise<number> {
  const row = await db
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirst();
  return row?.n ?? 0;
}

/** Number of sessions that have not expired. */
export async function countActiveSessions(db: Db, now: string): Promise<number> {
  const row = await db
    .selectFrom('sessions')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row?.n ?? 0;
}
