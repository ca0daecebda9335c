import { refuse } from '../../contract/studio/errors.ts';
import type { Role } from '../../contract/studio/fields.ts';
import type { InvitationView } from '../../contract/studio/members.ts';
import { parseTimestamp, toTimestamp } from '../../kernel/timestamp.ts';
import type { InvitationRow, ProjectRow } from '../../store/studio-tables.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Member } from '../caller.ts';
import type { StudioDeps } from '../deps.ts';
import { requireSharedExposure } from '../exposure/exposure.ts';

export interface InvitationInput {
  readonly role: Role;
  readonly selector_kind: string;
  readonly selector_value: string;
  readonly exposure_digest?: string | null | undefined;
}

const HOUR_MS = 60 * 60 * 1000;
const PER_HOUR = 30;
const TTL_MS = 14 * 24 * HOUR_MS;
const STATIC_ISSUER = 'studio:static';
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
  const at = trimmed.lastIndexOf('@');
  if (at < 1 || at === trimmed.length - 1 || /\s/.test(trimmed)) return undefined;
  const domain = trimmed.slice(at + 1).replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  return `${trimmed.slice(0, at)}@${domain}`;
}

async function requireRate(deps: StudioDeps, creator: string): Promise<void> {
  const now = deps.clock.now();
  const rows = await deps.db
    .selectFrom('invitation')
    .select('created_at')
    .where('created_by', '=', creator)
    .where('created_at', '>', toTimestamp(now - HOUR_MS))
    .orderBy('created_at')
    .execute();
  if (rows.length < PER_HOUR) return;
  const oldest = parseTimestamp(rows[rows.length - PER_HOUR]?.created_at ?? '') ?? now;
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
  if (kind !== 'static_username') throw refuse('selector_unavailable');
  await deps.locks.run(project.id, async () => {
    await requireSharedExposure(deps, member, input.exposure_digest ?? undefined);
    await requireRate(deps, principal.id);
    await deps.db.transaction().execute(async (trx) => {
      await trx
        .updateTable('invitation')
        .set({ state: 'revoked' })
        .where('project_id', '=', project.id)
        .where('selector_kind', '=', kind)
        .where('selector_value', '=', value)
        .where('state', '=', 'pending')
        .execute();
      const row: InvitationRow = {
        id: deps.ids.hex(),
        project_id: project.id,
        role: input.role,
        selector_kind: kind,
        selector_value: value,
        issuer: STATIC_ISSUER,
        state: 'pending',
        held_reason: null,
        created_by: principal.id,
        created_at: deps.timestamp(),
        expires_at: toTimestamp(deps.clock.now() + TTL_MS),
      };
      await trx.insertInto('invitation').values(row).execute();
      await recordAudit(deps, trx, {
        action: 'create_invitation',
        principal_id: principal.id,
        project_id: project.id,
        outcome: 'allowed',
        detail: { invitation_id: row.id, role: row.role, selector_kind: kind },
      });
    });
  });
}

async function expireInvitations(deps: StudioDeps, project: ProjectRow): Promise<void> {
  await deps.db
    .updateTable('invitation')
    .set({ state: 'expired' })
    .where('project_id', '=', project.id)
    .where('state', '=', 'pending')
    .where('expires_at', '<=', deps.timestamp())
    .execute();
}

/** Pending invitations, oldest first; why one is held only its maker sees. */
export async function listInvitations(deps: StudioDeps, member: Member): Promise<InvitationView[]> {
  await expireInvitations(deps, member.project);
  const rows = await deps.db
    .selectFrom('invitation')
    .selectAll()
    .where('project_id', '=', member.project.id)
    .where('state', '=', 'pending')
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    role: row.role,
    selector_kind: row.selector_kind,
    selector_value: row.selector_value,
    expires_at: row.expires_at,
    held_reason: row.created_by === member.principal.id ? row.held_reason : null,
  }));
}

/** Takes a pending invitation back. */
export async function deleteInvitation(
  deps: StudioDeps,
  member: Member,
  id: string,
): Promise<void> {
  const { project, principal } = member;
  await expireInvitations(deps, project);
  await deps.db.transaction().execute(async (trx) => {
    const result = await trx
      .updateTable('invitation')
      .set({ state: 'revoked' })
      .where('project_id', '=', project.id)
      .where('id', '=', id)
      .where('state', '=', 'pending')
      .executeTakeFirst();
    if (result.numUpdatedRows === 0n) throw refuse('invitation_not_found');
    await recordAudit(deps, trx, {
      action: 'delete_invitation',
      principal_id: principal.id,
      project_id: project.id,
      outcome: 'allowed',
      detail: { invitation_id: id },
    });
  });
}
