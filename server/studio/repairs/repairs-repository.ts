import type { RepairRow } from '../../store/studio-tables.ts';
import type { Handle } from '../handle.ts';

/** A project remembers this many; older ones go. */
const MOST = 500;

export async function listRepairRows(handle: Handle, projectId: string): Promise<RepairRow[]> {
  return handle
    .selectFrom('repair')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('made_at', 'desc')
    .orderBy('id')
    .execute();
}

export async function findRepair(
  handle: Handle,
  projectId: string,
  id: string,
): Promise<RepairRow | undefined> {
  return handle
    .selectFrom('repair')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Adds a repair or replaces the one of its id; beyond the most that are kept the oldest go. */
export async function storeRepair(handle: Handle, row: RepairRow): Promise<void> {
  await handle
    .insertInto('repair')
    .values(row)
    .onConflict((conflict) => conflict.columns(['project_id', 'id']).doUpdateSet(row))
    .execute();
  const old = (await listRepairRows(handle, row.project_id)).slice(MOST);
  for (const { id } of old) await removeRepair(handle, row.project_id, id);
}

/** Forgets a repair; false when there was none. */
export async function removeRepair(
  handle: Handle,
  projectId: string,
  id: string,
): Promise<boolean> {
  const result = await handle
    .deleteFrom('repair')
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}
