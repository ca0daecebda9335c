import type BetterSqlite3 from 'better-sqlite3';
import type { AuditLogRow } from '../../store/dashboard-tables.ts';
import type { Db } from '../handle.ts';

/** The newest actions. */
export async function listAuditRows(db: Db, limit: number): Promise<AuditLogRow[]> {
  return db
    .selectFrom('audit_log')
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** Adds an action. */
export async function insertAuditRow(db: Db, row: AuditLogRow): Promise<void> {
  await db.insertInto('audit_log').values(row).execute();
}

/** Adds an action, for an operator at the store itself. */
export function writeAuditRow(sqlite: BetterSqlite3.Database, row: AuditLogRow): void {
  sqlite
    .prepare<[AuditLogRow]>(
      `INSERT INTO audit_log (id, operator, action, environment, target, outcome, created_at)
       VALUES (@id, @operator, @action, @environment, @target, @outcome, @created_at)`,
    )
    .run(row);
}
