import { describe, expect, test } from 'vitest';
import { readDashboardConfig } from '../../server/dashboard/config.ts';
import { operatorOf } from '../../server/dashboard/session/role-of.ts';
import { toTimestamp } from '../../server/kernel/timestamp.ts';
import {
  begin,
  bring,
  CALLBACK,
  cookiesOf,
  env,
  idp,
  providesOperators,
  signIn,
  started,
} from '../support/dashboard-oidc.ts';
import { clock, folder, freshDashboards, get, platform, send } from '../support/dashboard-world.ts';
import { OIDC_CLIENT } from '../support/identity-provider.ts';
import type { Loose } from '../support/platform.ts';

freshDashboards();
providesOperators();

describe('sign-in of operators (dashboard.md 5, OD-010, OD-011, OD-012, OD-013)', {
  timeout: 60_000,
}, () => {
  test('57: to the provider and back, with a session (OD-057, OD-068, OD-069, OD-070)', async () => {
    const app = started();
    expect((await get(app, '/api/me')).status).toBe(401);
    const { address } = await begin(app);
    expect(Object.fromEntries(new URL(address).searchParams)).toMatchObject({
      response_type: 'code',
      client_id: OIDC_CLIENT.id,
      redirect_uri: CALLBACK,
      scope: 'openid email profile',
      code_challenge_method: 'S256',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
    const back = await signIn(app, 'ada');
    expect([back.status, back.headers['location']]).toEqual([303, '/']);
    const [session, handshake] = [back.headers['set-cookie'] ?? []].flat();
    expect(session).toMatch(
      /^dash_session=[\w-]{43}\.[0-9a-f]{64}; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    expect(handshake).toMatch(/^session=; Max-Age=0;/);
    const me = await get(app, '/api/me', { cookie: cookiesOf(back) });
    expect(me.body).toMatchObject({
      identity: 'ada@example.com',
      role: 'operator',
      auth_mode: 'oidc',
    });
  });

  test('who has no role stays out, without a cookie (OD-071)', async () => {
    const app = started();
    const eve = await signIn(app, 'eve');
    expect([eve.status, eve.body.code, eve.headers['set-cookie']]).toEqual([
      403,
      'forbidden',
      undefined,
    ]);
    const boss = started({ DASH_OIDC_BOOTSTRAP_ADMIN: 'eve' });
    const me = await get(boss, '/api/me', { cookie: cookiesOf(await signIn(boss, 'eve')) });
    expect(me.body).toMatchObject({ identity: 'eve', role: 'admin' });
  });

  test('forged, replayed and foreign callbacks are refused', async () => {
    const app = started();
    const one = await begin(app);
    const back = await idp.signIn(one.address, 'ada');
    expect((await bring(app, back, '')).status).toBe(400);
    expect((await bring(app, back, (await begin(app)).cookie)).status).toBe(400);
    expect((await bring(app, back, one.cookie)).status).toBe(303);
    expect((await bring(app, back, one.cookie)).status).toBe(400);
    const two = await begin(app);
    const state = new URL(two.address).searchParams.get('state');
    const refused = await bring(app, `${CALLBACK}?error=access_denied&state=${state}`, two.cookie);
    expect([refused.status, refused.body.details]).toEqual([
      400,
      { provider_error: 'access_denied' },
    ]);
    const stateOf = (address: string) => new URL(address).searchParams.get('state');
    const unnamed = await bring(app, `${CALLBACK}?code=made-up&state=${state}`, two.cookie);
    expect([unnamed.status, unnamed.body.code]).toEqual([401, 'unauthorized']);
    const four = await begin(app);
    const guess = `${CALLBACK}?code=made-up&state=${stateOf(four.address)}&iss=${idp.issuer}`;
    expect((await bring(app, guess, four.cookie)).status).toBe(400);
    const three = await begin(app);
    clock.now += 3_601_000;
    expect((await bring(app, await idp.signIn(three.address, 'ada'), three.cookie)).status).toBe(
      400,
    );
    const flipped = one.cookie.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
    expect((await bring(app, back, flipped)).status).toBe(400);
  });

  test('a provider that does not answer is told as that', async () => {
    const app = started({ DASH_OIDC_ISSUER: 'http://127.0.0.1:9' });
    const reply = await get(app, '/api/login');
    expect([reply.status, reply.body.code]).toEqual([502, 'upstream_error']);
  });

  test('59: tampered, idle, old and signed-out sessions (OD-072, OD-073)', async () => {
    const app = started();
    const session = async () => cookiesOf(await signIn(app, 'ada'));
    const status = async (cookie: string) => (await get(app, '/api/me', { cookie })).status;
    const first = await session();
    expect(await status(first.replace(/.$/, (last) => (last === '0' ? '1' : '0')))).toBe(401);
    expect(await status(first.replace('dash_session=', 'dash_session=x'))).toBe(401);
    clock.now += 1_799_000;
    expect(await status(first)).toBe(200);
    clock.now += 1_799_000;
    expect(await status(first)).toBe(200);
    clock.now += 1_801_000;
    expect(await status(first)).toBe(401);
    const steady = started({ DASH_SESSION_IDLE_SECONDS: '0' });
    const second = cookiesOf(await signIn(steady, 'ada'));
    clock.now += 43_199_000;
    expect((await get(steady, '/api/me', { cookie: second })).status).toBe(200);
    clock.now += 2_000;
    expect((await get(steady, '/api/me', { cookie: second })).status).toBe(401);
    clock.now = Date.now();
    const third = await session();
    for (const cookie of [third, third]) {
      const out = await send(app, 'POST', '/api/logout', undefined, { cookie });
      expect([out.status, out.body]).toEqual([200, { status: 'logged_out' }]);
    }
    expect(await status(third)).toBe(401);
  });

  test('50: a changed access map signs everybody out (OD-123)', async () => {
    const app = started({ DASH_OIDC_BOOTSTRAP_ADMIN: 'ada@example.com' });
    const cookie = cookiesOf(await signIn(app, 'ada'));
    const map = await get(app, '/api/settings/access', { cookie });
    const { capabilities, version } = map.body;
    const put = await send(
      app,
      'PUT',
      '/api/settings/access',
      { capabilities, version },
      { cookie },
    );
    expect(put.status, JSON.stringify(put.body)).toBe(200);
    expect((await get(app, '/api/me', { cookie })).status).toBe(401);
  });

  test('ended sessions are removed now and then (OD-018)', async () => {
    const app = started({ DASH_SESSION_PURGE_INTERVAL_SECONDS: '0.05' });
    await signIn(app, 'ada');
    const kept = () => app.deps.db.selectFrom('sessions').select('id').execute();
    expect(await kept()).toHaveLength(1);
    clock.now += 43_201_000;
    await expect.poll(kept, { timeout: 5_000 }).toEqual([]);
  });

  test('name and life of the cookie, and the claim of the role, are settings (OD-146)', async () => {
    const app = started({
      DASH_SESSION_COOKIE_NAME: 'desk',
      DASH_SESSION_TTL_SECONDS: '600',
      DASH_OIDC_ROLE_CLAIM: 'email',
      DASH_OIDC_ROLE_MAP: '{"ada@example.com": "admin"}',
    });
    const back = await signIn(app, 'ada');
    const [session = ''] = [back.headers['set-cookie'] ?? []].flat();
    expect(session).toMatch(/^desk=.*; Max-Age=600;/);
    const me = await get(app, '/api/me', { cookie: cookiesOf(back) });
    expect(me.body.role).toBe('admin');
  });

  test('the role of a session decides what its operator may do', async () => {
    const app = started();
    const cookie = cookiesOf(await signIn(app, 'bob'));
    const denied = await send(app, 'PUT', '/api/settings/access', {}, { cookie });
    expect([denied.status, denied.body.code]).toEqual([403, 'forbidden']);
  });

  test('the audit of the platform names who acted, which the platform knows as one key (OD-083)', async () => {
    const app = started({ DASH_OIDC_BOOTSTRAP_ADMIN: 'eve' });
    const ada = { cookie: cookiesOf(await signIn(app, 'ada')) };
    const eve = { cookie: cookiesOf(await signIn(app, 'eve')) };
    platform.on('POST /v1/human-tasks/*/resume', { body: { run_id: 'r1', status: 'completed' } });
    const began = clock.now;
    const resume = (by: typeof ada, task: string) =>
      send(app, 'POST', `/api/human-tasks/${task}/resume`, { decision: 'approved' }, by);
    expect((await resume(ada, 'c1')).status).toBe(200);
    clock.now += 5_000;
    expect((await resume(eve, 'c2')).status).toBe(200);
    const event = (id: string, continuation_id: string, at: number, event_type: string) => ({
      ...{ id, event_type, run_id: 'r1', continuation_id, actor: 'local', metadata: {} },
      created_at: toTimestamp(at),
    });
    const events = [
      event('e1', 'c1', began - 200, 'human.decision'),
      event('e2', 'c2', began + 4_900, 'human.decision'),
      // Another way, another action, another time.
      event('e3', 'c3', began, 'human.decision'),
      event('e4', 'c1', began, 'run.cancelled'),
      event('e5', 'c1', began - 600_000, 'human.decision'),
    ];
    const facts = { count: 5, total: 5, window: 10, limit: 50, offset: 0 };
    platform.on('GET /v1/audit-events', { body: { events, ...facts } });
    const { body } = await get(app, '/api/audit', eve);
    expect(body.rows.map((row: Loose) => [row.id, row.actor, row.operator])).toEqual([
      ['e1', 'local', 'ada@example.com'],
      ['e2', 'local', 'eve'],
      ['e3', 'local', null],
      ['e4', 'local', null],
      ['e5', 'local', null],
    ]);
  });

  test.each([
    [{ DASH_SESSION_SECRET: '' }, /DASH_SESSION_SECRET/],
    [{ DASH_SESSION_SECRET: 'x'.repeat(64) }, /DASH_SESSION_SECRET/],
    [{ DASH_SESSION_SECRET: 'change-me-change-me-change-me-change' }, /DASH_SESSION_SECRET/],
    [
      { DASH_OIDC_CLIENT_ID: '', DASH_OIDC_REDIRECT_URL: '' },
      /DASH_OIDC_CLIENT_ID, DASH_OIDC_REDIRECT_URL/,
    ],
    [{ DASH_OIDC_ISSUER: 'http://id.example' }, /DASH_OIDC_ISSUER needs https/],
  ])('2: %j refuses to start', (more, message) => {
    expect(() => readDashboardConfig({ ...env(more), XDG_CONFIG_HOME: folder })).toThrow(message);
  });

  test('roles: the highest of those that are mapped, an address only when it is verified', () => {
    const rules = {
      roleClaim: 'roles',
      roleMap: { a: 'viewer', b: 'admin' },
      bootstrapAdmin: 'x@y',
    } as const;
    const of = (claims: object) => operatorOf({ sub: 's', ...claims }, rules);
    expect(of({ roles: ['a', 'b', 'c'] })).toEqual({ identity: 's', role: 'admin' });
    expect(of({ roles: 'a' })).toEqual({ identity: 's', role: 'viewer' });
    expect(of({ roles: ['constructor'] })).toEqual({ identity: 's', role: undefined });
    expect(of({ email: 'x@y' })).toEqual({ identity: 's', role: undefined });
    expect(of({ email: 'x@y', email_verified: true })).toEqual({ identity: 'x@y', role: 'admin' });
  });
});
