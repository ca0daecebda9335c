import type { FastifyRequest } from 'fastify';
import { refuse } from '../../contract/studio/errors.ts';
import { sameSecret } from '../../http/same-secret.ts';
import { isAdmitted, type OidcPerson } from '../../identity/oidc-person.ts';
import { safeReturn } from '../../identity/safe-return.ts';
import { tokenHash } from '../../identity/secret-token.ts';
import { toTimestamp } from '../../kernel/timestamp.ts';
import type { OidcAttemptRow, PrincipalRow } from '../../store/studio-tables.ts';
import { inTransaction } from '../../store/transaction.ts';
import type { StudioDeps } from '../deps.ts';
import type { Handle } from '../handle.ts';
import { consumeInvitations } from '../members/consume-invitations.ts';
import { admit, adopt, type Identity, isAdopted } from './admission.ts';
import { findByIdentity } from './principals-repository.ts';
import { binding, startSession } from './session-cookie.ts';
import { keepAttempt, takeAttempt } from './sessions-repository.ts';
import { CALLBACK, loginUnavailable, type SignIn } from './sign-in.ts';

const ATTEMPT_SECONDS = 600;
const THROTTLE_SECONDS = 60;

/** Sign-in at a provider. */
export type Oidc = Extract<SignIn, { mode: 'oidc' }>;

/** Where a browser goes next, and with which cookie. */
export interface Redirect {
  readonly location: string;
  readonly cookie: string | null;
}

function oidcOf({ signIn }: StudioDeps): Oidc {
  if (signIn.mode !== 'oidc') throw loginUnavailable(signIn.mode);
  return signIn;
}

/** Sends a browser to the identity provider (studio.md 4.3). */
export async function startOidc(
  deps: StudioDeps,
  returnTo: string | undefined,
  request: FastifyRequest,
): Promise<Redirect> {
  const signIn = oidcOf(deps);
  const origin = signIn.originOf(request.raw);
  if (origin.isUntrusted || origin.client === null) throw refuse('untrusted_forwarding');
  if (!signIn.starts.take(origin.client)) {
    throw refuse('too_many_login_starts', { retryAfter: THROTTLE_SECONDS });
  }
  const attempt = signIn.client.newAttempt();
  const { token, text } = binding.make(deps, request, CALLBACK, ATTEMPT_SECONDS);
  const kept = await keepAttempt(
    deps.db,
    {
      ...attempt,
      state_hash: tokenHash(attempt.state),
      binding_hash: tokenHash(token),
      return_to: safeReturn(returnTo),
      expires_at: toTimestamp(deps.clock.now() + ATTEMPT_SECONDS * 1000),
    },
    deps.config.maxOidcAttempts,
    deps.timestamp(),
  );
  if (!kept) throw refuse('too_many_login_attempts', { retryAfter: ATTEMPT_SECONDS });
  return { location: await signIn.client.address(attempt), cookie: text };
}

type Failure =
  | 'invalid_state'
  | 'expired_attempt'
  | 'provider_error'
  | 'login_capacity_exhausted'
  | 'not_admitted';

/** Every failure of a callback is a place in our own pages that says why. */
function failed(code: Failure): Redirect {
  return { location: `/?error=${code}`, cookie: null };
}

function isBound(attempt: OidcAttemptRow, request: FastifyRequest): boolean {
  return sameSecret(tokenHash(binding.read(request) ?? ''), attempt.binding_hash);
}

async function exchange(
  deps: StudioDeps,
  signIn: Oidc,
  code: string,
  attempt: OidcAttemptRow,
): Promise<OidcPerson | Failure> {
  try {
    const ran = await signIn.gate.run(() => signIn.client.exchange(code, attempt));
    return ran === undefined ? 'login_capacity_exhausted' : ran.done;
  } catch (error) {
    deps.log.warn({ err: error }, 'a sign-in at the identity provider failed');
    return 'provider_error';
  }
}

/** The one whom the provider's file makes owner, as long as nobody has taken the studio over. */
async function isHeir(signIn: Oidc, handle: Handle, person: OidcPerson): Promise<boolean> {
  const owner = signIn.provider.bootstrap?.owner;
  if (owner?.issuer !== person.issuer || owner.subject !== person.subject) return false;
  return !(await isAdopted(handle));
}

/** The principal of a person of the provider, if its rules let them in. */
export async function enter(
  deps: StudioDeps,
  signIn: Oidc,
  handle: Handle,
  person: OidcPerson,
): Promise<PrincipalRow | undefined> {
  const { admission } = signIn.provider;
  const identity: Identity = { kind: 'oidc', ...person };
  const isListed = admission.mode === 'allowlist' && isAdmitted(person, admission);
  if (admission.mode === 'allowlist' && !isListed) return undefined;
  if (await isHeir(signIn, handle, person)) {
    const known = await findByIdentity(handle, identity);
    return known?.state === 'disabled' ? undefined : adopt(deps, handle, identity);
  }
  return admit(deps, handle, identity, isListed ? 'active' : 'pending');
}

/** Takes a browser back from the identity provider, with a session or with the reason why not. */
export async function finishOidc(
  deps: StudioDeps,
  { code, state }: { readonly code?: string | undefined; readonly state?: string | undefined },
  request: FastifyRequest,
): Promise<Redirect> {
  const signIn = oidcOf(deps);
  if (state === undefined) return failed('invalid_state');
  const attempt = await takeAttempt(deps.db, tokenHash(state));
  if (attempt === undefined || !isBound(attempt, request)) return failed('invalid_state');
  if (attempt.expires_at <= deps.timestamp()) return failed('expired_attempt');
  if (code === undefined) return failed('invalid_state');
  const person = await exchange(deps, signIn, code, attempt);
  if (typeof person === 'string') return failed(person);
  const cookie = await inTransaction(deps.db, async (trx) => {
    const principal = await enter(deps, signIn, trx, person);
    if (principal === undefined) return undefined;
    await consumeInvitations(deps, trx, principal, person);
    return startSession(deps, trx, principal, request);
  });
  if (cookie === undefined) return failed('not_admitted');
  return { location: attempt.return_to, cookie };
}
