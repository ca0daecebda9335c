import type BetterSqlite3 from 'better-sqlite3';
import type { RecoveryRow } from '../../store/dashboard-tables.ts';
import type { Db } from '../handle.ts';

/** Since when the dashboard is locked down, and why. */
export type RecoveryMarker = Pick<RecoveryRow, 'entered_at' | 'reason'>;

/** True while a restored store waits to be reconciled. */
export async function inRecovery(db: Db): Promise<boolean> {
  const row = await db.selectFrom('recovery').select('id').executeTakeFirst();
  return row !== undefined;
}

/** The marker; undefined = not in recovery. */
export function findRecovery(sqlite: BetterSqlite3.Database): RecoveryMarker | undefined {
  return sqlite
    .prepare<[], RecoveryMarker>('SELECT entered_at, reason FROM recovery WHERE id = 1')
    .get();
}

/** Sets the marker; one that stands stays. */
export function insertRecovery(sqlite: BetterSqlite3.Database, marker: RecoveryMarker): void {
  sqlite
    .prepare<[RecoveryMarker]>(
      `INSERT INTO recovery (id, entered_at, reason) VALUES (1, @entered_at, @reason)
       ON CONFLICT (id) DO NOTHING`,
    )
    .run(marker);
}

/** Takes the marker away. */
export function removeRecovery(sqlite: BetterSqlite3.Database): void {
  sqlite.prepare('DELETE FROM recovery').run();
}

/** Ends every session. */
export function removeSessions(sqlite: BetterSqlite3.Database): void {
  sqlite.prepare('DELETE FROM sessions').run();
}
