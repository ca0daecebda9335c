import type { TreeOperationRow } from '../../store/studio-tables.ts';
import type { Handle } from '../handle.ts';

/** Every note of a file that is about to appear or to go. */
export async function listTreeOperations(handle: Handle): Promise<TreeOperationRow[]> {
  return handle.selectFrom('tree_operation').selectAll().execute();
}

/** Adds a note. */
export async function insertTreeOperation(handle: Handle, row: TreeOperationRow): Promise<void> {
  await handle.insertInto('tree_operation').values(row).execute();
}

/** Drops a note: file and rows agree. */
export async function endTreeOperation(handle: Handle, id: string): Promise<void> {
  await handle.deleteFrom('tree_operation').where('id', '=', id).execute();
}
