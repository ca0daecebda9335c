import type { ImportKeyRow } from '../../store/studio-tables.ts';
import type { Handle } from '../handle.ts';

/** What a key was used for. */
export async function findImportDigest(
  handle: Handle,
  projectId: string,
  key: string,
): Promise<string | undefined> {
  const row = await handle
    .selectFrom('import_key')
    .select('request_digest')
    .where('project_id', '=', projectId)
    .where('key', '=', key)
    .executeTakeFirst();
  return row?.request_digest;
}

/** Drops keys that were used before a moment. */
export async function removeImportKeys(handle: Handle, before: string): Promise<void> {
  await handle.deleteFrom('import_key').where('created_at', '<', before).execute();
}

/** Remembers a key and what it was used for; a key that is known stays as it is. */
export async function insertImportKey(handle: Handle, row: ImportKeyRow): Promise<void> {
  await handle
    .insertInto('import_key')
    .values(row)
    .onConflict((conflict) => conflict.columns(['project_id', 'key']).doNothing())
    .execute();
}
