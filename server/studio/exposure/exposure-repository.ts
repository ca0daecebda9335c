import type { ProjectExposureRow } from '../../store/studio-tables.ts';
import type { Handle } from '../handle.ts';

/** What an owner has confirmed of a project. */
export async function findConfirmation(
  handle: Handle,
  projectId: string,
): Promise<ProjectExposureRow | undefined> {
  return handle
    .selectFrom('project_exposure')
    .selectAll()
    .where('project_id', '=', projectId)
    .executeTakeFirst();
}

/** Replaces the confirmation of a project. */
export async function storeConfirmation(handle: Handle, row: ProjectExposureRow): Promise<void> {
  await handle
    .insertInto('project_exposure')
    .values(row)
    .onConflict((conflict) => conflict.column('project_id').doUpdateSet(row))
    .execute();
}
