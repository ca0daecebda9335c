import { sql } from 'kysely';
import type { Role } from '../../contract/studio/fields.ts';
import type { ProjectRow } from '../../store/studio-tables.ts';
import type { Handle } from '../handle.ts';

/** A project as one member sees it. */
export interface MemberProject extends ProjectRow {
  readonly role: Role;
  /** Number of live bindings. */
  readonly live_bindings: number;
}

function liveBindings() {
  return sql<number>`(SELECT count(*) FROM project_environment e
    WHERE e.project_id = project.id AND e.retired_at IS NULL)`;
}

/** Projects of a principal, oldest first. */
export async function listMemberProjects(
  handle: Handle,
  principalId: string,
): Promise<MemberProject[]> {
  return handle
    .selectFrom('project')
    .innerJoin('project_member', 'project_member.project_id', 'project.id')
    .selectAll('project')
    .select('project_member.role')
    .select(liveBindings().as('live_bindings'))
    .where('project_member.principal_id', '=', principalId)
    .orderBy('project.created_at')
    .orderBy('project.id')
    .execute();
}

/** One project with the principal's role and its number of live bindings. */
export async function findMemberProject(
  handle: Handle,
  projectId: string,
  principalId: string,
): Promise<MemberProject | undefined> {
  return handle
    .selectFrom('project')
    .innerJoin('project_member', 'project_member.project_id', 'project.id')
    .selectAll('project')
    .select('project_member.role')
    .select(liveBindings().as('live_bindings'))
    .where('project.id', '=', projectId)
    .where('project_member.principal_id', '=', principalId)
    .executeTakeFirst();
}

/** The membership that authorization looks at. */
export async function findMembership(
  handle: Handle,
  projectId: string,
  principalId: string,
): Promise<{ project: ProjectRow; role: Role } | undefined> {
  const found = await findMemberProject(handle, projectId, principalId);
  if (found === undefined) return undefined;
  const { role, live_bindings: _bindings, ...project } = found;
  return { project, role };
}

/** A project by id, whoever asks. */
export async function findProject(handle: Handle, id: string): Promise<ProjectRow | undefined> {
  return handle.selectFrom('project').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Every project, oldest first. */
export async function listProjectRows(handle: Handle): Promise<ProjectRow[]> {
  return handle.selectFrom('project').selectAll().orderBy('created_at').orderBy('id').execute();
}

/** Number of projects charged to a principal. */
export async function countCharged(handle: Handle, principalId: string): Promise<number> {
  const { count } = await handle
    .selectFrom('project')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('quota_principal_id', '=', principalId)
    .executeTakeFirstOrThrow();
  return count;
}

/** Adds a project and its first owner. */
export async function insertProject(handle: Handle, row: ProjectRow): Promise<void> {
  await handle.insertInto('project').values(row).execute();
  await handle
    .insertInto('project_member')
    .values({
      project_id: row.id,
      principal_id: row.quota_principal_id,
      role: 'owner',
      created_at: row.created_at,
    })
    .execute();
}

/** Charges the storage of a project to somebody else. */
export async function setQuotaPrincipal(
  handle: Handle,
  projectId: string,
  principalId: string,
): Promise<void> {
  await handle
    .updateTable('project')
    .set({ quota_principal_id: principalId })
    .where('id', '=', projectId)
    .execute();
}
