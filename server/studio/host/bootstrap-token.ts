import { hashPassword } from '../../identity/password-hash.ts';
import { newToken } from '../../identity/secret-token.ts';
import { toTimestamp } from '../../kernel/timestamp.ts';
import { isAdopted } from '../session/admission.ts';
import { insertClaim } from '../session/sessions-repository.ts';
import { changeAsOperator, type HostDeps } from './host-deps.ts';
import { refuseHost } from './host-refusals.ts';

const MINUTE_MS = 60_000;

/**
 * A token that lets one sign-in with a password take the studio over from the local owner. Only its
 * hash is kept.
 */
export async function makeBootstrapToken(
  deps: HostDeps,
  minutes: number,
  now: number,
): Promise<string> {
  if (deps.config.authMode !== 'static') throw refuseHost('not_static_mode');
  const token = newToken();
  const token_hash = await hashPassword(token);
  const expires_at = toTimestamp(now + minutes * MINUTE_MS);
  return changeAsOperator(deps, 'host.bootstrap_token', async (deps) => {
    if (await isAdopted(deps.db)) throw refuseHost('already_adopted');
    const id = deps.ids.hex();
    await insertClaim(deps.db, {
      id,
      token_hash,
      created_at: deps.timestamp(),
      expires_at,
      used_at: null,
    });
    return { answer: token, project_id: null, detail: { claim_id: id, expires_at } };
  });
}
