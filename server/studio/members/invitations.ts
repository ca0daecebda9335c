import { refuse } from '../../contract/studio/errors.ts';
import type { Role } from '../../contract/studio/fields.ts';
import type { InvitationView } from '../../contract/studio/members.ts';
import { parseTimestamp, toTimestamp } from '../../kernel/timestamp.ts';
import type { InvitationRow } from '../../store/studio-tables.ts';
import { inTransaction } from '../../store/transaction.ts';
import { recordAct } from '../audit/record-audit.ts';
import type { Member } from '../caller.ts';
import type { StudioDeps } from '../deps.ts';
import { requireSharedExposure } from '../exposure/exposure.ts';
import { STATIC_ISSUER } from '../session/sign-in.ts';
import { emailSelector } from './email-selector.ts';
import {
  expirePending,
  insertInvitation,
  listInvitationTimes,
  listPending,
  revokeInvitation,
} from './invitations-repository.ts';

export interface InvitationInput {
  readonly role: Role;
  readonly selector_kind: string;
  readonly selector_value: string;
  readonly exposure_digest?: string | null | undefined;
}

const HOUR_MS = 60 * 60 * 1000;
const PER_HOUR = 30;
const TTL_MS = 14 * 24 * HOUR_MS;
const KINDS = ['subject', 'verified_email', 'static_username'] as const;
type SelectorKind = (typeof KINDS)[number];

function isKind(text: string): text is SelectorKind {
  return KINDS.some((kind) => kind === text);
}

/** The selector in its stored form; undefined when nobody can be addressed by it. */
function normalizeSelector(kind: SelectorKind, value: string): string | undefined {
  const trimmed = value.trim();
  if (trimmed === '') return undefined;
  if (kind !== 'verified_email') return trimmed;
  return /\s/.test(trimmed) ? undefined : emailSelector(trimmed);
}

/** Who vouches for the people that a selector names; undefined when nobody does here. */
function issuerOf({ signIn }: StudioDeps, kind: SelectorKind): string | undefined {
  if (kind === 'static_username') return STATIC_ISSUER;
  return signIn.mode === 'oidc' ? signIn.client.issuer : undefined;
}

async function requireRate(deps: StudioDeps, creator: string): Promise<void> {
  const now = deps.clock.now();
  const times = await listInvitationTimes(deps.db, creator, toTimestamp(now - HOUR_MS));
  if (times.length < PER_HOUR) return;
  const oldest = parseTimestamp(times[times.length - PER_HOUR] ?? '') ?? now;
  const retryAfter = Math.max(1, Math.ceil((oldest + HOUR_MS - now) / 1000));
  throw refuse('too_many_invitations', { retryAfter });
}

/** Invites by a selector; the answer is the same whoever it names (studio.md 6.8). */
export async function createInvitation(
  deps: StudioDeps,
  member: Member,
  input: InvitationInput,
): Promise<void> {
  const { project, principal } = member;
  const { selector_kind: kind } = input;
  if (!isKind(kind)) throw refuse('unknown_selector');
  const value = normalizeSelector(kind, input.selector_value);
  if (value === undefined) throw refuse('selector_not_addressable');
  const issuer = issuerOf(deps, kind);
  if (issuer === undefined) throw refuse('selector_unavailable');
  await deps.locks.run(project.id, async () => {
    await requireSharedExposure(deps, member, input.exposure_digest ?? undefined);
    await requireRate(deps, principal.id);
    await inTransaction(deps.db, async (trx) => {
      const row: InvitationRow = {
        id: deps.ids.hex(),
        project_id: project.id,
        role: input.role,
        selector_kind: kind,
        selector_value: value,
        issuer,
        state: 'pending',
        held_reason: null,
        created_by: principal.id,
        created_at: deps.timestamp(),
        expires_at: toTimestamp(deps.clock.now() + TTL_MS),
      };
      await insertInvitation(trx, row);
      await recordAct(deps, trx, member, 'create_invitation', {
        invitation_id: row.id,
        role: row.role,
        selector_kind: kind,
      });
    });
  });
}

/** Pending invitations, oldest first; why one is held only its maker sees. */
export async function listInvitations(
  { db, timestamp }: StudioDeps,
  { project, principal }: Member,
): Promise<InvitationView[]> {
  await expirePending(db, project.id, timestamp());
  const rows = await listPending(db, project.id);
  return rows.map((row) => ({
    id: row.id,
    role: row.role,
    selector_kind: row.selector_kind,
    selector_value: row.selector_value,
    expires_at: row.expires_at,
    held_reason: row.created_by === principal.id ? row.held_reason : null,
  }));
}

/** Takes a pending invitation back. */
export async function deleteInvitation(
  deps: StudioDeps,
  member: Member,
  id: string,
): Promise<void> {
  const { project } = member;
  await expirePending(deps.db, project.id, deps.timestamp());
  await inTransaction(deps.db, async (trx) => {
    if (!(await revokeInvitation(trx, project.id, id))) throw refuse('invitation_not_found');
    await recordAct(deps, trx, member, 'delete_invitation', { invitation_id: id });
  });
}
