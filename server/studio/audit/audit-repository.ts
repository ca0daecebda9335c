import type { AuditRow } from '../../store/studio-tables.ts';
import type { Handle } from '../handle.ts';

/** Adds a row to the audit log. */
export async function insertAuditRow(handle: Handle, row: AuditRow): Promise<void> {
  await handle.insertInto('audit').values(row).execute();
}
