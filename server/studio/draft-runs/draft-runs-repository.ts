import type { DraftRunRow } from '../../store/studio-tables.ts';
import type { Handle } from '../handle.ts';

/** Adds a run of a draft. */
export async function insertDraftRun(handle: Handle, row: DraftRunRow): Promise<void> {
  await handle.insertInto('draft_run').values(row).execute();
}

/** Remembers the run that the platform made of it. */
export async function setPlatformRun(handle: Handle, id: string, runId: string): Promise<void> {
  await handle
    .updateTable('draft_run')
    .set({ platform_run_id: runId })
    .where('id', '=', id)
    .execute();
}
