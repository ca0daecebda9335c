import type { InvitationRow, PrincipalRow } from '../../store/studio-tables.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { StudioDeps } from '../deps.ts';
import { readPreflight } from '../exposure/exposure.ts';
import type { Handle } from '../handle.ts';
import { findMembership, findProject } from '../projects/projects-repository.ts';
import { findPrincipal } from '../session/principals-repository.ts';
import { emailSelector, lowerAscii } from './email-selector.ts';
import { listOpenOf, settleInvitation } from './invitations-repository.ts';
import { upsertMember } from './members-repository.ts';

/** Who signs in, as invitations address people. */
export interface Invited {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | null;
}

type Match = 'yes' | 'case' | 'no';

function matchOf({ selector_kind, selector_value }: InvitationRow, invited: Invited): Match {
  if (selector_kind !== 'verified_email') {
    return selector_value === invited.subject ? 'yes' : 'no';
  }
  const own = emailSelector(invited.email ?? '');
  if (own === undefined) return 'no';
  if (own === selector_value) return 'yes';
  return lowerAscii(own) === lowerAscii(selector_value) ? 'case' : 'no';
}

type ConsumeDeps = Pick<StudioDeps, 'timestamp' | 'log'>;

/** Why an invitation has to wait; null when nothing is in its way. */
async function holdOf(
  deps: ConsumeDeps,
  handle: Handle,
  invitation: InvitationRow,
): Promise<string | null> {
  const project = await findProject(handle, invitation.project_id);
  if (project === undefined) return 'unobservable';
  try {
    const { status } = await readPreflight(handle, project);
    return status === 'confirmed' ? null : status;
  } catch (error) {
    deps.log.warn({ err: error, project_id: project.id }, 'the tree of a project cannot be read');
    return 'unobservable';
  }
}

async function isStillOwner(handle: Handle, { created_by, project_id }: InvitationRow) {
  const creator = await findPrincipal(handle, created_by);
  if (creator?.state !== 'active') return false;
  return (await findMembership(handle, project_id, created_by))?.role === 'owner';
}

async function consume(
  deps: ConsumeDeps,
  handle: Handle,
  invitation: InvitationRow,
  principal: PrincipalRow,
): Promise<void> {
  const known = await findMembership(handle, invitation.project_id, principal.id);
  if (known === undefined) {
    const { project_id, role } = invitation;
    await upsertMember(handle, project_id, principal.id, role, deps.timestamp());
  }
  await settleInvitation(handle, invitation.id, { state: 'consumed', held_reason: null });
  await recordAudit(deps, handle, {
    action: 'consume_invitation',
    principal_id: principal.id,
    project_id: invitation.project_id,
    outcome: 'allowed',
    detail: { invitation_id: invitation.id, role: known?.role ?? invitation.role },
  });
}

/**
 * Lets somebody who signed in into every project that invites them; an invitation whose project
 * exposes something else than was confirmed is held, and its maker sees why (studio.md 6.8).
 */
export async function consumeInvitations(
  deps: ConsumeDeps,
  handle: Handle,
  principal: PrincipalRow,
  invited: Invited,
): Promise<void> {
  for (const invitation of await listOpenOf(handle, invited.issuer, deps.timestamp())) {
    const match = matchOf(invitation, invited);
    if (match === 'no' || !(await isStillOwner(handle, invitation))) continue;
    const held =
      match === 'case' ? 'selector_case_mismatch' : await holdOf(deps, handle, invitation);
    if (held === null) {
      await consume(deps, handle, invitation, principal);
      continue;
    }
    await settleInvitation(handle, invitation.id, { state: 'pending', held_reason: held });
    await recordAudit(deps, handle, {
      action: 'consume_invitation',
      principal_id: principal.id,
      project_id: invitation.project_id,
      outcome: 'held',
      detail: { invitation_id: invitation.id, reason: held },
    });
  }
}
