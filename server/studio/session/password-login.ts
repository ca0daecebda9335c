import type { FastifyRequest } from 'fastify';
import { refuse } from '../../contract/studio/errors.ts';
import type { Me } from '../../contract/studio/session.ts';
import { isPassword, readPasswordHash } from '../../identity/password-hash.ts';
import type { KnownUser } from '../../identity/users-file.ts';
import type { BootstrapClaimRow, PrincipalRow } from '../../store/studio-tables.ts';
import { inTransaction } from '../../store/transaction.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { StudioDeps } from '../deps.ts';
import type { Handle } from '../handle.ts';
import { consumeInvitations } from '../members/consume-invitations.ts';
import { admit, adopt, type Identity, isAdopted } from './admission.ts';
import { OPERATOR } from './known-principals.ts';
import { meOf } from './me.ts';
import { startSession } from './session-cookie.ts';
import { openClaims, spendClaim } from './sessions-repository.ts';
import { loginUnavailable, type SignIn, STATIC_ISSUER } from './sign-in.ts';

export interface Credentials {
  readonly username: string;
  readonly password: string;
  readonly bootstrap_claim?: string | null | undefined;
}

type Static = Extract<SignIn, { mode: 'static' }>;

const CAPACITY_SECONDS = 1;
const THROTTLE_SECONDS = 60;

/** Runs a check among the few that may run at once. */
async function checked<T>(signIn: SignIn, work: () => Promise<T>): Promise<T> {
  const ran = await signIn.gate.run(work);
  if (ran === undefined) throw refuse('login_capacity_exhausted', { retryAfter: CAPACITY_SECONDS });
  return ran.done;
}

async function matchingClaim(
  deps: StudioDeps,
  signIn: Static,
  token: string,
): Promise<BootstrapClaimRow | undefined> {
  if (await isAdopted(deps.db)) return undefined;
  for (const claim of await openClaims(deps.db, deps.timestamp())) {
    const stored = readPasswordHash(claim.token_hash);
    if (stored === undefined) continue;
    if (await checked(signIn, () => isPassword(token, stored))) return claim;
  }
  return undefined;
}

async function refuseClaim(deps: StudioDeps, username: string): Promise<never> {
  await recordAudit(deps, deps.db, {
    action: 'adopt_studio',
    principal_id: OPERATOR,
    project_id: null,
    outcome: 'denied',
    detail: { issuer: STATIC_ISSUER, username_length: username.length },
  });
  throw refuse('bootstrap_consumed');
}

/** Lets an identity in within one transaction: as it is admitted, or as the new owner by a claim. */
async function enter(
  deps: StudioDeps,
  handle: Handle,
  identity: Identity,
  claim: BootstrapClaimRow | undefined,
): Promise<PrincipalRow | undefined> {
  if (claim === undefined) return admit(deps, handle, identity, 'pending');
  if (await isAdopted(handle)) throw refuse('bootstrap_consumed');
  const owner = await adopt(deps, handle, identity);
  if (!(await spendClaim(handle, claim.id, deps.timestamp()))) throw refuse('bootstrap_consumed');
  return owner;
}

async function signInUser(
  deps: StudioDeps,
  user: KnownUser,
  claim: BootstrapClaimRow | undefined,
  request: FastifyRequest,
): Promise<{ readonly principal: PrincipalRow; readonly cookie: string }> {
  const identity: Identity = {
    kind: 'static',
    issuer: STATIC_ISSUER,
    subject: user.username,
    displayName: user.displayName,
    email: null,
  };
  const entered = await inTransaction(deps.db, async (trx) => {
    const principal = await enter(deps, trx, identity, claim);
    if (principal === undefined) return undefined;
    await consumeInvitations(deps, trx, principal, identity);
    return { principal, cookie: await startSession(deps, trx, principal, request) };
  });
  if (entered === undefined) throw refuse('not_admitted');
  return entered;
}

/**
 * Signs somebody in with name and password; with a claim of the host they take the studio over
 * (studio.md 4.2).
 */
export async function loginWithPassword(
  deps: StudioDeps,
  credentials: Credentials,
  request: FastifyRequest,
): Promise<{ readonly me: Me; readonly cookie: string }> {
  const { signIn } = deps;
  if (signIn.mode !== 'static') throw loginUnavailable(signIn.mode);
  const origin = signIn.originOf(request.raw);
  if (origin.isUntrusted || origin.client === null) throw refuse('untrusted_forwarding');
  const { username, password, bootstrap_claim } = credentials;
  const key = JSON.stringify([origin.client, username]);
  if (!signIn.failures.take(key)) {
    throw refuse('too_many_failed_attempts', { retryAfter: THROTTLE_SECONDS });
  }
  const user = await checked(signIn, () => signIn.users.verify(username, password)).catch(
    (error: unknown) => {
      // A file that cannot be read, or no room to check: nothing was said about the password.
      signIn.failures.giveBack(key);
      throw error;
    },
  );
  if (user === undefined) throw refuse('invalid_credentials');
  const token = bootstrap_claim ?? '';
  const claim = token === '' ? undefined : await matchingClaim(deps, signIn, token);
  if (token !== '' && claim === undefined) return refuseClaim(deps, username);
  const { principal, cookie } = await signInUser(deps, user, claim, request);
  signIn.failures.clear(key);
  return { me: await meOf(deps, principal), cookie };
}
