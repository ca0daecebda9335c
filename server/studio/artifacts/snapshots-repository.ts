import type { SnapshotRow } from '../../store/studio-tables.ts';
import type { Handle } from '../handle.ts';

/** What is known of the bytes of an artifact's components. */
export async function findSnapshot(
  handle: Handle,
  projectId: string,
  hash: string,
): Promise<SnapshotRow | undefined> {
  return handle
    .selectFrom('snapshot')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('content_hash', '=', hash)
    .executeTakeFirst();
}

/** Bytes of snapshots charged to a principal, to a project, or, without either, to everybody. */
export async function chargedBytes(
  handle: Handle,
  to: { readonly principalId?: string; readonly projectId?: string },
): Promise<number> {
  let query = handle
    .selectFrom('snapshot')
    .innerJoin('project', 'project.id', 'snapshot.project_id')
    .select((eb) => eb.fn.sum<number | null>('snapshot.bytes').as('bytes'));
  if (to.principalId !== undefined) {
    query = query.where('project.quota_principal_id', '=', to.principalId);
  }
  if (to.projectId !== undefined) query = query.where('project.id', '=', to.projectId);
  return Number((await query.executeTakeFirst())?.bytes ?? 0);
}

/** Notes that a snapshot is being written, also when it is known and damaged. */
export async function beginSnapshot(
  handle: Handle,
  snapshot: Omit<SnapshotRow, 'state'>,
): Promise<void> {
  const row: SnapshotRow = { ...snapshot, state: 'materializing' };
  await handle
    .insertInto('snapshot')
    .values(row)
    .onConflict((conflict) => conflict.columns(['project_id', 'content_hash']).doUpdateSet(row))
    .execute();
}

/** Notes that a snapshot is whole on the disk. */
export async function publishSnapshot(
  handle: Handle,
  projectId: string,
  hash: string,
): Promise<void> {
  await handle
    .updateTable('snapshot')
    .set({ state: 'published' })
    .where('project_id', '=', projectId)
    .where('content_hash', '=', hash)
    .execute();
}

/** Hashes of the snapshots of a project that no live artifact refers to. */
export async function listOrphans(handle: Handle, projectId: string): Promise<string[]> {
  const rows = await handle
    .selectFrom('snapshot')
    .select('content_hash')
    .where('project_id', '=', projectId)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('authored_artifact')
            .select('id')
            .whereRef('authored_artifact.project_id', '=', 'snapshot.project_id')
            .whereRef('authored_artifact.snapshot_hash', '=', 'snapshot.content_hash')
            .where('deleted_at', 'is', null),
        ),
      ),
    )
    .execute();
  return rows.map((row) => row.content_hash);
}

/** Forgets a snapshot and releases its charge. */
export async function removeSnapshot(
  handle: Handle,
  projectId: string,
  hash: string,
): Promise<void> {
  await handle
    .deleteFrom('snapshot')
    .where('project_id', '=', projectId)
    .where('content_hash', '=', hash)
    .execute();
}
