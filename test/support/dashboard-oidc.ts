// Sign-in of operators at a real provider, for the dashboard's wire tests.
import { afterAll, beforeAll, expect } from 'vitest';
import type { DashboardApp } from '../../server/dashboard/service.ts';
import { ask, clock, dashboard, get } from './dashboard-world.ts';
import { type IdentityProvider, OIDC_CLIENT, startIdentityProvider } from './identity-provider.ts';

export const CALLBACK = 'http://127.0.0.1:8090/api/callback';
const SECRET = 'kq7Vd2mXn0aPzR4tLs9wYb1cEf6hUj3g';
export let idp: IdentityProvider;

/** The file that calls this has a provider, with an operator, a viewer and somebody without a role. */
export function providesOperators(): void {
  beforeAll(async () => {
    const accounts = [
      {
        id: 'ada',
        claims: { roles: ['staff', 'desk'], email: 'ada@example.com', email_verified: true },
      },
      { id: 'bob', claims: { roles: 'looker' } },
      { id: 'eve', claims: { roles: ['staff'] } },
    ];
    idp = await startIdentityProvider(CALLBACK, accounts, 'client_secret_basic', 'windows');
  });
  afterAll(() => idp.close());
}

/** Settings of a dashboard whose operators sign in at the provider. */
export const env = (more: Record<string, string> = {}) => ({
  DASH_AUTH_MODE: 'oidc',
  DASH_DEV_MODE: '',
  DASH_SESSION_SECRET: SECRET,
  DASH_OIDC_ISSUER: idp.issuer,
  DASH_OIDC_CLIENT_ID: OIDC_CLIENT.id,
  DASH_OIDC_CLIENT_SECRET: OIDC_CLIENT.secret,
  DASH_OIDC_REDIRECT_URL: CALLBACK,
  DASH_OIDC_ROLE_MAP: '{"desk": "operator", "looker": "viewer"}',
  ...more,
});

type Reply = Awaited<ReturnType<typeof get>>;

export function cookiesOf(reply: Reply): string {
  const given = reply.headers['set-cookie'];
  const list = Array.isArray(given) ? given : [given ?? ''];
  return list
    .map((text) => text.split(';')[0] ?? '')
    .filter((pair) => !pair.endsWith('='))
    .join('; ');
}

/** The tokens of the provider are of now. */
export function started(more: Record<string, string> = {}, spaDir?: string): DashboardApp {
  clock.now = Date.now();
  return dashboard({
    env: env(more),
    requireKey: 'a key of the listener',
    ...(spaDir === undefined ? {} : { spaDir }),
  });
}

export async function begin(app: DashboardApp) {
  const reply = await get(app, '/api/login');
  expect(reply.status, JSON.stringify(reply.body)).toBe(302);
  return { address: String(reply.headers['location']), cookie: cookiesOf(reply) };
}

export const bring = (app: DashboardApp, back: string, cookie: string) => {
  const { pathname, search } = new URL(back);
  return ask(app, 'GET', pathname + search, { headers: { cookie } });
};

export async function signIn(app: DashboardApp, who: string): Promise<Reply> {
  const { address, cookie } = await begin(app);
  return bring(app, await idp.signIn(address, who), cookie);
}
