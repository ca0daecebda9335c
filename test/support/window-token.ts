import { type ProviderFetch, PublicClient } from '../../server/identity/oidc-public-client.ts';
import { type IdentityProvider, TEAM_RESOURCE, WINDOW_CLIENT } from './identity-provider.ts';

const ask: ProviderFetch = (url, { method, headers, body }) =>
  fetch(url, { method, headers, body: body ?? null });

/** Signs somebody in as a window does; answers the access token and the token of the sign-in itself. */
export async function windowToken(
  provider: IdentityProvider,
  account: string,
  resource: string | null = TEAM_RESOURCE,
): Promise<string> {
  const { issuer } = provider;
  const scope = 'openid profile email';
  const client = await PublicClient.at({ issuer, clientId: WINDOW_CLIENT, scope, resource }, ask);
  const attempt = client.newAttempt();
  const callback = 'http://127.0.0.1:7/callback';
  const back = await provider.signIn(await client.address(attempt, callback), account);
  const { accessToken } = await client.exchange(new URL(back), attempt);
  return accessToken;
}
