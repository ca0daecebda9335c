import type { TrashEntryRow } from '../../store/studio-tables.ts';
import type { Handle } from '../handle.ts';

/** An entry with the size of its bytes and the name of who deleted it. */
export type ShownTrashRow = TrashEntryRow & { size: number; deleter: string };

function shown(handle: Handle, projectId: string) {
  return handle
    .selectFrom('trash_entry')
    .innerJoin('kept_text', (join) =>
      join
        .onRef('kept_text.project_id', '=', 'trash_entry.project_id')
        .onRef('kept_text.revision', '=', 'trash_entry.revision'),
    )
    .innerJoin('principal', 'principal.id', 'trash_entry.deleted_by')
    .selectAll('trash_entry')
    .select(['kept_text.size', 'principal.display_name as deleter'])
    .where('trash_entry.project_id', '=', projectId);
}

/** What was deleted in a project, newest first. */
export async function listTrashRows(handle: Handle, projectId: string): Promise<ShownTrashRow[]> {
  return shown(handle, projectId)
    .orderBy('trash_entry.deleted_at', 'desc')
    .orderBy('trash_entry.id')
    .execute();
}

/** One entry of the project's trash. */
export async function findTrashRow(
  handle: Handle,
  projectId: string,
  id: string,
): Promise<ShownTrashRow | undefined> {
  return shown(handle, projectId).where('trash_entry.id', '=', id).executeTakeFirst();
}

/** Entries that were deleted before a time, of all projects. */
export async function listTrashBefore(handle: Handle, before: string): Promise<TrashEntryRow[]> {
  return handle.selectFrom('trash_entry').selectAll().where('deleted_at', '<', before).execute();
}

/** Whether a draft that was at this path can be put back. */
export async function isInTrash(handle: Handle, projectId: string, ref: string): Promise<boolean> {
  const row = await handle
    .selectFrom('trash_entry')
    .select('id')
    .where('project_id', '=', projectId)
    .where('ref', '=', ref)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Adds an entry; its bytes are kept apart. */
export async function insertTrashRow(handle: Handle, row: TrashEntryRow): Promise<void> {
  await handle.insertInto('trash_entry').values(row).execute();
}

/** Takes an entry out of the trash; its bytes stay where they are kept. */
export async function removeTrashRow(handle: Handle, id: string): Promise<void> {
  await handle.deleteFrom('trash_entry').where('id', '=', id).execute();
}
