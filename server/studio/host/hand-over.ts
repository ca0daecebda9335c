import type { PrincipalRow, ProjectRow } from '../../store/studio-tables.ts';
import { PRINCIPAL_CAP } from '../artifacts/snapshots.ts';
import { chargedBytes } from '../artifacts/snapshots-repository.ts';
import { listMemberRows, upsertMember } from '../members/members-repository.ts';
import { expireTransfers } from '../members/quota-transfers-repository.ts';
import { countCharged, setQuotaPrincipal } from '../projects/projects-repository.ts';
import type { HostDeps } from './host-deps.ts';
import { refuseHost } from './host-refusals.ts';

async function requireMember(
  deps: HostDeps,
  project: ProjectRow,
  heir: PrincipalRow,
): Promise<void> {
  const members = await listMemberRows(deps.db, project.id);
  if (!members.some((row) => row.principal_id === heir.id)) throw refuseHost('target_not_a_member');
}

/** Makes a member owner of a project; other owners stay owners. */
export async function handOwnership(
  deps: HostDeps,
  project: ProjectRow,
  heir: PrincipalRow,
): Promise<void> {
  await requireMember(deps, project, heir);
  await upsertMember(deps.db, project.id, heir.id, 'owner', deps.timestamp());
}

/** Moves the storage charge of a project; an offer that is open ends (studio.md 14). */
export async function handCharge(
  deps: HostDeps,
  project: ProjectRow,
  heir: PrincipalRow,
): Promise<void> {
  if (project.quota_principal_id === heir.id) return;
  await requireMember(deps, project, heir);
  if ((await countCharged(deps.db, heir.id)) >= deps.config.projectLimit) {
    throw refuseHost('project_limit_reached');
  }
  const bytes = await chargedBytes(deps.db, { projectId: project.id });
  const held = await chargedBytes(deps.db, { principalId: heir.id });
  if (held + bytes > PRINCIPAL_CAP) throw refuseHost('target_has_no_headroom');
  await setQuotaPrincipal(deps.db, project.id, heir.id);
  await expireTransfers(deps.db, project.id);
}
