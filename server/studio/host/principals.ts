import type { PrincipalRow, ProjectRow } from '../../store/studio-tables.ts';
import { revokeInvitationsOf } from '../members/invitations-repository.ts';
import { listMemberRows } from '../members/members-repository.ts';
import { listMemberProjects, listProjectRows } from '../projects/projects-repository.ts';
import { LOCAL_OWNER } from '../session/known-principals.ts';
import {
  listBySubject,
  listPrincipalRows,
  setPrincipalState,
} from '../session/principals-repository.ts';
import { endSessionsOf } from '../session/sessions-repository.ts';
import { handCharge, handOwnership } from './hand-over.ts';
import { changeAsOperator, type HostDeps } from './host-deps.ts';
import { refuseHost } from './host-refusals.ts';

/** How an operator names a principal. */
export interface PrincipalName {
  readonly subject: string;
  readonly issuer?: string | undefined;
}

/** Who gets what a disabled principal leaves behind. */
export interface Heirs {
  readonly owner: PrincipalName | undefined;
  readonly quota: PrincipalName | undefined;
}

/** Principals, oldest first. */
export async function listPrincipals(
  deps: Pick<HostDeps, 'db'>,
  state: PrincipalRow['state'] | undefined,
): Promise<PrincipalRow[]> {
  return listPrincipalRows(deps.db, state);
}

async function findNamed(
  deps: Pick<HostDeps, 'db'>,
  { subject, issuer }: PrincipalName,
): Promise<PrincipalRow> {
  const [first, second] = await listBySubject(deps.db, subject, issuer);
  if (first === undefined) throw refuseHost('unknown_principal');
  if (second !== undefined) throw refuseHost('ambiguous_principal');
  return first;
}

async function findPerson(deps: HostDeps, name: PrincipalName): Promise<PrincipalRow> {
  const found = await findNamed(deps, name);
  if (found.kind === 'operator') throw refuseHost('sentinel_principal');
  return found;
}

/** Somebody who can take something over. @throws Refusal `target_not_active` */
export async function requireHeir(deps: HostDeps, name: PrincipalName): Promise<PrincipalRow> {
  const heir = await findNamed(deps, name);
  if (heir.kind === 'operator' || heir.state !== 'active') throw refuseHost('target_not_active');
  return heir;
}

async function setState(
  deps: HostDeps,
  principal: PrincipalRow,
  state: PrincipalRow['state'],
): Promise<PrincipalRow> {
  await setPrincipalState(deps.db, principal.id, state);
  return { ...principal, state };
}

/** Lets a principal in that signed in for the first time. */
export async function approvePrincipal(deps: HostDeps, name: PrincipalName): Promise<PrincipalRow> {
  return changeAsOperator(deps, 'host.approve_principal', async (deps) => {
    const principal = await findPerson(deps, name);
    if (principal.state !== 'pending') throw refuseHost('not_pending');
    const answer = await setState(deps, principal, 'active');
    return { answer, project_id: null, detail: { principal: principal.id } };
  });
}

async function requireNotAdopted(deps: HostDeps, principal: PrincipalRow): Promise<void> {
  if (principal.id !== LOCAL_OWNER) return;
  const owned = await listMemberProjects(deps.db, principal.id);
  if (!owned.some((project) => project.role === 'owner')) {
    throw refuseHost('local_owner_was_adopted_away');
  }
}

/** Lets a disabled principal in again. */
export async function enablePrincipal(deps: HostDeps, name: PrincipalName): Promise<PrincipalRow> {
  return changeAsOperator(deps, 'host.enable_principal', async (deps) => {
    const principal = await findPerson(deps, name);
    if (principal.state !== 'disabled') throw refuseHost('not_disabled');
    await requireNotAdopted(deps, principal);
    const answer = await setState(deps, principal, 'active');
    return { answer, project_id: null, detail: { principal: principal.id } };
  });
}

async function isSoleOwner(deps: HostDeps, projectId: string, id: string): Promise<boolean> {
  const owners = (await listMemberRows(deps.db, projectId)).filter(
    (row) => row.role === 'owner' && row.state === 'active',
  );
  return owners.length === 1 && owners[0]?.principal_id === id;
}

type Heir = PrincipalRow | undefined;

/** True when the project had to go to an heir. */
async function handOnProject(
  deps: HostDeps,
  project: ProjectRow,
  leaving: PrincipalRow,
  heirs: { readonly owner: Heir; readonly quota: Heir },
): Promise<boolean> {
  const sole = await isSoleOwner(deps, project.id, leaving.id);
  const charged = project.quota_principal_id === leaving.id;
  if (sole) {
    if (heirs.owner === undefined) throw refuseHost('sole_owner');
    await handOwnership(deps, project, heirs.owner);
  }
  if (charged) {
    if (heirs.quota === undefined) throw refuseHost('charged_principal');
    await handCharge(deps, project, heirs.quota);
  }
  await revokeInvitationsOf(deps.db, project.id, leaving.id);
  return sole || charged;
}

async function requireOther(
  deps: HostDeps,
  leaving: PrincipalRow,
  name: PrincipalName | undefined,
): Promise<Heir> {
  if (name === undefined) return undefined;
  const heir = await requireHeir(deps, name);
  if (heir.id === leaving.id) throw refuseHost('target_is_the_subject');
  return heir;
}

/** Hands on every project that would be left without owner or without somebody who carries it. */
async function handOn(deps: HostDeps, leaving: PrincipalRow, names: Heirs): Promise<string[]> {
  const heirs = {
    owner: await requireOther(deps, leaving, names.owner),
    quota: await requireOther(deps, leaving, names.quota),
  };
  const handed: string[] = [];
  for (const project of await listProjectRows(deps.db)) {
    if (await handOnProject(deps, project, leaving, heirs)) handed.push(project.id);
  }
  return handed;
}

/**
 * Keeps a principal out; what only it owned or carried goes to the heirs, its open invitations end.
 * Without sign-in the local owner is the only way in and stays.
 */
export async function disablePrincipal(
  deps: HostDeps,
  name: PrincipalName,
  heirs: Heirs,
): Promise<PrincipalRow> {
  return changeAsOperator(deps, 'host.disable_principal', async (deps) => {
    const principal = await findPerson(deps, name);
    if (principal.state === 'disabled') throw refuseHost('already_disabled');
    if (principal.state !== 'active') throw refuseHost('not_active');
    if (principal.id === LOCAL_OWNER) throw refuseHost('local_owner_of_unadopted_instance');
    const projects = await handOn(deps, principal, heirs);
    await endSessionsOf(deps.db, principal.id);
    const answer = await setState(deps, principal, 'disabled');
    return { answer, project_id: null, detail: { principal: principal.id, projects } };
  });
}
