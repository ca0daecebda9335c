import type { InvitationRow } from '../../store/studio-tables.ts';
import type { Handle } from '../handle.ts';

/** Times at which a person has invited since a moment, oldest first. */
export async function listInvitationTimes(
  handle: Handle,
  creator: string,
  since: string,
): Promise<string[]> {
  const rows = await handle
    .selectFrom('invitation')
    .select('created_at')
    .where('created_by', '=', creator)
    .where('created_at', '>', since)
    .orderBy('created_at')
    .execute();
  return rows.map((row) => row.created_at);
}

/** Pending invitations of a project, oldest first. */
export async function listPending(handle: Handle, projectId: string): Promise<InvitationRow[]> {
  return handle
    .selectFrom('invitation')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('state', '=', 'pending')
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** Adds an invitation; a pending one of the same selector is revoked by it. */
export async function insertInvitation(handle: Handle, row: InvitationRow): Promise<void> {
  await handle
    .updateTable('invitation')
    .set({ state: 'revoked' })
    .where('project_id', '=', row.project_id)
    .where('selector_kind', '=', row.selector_kind)
    .where('selector_value', '=', row.selector_value)
    .where('state', '=', 'pending')
    .execute();
  await handle.insertInto('invitation').values(row).execute();
}

/** Ends the pending invitations of a project whose time is over. */
export async function expirePending(handle: Handle, projectId: string, now: string): Promise<void> {
  await handle
    .updateTable('invitation')
    .set({ state: 'expired' })
    .where('project_id', '=', projectId)
    .where('state', '=', 'pending')
    .where('expires_at', '<=', now)
    .execute();
}

/** Revokes a pending invitation; false when there is none. */
export async function revokeInvitation(
  handle: Handle,
  projectId: string,
  id: string,
): Promise<boolean> {
  const result = await handle
    .updateTable('invitation')
    .set({ state: 'revoked' })
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Revokes what a person who is no owner any more had offered to others. */
export async function revokeInvitationsOf(
  handle: Handle,
  projectId: string,
  principalId: string,
): Promise<void> {
  await handle
    .updateTable('invitation')
    .set({ state: 'revoked' })
    .where('project_id', '=', projectId)
    .where('created_by', '=', principalId)
    .where('state', '=', 'pending')
    .execute();
}

/** Open invitations of an issuer, of every project, oldest first. */
export async function listOpenOf(
  handle: Handle,
  issuer: string,
  now: string,
): Promise<InvitationRow[]> {
  return handle
    .selectFrom('invitation')
    .selectAll()
    .where('issuer', '=', issuer)
    .where('state', '=', 'pending')
    .where('expires_at', '>', now)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** What became of an invitation at a sign-in: used, or held for a reason. */
export async function settleInvitation(
  handle: Handle,
  id: string,
  change: Pick<InvitationRow, 'state' | 'held_reason'>,
): Promise<void> {
  await handle.updateTable('invitation').set(change).where('id', '=', id).execute();
}
