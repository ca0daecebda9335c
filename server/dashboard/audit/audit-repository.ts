import type BetterSqlite3 from 'better-sqlite3';
import type { AuditLogRow } from '../../store/dashboard-tables.ts';
import type { Db } from '../handle.ts';

/** Which actions are asked for; what is empty asks for nothing. Times are in the stored form. */
export interface AuditRowsAsked {
  readonly operator: string;
  readonly outcome: '' | AuditLogRow['outcome'];
  readonly environment: string;
  readonly target: string;
  readonly created_after: string;
  readonly created_before: string;
  readonly limit: number;
  readonly offset: number;
}

/** The newest actions that fit. */
export async function listAuditRows(db: Db, asked: AuditRowsAsked): Promise<AuditLogRow[]> {
  let query = db.selectFrom('audit_log').selectAll();
  for (const column of ['operator', 'environment', 'target'] as const) {
    if (asked[column] !== '') query = query.where(column, '=', asked[column]);
  }
  if (asked.outcome !== '') query = query.where('outcome', '=', asked.outcome);
  if (asked.created_after !== '') query = query.where('created_at', '>=', asked.created_after);
  if (asked.created_before !== '') query = query.where('created_at', '<', asked.created_before);
  return query
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(asked.limit)
    .offset(asked.offset)
    .execute();
}

/** Actions that succeeded on some targets in a span of time, in the stored form. */
export async function listDoneActions(
  db: Db,
  asked: { readonly targets: readonly string[]; readonly from: string; readonly until: string },
): Promise<AuditLogRow[]> {
  return db
    .selectFrom('audit_log')
    .selectAll()
    .where('created_at', '>=', asked.from)
    .where('created_at', '<=', asked.until)
    .where('target', 'in', asked.targets)
    .where('outcome', '=', 'ok')
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
      `INSERT INTO audit_log (id, operator, action, environment, target, outcome, created_at, details)
       VALUES (@id, @operator, @action, @environment, @target, @outcome, @created_at, @details)`,
    )
    .run(row);
}
