import type { QuotaTransferRow } from '../../store/studio-tables.ts';
import type { Handle } from '../handle.ts';

/** The open transfer of a project. */
export async function findOpenTransfer(
  handle: Handle,
  projectId: string,
): Promise<QuotaTransferRow | undefined> {
  return handle
    .selectFrom('quota_transfer')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('state', '=', 'proposed')
    .executeTakeFirst();
}

/** Offers a transfer. */
export async function insertTransfer(handle: Handle, row: QuotaTransferRow): Promise<void> {
  await handle.insertInto('quota_transfer').values(row).execute();
}

/** Answers a transfer. */
export async function setTransferState(
  handle: Handle,
  id: string,
  state: QuotaTransferRow['state'],
): Promise<void> {
  await handle.updateTable('quota_transfer').set({ state }).where('id', '=', id).execute();
}

/** Ends the open transfer of a project when its time is over, or at once without a time. */
export async function expireTransfers(
  handle: Handle,
  projectId: string,
  now?: string,
): Promise<void> {
  const open = handle
    .updateTable('quota_transfer')
    .set({ state: 'expired' })
    .where('project_id', '=', projectId)
    .where('state', '=', 'proposed');
  await (now === undefined ? open : open.where('expires_at', '<=', now)).execute();
}
