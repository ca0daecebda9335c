// What the dashboard tells of itself: to operators how it works and what it keeps, to administrators
// how people sign in.
import { statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { onPostgres } from '../support/chosen-store.ts';
import {
  CALLBACK,
  cookiesOf,
  env,
  idp,
  providesOperators,
  signIn,
  started,
} from '../support/dashboard-oidc.ts';
import {
  dashboard,
  folder,
  freshDashboards,
  get,
  platform,
  send,
} from '../support/dashboard-world.ts';
import { OIDC_CLIENT } from '../support/identity-provider.ts';

freshDashboards();
providesOperators();

const TOKEN = 't'.repeat(32);

test('an operator reads size, rows and sessions of the store as the metrics say them (OD-014, OD-021, OD-022, OD-023)', async () => {
  const databaseFile = path.join(folder, 'd.db');
  const to = dashboard({ databaseFile, env: { DASH_METRICS_TOKEN: TOKEN } });
  const session = (id: string, expires_at: string) => ({
    ...{ id, operator_identity: 'i', role: 'admin', map_version: 0 },
    ...{ created_at: expires_at, last_seen_at: expires_at, expires_at },
  });
  const rows = [
    session('live', '2999-01-01T00:00:00.000000+00:00'),
    session('over', '2001-01-01T00:00:00.000000+00:00'),
  ];
  await to.deps.db.insertInto('sessions').values(rows).execute();
  platform.on('POST /v1/runs', { body: { run_id: 'r1', status: 'queued' } });
  await send(to, 'POST', '/api/launch/run', { spec: {}, input_text: '' });
  const { status, body } = await get(to, '/api/facts');
  const bytes = onPostgres
    ? null
    : ['', '-wal', '-shm']
        .map((suffix) => statSync(`${databaseFile}${suffix}`).size)
        .reduce((sum, size) => sum + size, 0);
  expect([status, body]).toEqual([
    200,
    {
      ...{ version: '0.1.0', auth_mode: 'static', dev_mode: true },
      store: {
        ...{ kind: onPostgres ? 'external' : 'file', bytes, sessions_active: 1 },
        rows: { audit_log: 1, launches: 1 },
      },
    },
  ]);
  const metrics = await get(to, '/metrics', { authorization: `Bearer ${TOKEN}` });
  for (const line of [
    ...(bytes === null ? [] : [`dash_store_state_bytes ${bytes}`]),
    'dash_store_rows{table="audit_log"} 1',
    'dash_store_rows{table="launches"} 1',
    'dash_sessions_active 1',
  ]) {
    expect(metrics.body.split('\n')).toContain(line);
  }
  if (onPostgres) expect(metrics.body).not.toContain('dash_store_state_bytes');
});

test.skipIf(onPostgres)('a store in memory has no size, and says that it is one', async () => {
  const { body } = await get(dashboard(), '/api/facts');
  expect(body.store).toMatchObject({ kind: 'memory', bytes: null });
});

test('health names the address of the platform without what it holds of secrets (OD-009)', async () => {
  const { host } = new URL(platform.url);
  const secret = 'pass-of-the-address';
  const to = dashboard({
    platform: { url: `http://name:${secret}@${host}/under?key=${secret}`, apiKey: 'k' },
  });
  const { body } = await get(to, '/api/health');
  expect(body.address).toBe(`http://${host}/under`);
  expect(JSON.stringify(body)).not.toContain(secret);
});

test('who administers reads how people sign in and which variable says so, and no secret (OD-012, OD-013, OD-016, OD-017, OD-146)', {
  timeout: 60_000,
}, async () => {
  const settings = {
    DASH_SESSION_COOKIE_NAME: 'ops',
    DASH_SESSION_TTL_SECONDS: '7200',
    DASH_SESSION_IDLE_SECONDS: '600',
    DASH_OIDC_BOOTSTRAP_ADMIN: 'eve',
    DASH_CORS_ORIGINS: '["https://ops.example"]',
  };
  const to = started(settings);
  const asked = async (who: string) =>
    get(to, '/api/settings/sign-in', { cookie: cookiesOf(await signIn(to, who)) });
  expect((await get(to, '/api/settings/sign-in')).status).toBe(401);
  expect((await asked('ada')).status).toBe(403);
  const { status, body } = await asked('eve');
  expect([status, body]).toEqual([
    200,
    {
      auth_mode: { variable: 'DASH_AUTH_MODE', value: 'oidc' },
      dev_mode: { variable: 'DASH_DEV_MODE', value: false },
      static_role: { variable: 'DASH_STATIC_OPERATOR_ROLE', value: 'admin' },
      cookie_name: { variable: 'DASH_SESSION_COOKIE_NAME', value: 'ops' },
      cors_origins: { variable: 'DASH_CORS_ORIGINS', value: ['https://ops.example'] },
      provider: {
        issuer: { variable: 'DASH_OIDC_ISSUER', value: idp.issuer },
        client_id: { variable: 'DASH_OIDC_CLIENT_ID', value: OIDC_CLIENT.id },
        redirect_url: { variable: 'DASH_OIDC_REDIRECT_URL', value: CALLBACK },
        scopes: { variable: 'DASH_OIDC_SCOPES', value: 'openid email profile' },
        role_claim: { variable: 'DASH_OIDC_ROLE_CLAIM', value: 'roles' },
        role_map: {
          variable: 'DASH_OIDC_ROLE_MAP',
          value: { desk: 'operator', looker: 'viewer' },
        },
        has_bootstrap_admin: { variable: 'DASH_OIDC_BOOTSTRAP_ADMIN', value: true },
        token_audience: { variable: 'DASH_OIDC_TOKEN_AUDIENCE', value: null },
        session_seconds: { variable: 'DASH_SESSION_TTL_SECONDS', value: 7200 },
        idle_seconds: { variable: 'DASH_SESSION_IDLE_SECONDS', value: 600 },
        purge_seconds: { variable: 'DASH_SESSION_PURGE_INTERVAL_SECONDS', value: 3600 },
      },
    },
  ]);
  const { DASH_OIDC_CLIENT_SECRET = '', DASH_SESSION_SECRET = '' } = env();
  for (const secret of [DASH_OIDC_CLIENT_SECRET, DASH_SESSION_SECRET]) {
    expect(secret.length).toBeGreaterThan(8);
    expect(JSON.stringify(body)).not.toContain(secret);
  }
});

test('in static mode there is no provider to tell of (OD-016)', async () => {
  const { status, body } = await get(dashboard(), '/api/settings/sign-in');
  expect(status).toBe(200);
  expect(body).toMatchObject({
    auth_mode: { value: 'static' },
    dev_mode: { variable: 'DASH_DEV_MODE', value: true },
    provider: null,
  });
});
