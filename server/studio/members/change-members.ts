import { refuse } from '../../contract/studio/errors.ts';
import type { Role } from '../../contract/studio/fields.ts';
import type { Member as MemberView } from '../../contract/studio/members.ts';
import { inTransaction } from '../../store/transaction.ts';
import { recordAct } from '../audit/record-audit.ts';
import type { Member } from '../caller.ts';
import type { StudioDeps } from '../deps.ts';
import { requireSharedExposure } from '../exposure/exposure.ts';
import type { Handle } from '../handle.ts';
import { findPrincipal } from '../session/principals-repository.ts';
import { revokeInvitationsOf } from './invitations-repository.ts';
import {
  listMemberRows,
  listMembers,
  type MemberRow,
  removeMember,
  upsertMember,
} from './members-repository.ts';

function refuseLastOwner(rows: readonly MemberRow[], principalId: string): void {
  const others = rows.filter(
    (row) => row.role === 'owner' && row.state === 'active' && row.principal_id !== principalId,
  );
  const current = rows.find((row) => row.principal_id === principalId);
  if (current?.role === 'owner' && others.length === 0) throw refuse('last_owner');
}

async function requireKnown(handle: Handle, principalId: string): Promise<void> {
  const principal = await findPrincipal(handle, principalId);
  const usable = principal?.state === 'active' && principal.kind !== 'operator';
  if (!usable) throw refuse('member_not_found');
}

/** Adds a member, who sees what the project exposes, or changes a role (studio.md 6.8). */
export async function putMember(
  deps: StudioDeps,
  member: Member,
  principalId: string,
  input: { role: Role; exposure_digest?: string | null | undefined },
): Promise<MemberView[]> {
  const { project } = member;
  return deps.locks.run(project.id, async () => {
    await requireKnown(deps.db, principalId);
    const rows = await listMemberRows(deps.db, project.id);
    const current = rows.find((row) => row.principal_id === principalId);
    if (current === undefined && principalId !== project.quota_principal_id) {
      await requireSharedExposure(deps, member, input.exposure_digest ?? undefined);
    }
    if (input.role !== 'owner') refuseLastOwner(rows, principalId);
    return inTransaction(deps.db, async (trx) => {
      await upsertMember(trx, project.id, principalId, input.role, deps.timestamp());
      if (input.role !== 'owner') await revokeInvitationsOf(trx, project.id, principalId);
      await recordAct(deps, trx, member, 'put_member', { member: principalId, role: input.role });
      return listMembers(trx, project);
    });
  });
}

/** Removes a member; the last owner and whoever carries the charge stay. */
export async function deleteMember(
  deps: StudioDeps,
  member: Member,
  principalId: string,
): Promise<MemberView[]> {
  const { project } = member;
  return deps.locks.run(project.id, async () => {
    const rows = await listMemberRows(deps.db, project.id);
    if (!rows.some((row) => row.principal_id === principalId)) throw refuse('member_not_found');
    refuseLastOwner(rows, principalId);
    if (principalId === project.quota_principal_id) throw refuse('quota_principal_membership');
    return inTransaction(deps.db, async (trx) => {
      await removeMember(trx, project.id, principalId);
      await revokeInvitationsOf(trx, project.id, principalId);
      await recordAct(deps, trx, member, 'delete_member', { member: principalId });
      return listMembers(trx, project);
    });
  });
}
