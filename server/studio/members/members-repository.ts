import type { Role } from '../../contract/studio/fields.ts';
import type { Member } from '../../contract/studio/members.ts';
import { compareCodePoints } from '../../kernel/canonical-json.ts';
import type { PrincipalRow, ProjectRow } from '../../store/studio-tables.ts';
import type { Handle } from '../handle.ts';

/** A member's role and state. */
export interface MemberRow {
  readonly principal_id: string;
  readonly display_name: string;
  readonly role: Role;
  readonly state: PrincipalRow['state'];
}

/** Members in any order. */
export async function listMemberRows(handle: Handle, projectId: string): Promise<MemberRow[]> {
  return handle
    .selectFrom('project_member')
    .innerJoin('principal', 'principal.id', 'project_member.principal_id')
    .select(['principal_id', 'display_name', 'role', 'state'])
    .where('project_id', '=', projectId)
    .execute();
}

/** Members by display name. */
export async function listMembers(handle: Handle, project: ProjectRow): Promise<Member[]> {
  const { quota_principal_id } = await handle
    .selectFrom('project')
    .select('quota_principal_id')
    .where('id', '=', project.id)
    .executeTakeFirstOrThrow();
  const rows = await listMemberRows(handle, project.id);
  return rows
    .map(({ principal_id, display_name, role }) => ({
      principal_id,
      display_name,
      role,
      is_quota_principal: principal_id === quota_principal_id,
    }))
    .sort(
      (a, b) =>
        compareCodePoints(a.display_name, b.display_name) ||
        compareCodePoints(a.principal_id, b.principal_id),
    );
}

/** Adds a member or changes their role. */
export async function upsertMember(
  handle: Handle,
  projectId: string,
  principalId: string,
  role: Role,
  now: string,
): Promise<void> {
  await handle
    .insertInto('project_member')
    .values({ project_id: projectId, principal_id: principalId, role, created_at: now })
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'principal_id']).doUpdateSet({ role }),
    )
    .execute();
}

/** Removes a member, if it is one. */
export async function removeMember(
  handle: Handle,
  projectId: string,
  principalId: string,
): Promise<void> {
  await handle
    .deleteFrom('project_member')
    .where('project_id', '=', projectId)
    .where('principal_id', '=', principalId)
    .execute();
}
