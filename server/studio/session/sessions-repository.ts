import type {
  BootstrapClaimRow,
  OidcAttemptRow,
  PrincipalRow,
  SessionRow,
} from '../../store/studio-tables.ts';
import type { Handle } from '../handle.ts';

/** A living session with whose it is. */
export async function findSession(
  handle: Handle,
  tokenHash: string,
): Promise<{ readonly session: SessionRow; readonly principal: PrincipalRow } | undefined> {
  const session = await handle
    .selectFrom('session')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
  if (session === undefined) return undefined;
  const principal = await handle
    .selectFrom('principal')
    .selectAll()
    .where('id', '=', session.principal_id)
    .executeTakeFirst();
  return principal === undefined ? undefined : { session, principal };
}

/** Puts the end of a session off. */
export async function slideSession(
  handle: Handle,
  tokenHash: string,
  expiresAt: string,
): Promise<void> {
  await handle
    .updateTable('session')
    .set({ expires_at: expiresAt })
    .where('token_hash', '=', tokenHash)
    .execute();
}

/** Starts a session; earlier ones of the same person end. */
export async function replaceSessions(handle: Handle, row: SessionRow): Promise<void> {
  await endSessionsOf(handle, row.principal_id);
  await handle.insertInto('session').values(row).execute();
}

/** Ends one session. */
export async function endSession(handle: Handle, tokenHash: string): Promise<void> {
  await handle.deleteFrom('session').where('token_hash', '=', tokenHash).execute();
}

/** Ends every session of a principal. */
export async function endSessionsOf(handle: Handle, principalId: string): Promise<void> {
  await handle.deleteFrom('session').where('principal_id', '=', principalId).execute();
}

/** Ends every session. */
export async function endAllSessions(handle: Handle): Promise<void> {
  await handle.deleteFrom('session').execute();
}

/** Forgets sessions and attempts whose time is over. */
export async function sweepSignIn(handle: Handle, now: string): Promise<void> {
  await handle.deleteFrom('session').where('expires_at', '<=', now).execute();
  await handle.deleteFrom('oidc_attempt').where('expires_at', '<=', now).execute();
}

/** Keeps an attempt, unless as many as allowed are open; false then. */
export async function keepAttempt(
  handle: Handle,
  row: OidcAttemptRow,
  limit: number,
  now: string,
): Promise<boolean> {
  const { open } = await handle
    .selectFrom('oidc_attempt')
    .select((query) => query.fn.countAll<number>().as('open'))
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow();
  if (open >= limit) return false;
  await handle.insertInto('oidc_attempt').values(row).execute();
  return true;
}

/** Takes an attempt out: it can be used once. */
export async function takeAttempt(
  handle: Handle,
  stateHash: string,
): Promise<OidcAttemptRow | undefined> {
  return handle
    .deleteFrom('oidc_attempt')
    .where('state_hash', '=', stateHash)
    .returningAll()
    .executeTakeFirst();
}

/** Keeps a claim of the host. */
export async function insertClaim(handle: Handle, row: BootstrapClaimRow): Promise<void> {
  await handle.insertInto('bootstrap_claim').values(row).execute();
}

/** Claims that can still be used. */
export async function openClaims(handle: Handle, now: string): Promise<BootstrapClaimRow[]> {
  return handle
    .selectFrom('bootstrap_claim')
    .selectAll()
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .execute();
}

/** Spends a claim; false when somebody else was faster. */
export async function spendClaim(handle: Handle, id: string, now: string): Promise<boolean> {
  const { numUpdatedRows } = await handle
    .updateTable('bootstrap_claim')
    .set({ used_at: now })
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
