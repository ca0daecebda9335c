// Stands in for Keycloak in a container: a real provider at the addresses of a realm, whose clients are those
// of docs/deploy/realm.json and whose people sign in by naming themselves. Variables: DOMAIN and the secrets.
import { createServer } from 'node:http';
import Provider from 'oidc-provider';

const REALM = '/realms/specwright';
const PROTOCOL = '/protocol/openid-connect';
const { DOMAIN, DASHBOARD_CLIENT_SECRET, STUDIO_CLIENT_SECRET } = process.env;

const provider = new Provider(`https://id.${DOMAIN}${REALM}`, {
  clients: [
    {
      client_id: 'dashboard',
      client_secret: DASHBOARD_CLIENT_SECRET,
      redirect_uris: [`https://dashboard.${DOMAIN}/api/callback`],
    },
    {
      client_id: 'studio',
      client_secret: STUDIO_CLIENT_SECRET,
      token_endpoint_auth_method: 'client_secret_post',
      redirect_uris: [`https://studio.${DOMAIN}/api/session/oidc/callback`],
    },
  ],
  findAccount: async (_context, id) => ({
    accountId: id,
    claims: async () => ({ sub: id, roles: ['operations-admin'] }),
  }),
  routes: {
    authorization: `${PROTOCOL}/auth`,
    token: `${PROTOCOL}/token`,
    jwks: `${PROTOCOL}/certs`,
  },
  claims: { openid: ['sub', 'roles'] },
  conformIdTokenClaims: false,
  pkce: { required: () => true },
  features: { devInteractions: { enabled: true } },
  cookies: { keys: ['test'] },
});
// The proxy says that browsers come by https.
provider.proxy = true;
const answer = provider.callback();

createServer((request, response) => {
  // It finds out from both addresses below which path it is served.
  const whole = request.url ?? '/';
  Object.assign(request, { originalUrl: whole, url: whole.replace(REALM, '') });
  void answer(request, response);
}).listen(8080);
