import { refuse } from '../../contract/studio/errors.ts';
import type { AccessTokens } from '../../identity/access-tokens.ts';
import { isAdmitted, type OidcPerson } from '../../identity/oidc-person.ts';
import type { PrincipalRow } from '../../store/studio-tables.ts';
import { inTransaction } from '../../store/transaction.ts';
import type { StudioDeps } from '../deps.ts';
import { consumeInvitations } from '../members/consume-invitations.ts';
import { enter, type Oidc } from './oidc-login.ts';
import { findByIdentity } from './principals-repository.ts';

async function claimsOf(deps: StudioDeps, tokens: AccessTokens, token: string): Promise<unknown> {
  const checked = await tokens.check(token);
  if ('claims' in checked) return checked.claims;
  deps.log.warn({ err: checked.cause }, 'an access token was not taken');
  if (checked.fault === 'unreachable') throw refuse('identity_provider_unreachable');
  throw refuse('unauthenticated', { details: { auth_mode: 'oidc' } });
}

/** Whom the rules let in now, as they do at each sign-in; somebody new as after a first one. */
async function admitted(
  deps: StudioDeps,
  signIn: Oidc,
  person: OidcPerson,
): Promise<PrincipalRow | undefined> {
  const { admission } = signIn.provider;
  if (admission.mode === 'allowlist' && !isAdmitted(person, admission)) return undefined;
  const known = await findByIdentity(deps.db, person);
  if (known?.state === 'active') return known;
  return inTransaction(deps.db, async (trx) => {
    const principal = await enter(deps, signIn, trx, person);
    if (principal !== undefined) await consumeInvitations(deps, trx, principal, person);
    return principal;
  });
}

/**
 * Who asks, by an access token of the provider: nothing of it is kept, so each request is checked.
 * @throws Refusal `unauthenticated`, `not_admitted`, `identity_provider_unreachable`
 */
export async function principalOfToken(
  deps: StudioDeps,
  signIn: Oidc,
  tokens: AccessTokens,
  token: string,
): Promise<PrincipalRow> {
  const person = signIn.client.personOf(await claimsOf(deps, tokens, token));
  const principal = await admitted(deps, signIn, person);
  if (principal === undefined) throw refuse('not_admitted');
  return principal;
}
