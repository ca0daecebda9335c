import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { hashPassword } from '../../server/identity/password-hash.ts';
import { readStudioConfig } from '../../server/studio/config.ts';
import { makeBootstrapToken } from '../../server/studio/host/bootstrap-token.ts';
import type { HostDeps } from '../../server/studio/host/host-deps.ts';
import { approvePrincipal, disablePrincipal } from '../../server/studio/host/principals.ts';
import { openExternalStore, openFileStore } from '../../server/studio/studio-store.ts';
import { type StudioUnderTest, startStudioUnderTest } from '../support/studio-app.ts';
import { P, refused } from '../support/studio-world.ts';

const NOWHERE = 'http://127.0.0.1:9';
const folder = mkdtempSync(path.join(tmpdir(), 'studio-users-'));
const users = path.join(folder, 'users.json');
const studios: StudioUnderTest[] = [];
let hash = '';

beforeAll(async () => {
  hash = await hashPassword('right');
  writeUsers();
});
afterEach(async () => {
  for (const one of studios.splice(0)) await one.dispose();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function writeUsers(
  mode = 0o600,
  file: unknown = [...'ab'].map((username) => ({ username, password_hash: hash })),
) {
  writeFileSync(users, JSON.stringify(file));
  chmodSync(users, mode);
}

const env = (more: Record<string, string> = {}) => ({
  STUDIO_AUTH_MODE: 'static',
  STUDIO_USERS_FILE: users,
  ...more,
});

async function start(more: Record<string, string> = {}): Promise<StudioUnderTest> {
  const studio = await startStudioUnderTest(NOWHERE, {}, env(more));
  studios.push(studio);
  return studio;
}

/** Acts on the store as the commands of the host do, beside the running studio. */
async function asHost<T>(studio: StudioUnderTest, act: (deps: HostDeps) => Promise<T>): Promise<T> {
  const options = {
    databaseFile: path.join(studio.folder, 'state', 'studio.db'),
    migrationsDir: path.join(import.meta.dirname, '../../migrations/studio'),
    clock: { now: () => studio.clock.ms },
    log: { info() {}, warn() {}, error() {} },
  };
  const store =
    studio.external === undefined
      ? openFileStore(options)
      : await openExternalStore(studio.external, options);
  const config = readStudioConfig(env());
  const ids = {
    hex: () => crypto.randomUUID().replaceAll('-', ''),
    uuid: () => crypto.randomUUID(),
  };
  const timestamp = () => new Date(studio.clock.ms).toISOString().replace('Z', '000+00:00');
  try {
    return await act({ db: store.db, config, ids, timestamp, label: undefined } as HostDeps);
  } finally {
    await store.close();
  }
}

const login = (studio: StudioUnderTest, username: string, password = 'right', more: object = {}) =>
  studio.call('POST', '/api/session', { username, password, ...more });

const cookieOf = (answer: { headers: Headers }) =>
  (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';

async function member(studio: StudioUnderTest, name: string): Promise<string> {
  await login(studio, name);
  await asHost(studio, (deps) => approvePrincipal(deps, { subject: name }));
  return cookieOf(await login(studio, name));
}

describe('sign-in with passwords (studio.md 4.2, AS-105, AS-106, AS-135)', {
  timeout: 60_000,
}, () => {
  test('who signs in first waits for approval, then gets a session', async () => {
    const studio = await start();
    refused(await studio.call('GET', '/api/me'), 401, 'unauthenticated', { auth_mode: 'static' });
    refused(await login(studio, 'a'), 403, 'not_admitted');
    refused(await login(studio, 'a'), 403, 'not_admitted');
    await asHost(studio, (deps) => approvePrincipal(deps, { subject: 'a' }));
    const answer = await login(studio, 'a');
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toMatchObject({ display_name: 'a', auth_mode: 'static', projects: [] });
    const cookie = answer.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/^studio_session=[\w-]{43};/);
    expect(cookie).toContain('HttpOnly');
    expect(cookie).toContain('SameSite=Lax');
    expect(cookie).toContain('Path=/');
    expect(cookie).not.toMatch(/Secure|Max-Age|Expires/);
    const me = await studio.call('GET', '/api/me', undefined, { cookie: cookieOf(answer) });
    expect([me.status, me.body]).toEqual([200, answer.body]);
    const value = cookieOf(answer).split('=')[1] ?? '';
    expect(JSON.stringify(await studio.rows('SELECT * FROM session'))).not.toContain(value);
    refused(
      await studio.call('GET', P, undefined, { cookie: cookieOf(answer) }),
      404,
      'project_not_found',
    );
  });

  test('a wrong password, an unknown name and too many of them', async () => {
    const studio = await start({ STUDIO_LOGIN_FAILURE_LIMIT: '3' });
    refused(await login(studio, 'a', 'wrong'), 401, 'invalid_credentials');
    refused(await login(studio, 'nobody'), 401, 'invalid_credentials');
    refused(await login(studio, 'a', 'wrong'), 401, 'invalid_credentials');
    refused(await login(studio, 'a', 'wrong'), 401, 'invalid_credentials');
    const held = await login(studio, 'a');
    refused(held, 429, 'too_many_failed_attempts');
    expect(held.headers.get('retry-after')).toBe('60');
    refused(await login(studio, 'b'), 403, 'not_admitted');
    studio.clock.ms += 61_000;
    refused(await login(studio, 'a'), 403, 'not_admitted');
  });

  test('a burst has no head start', async () => {
    const studio = await start({ STUDIO_LOGIN_FAILURE_LIMIT: '3' });
    const answers = await Promise.all(Array.from({ length: 8 }, () => login(studio, 'a', 'wrong')));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(3);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(5);
  });

  test('one session for each person, ended by idling, by its age, by signing out', async () => {
    const studio = await start();
    const first = await member(studio, 'a');
    const second = cookieOf(await login(studio, 'a'));
    const me = (cookie: string) => studio.call('GET', '/api/me', undefined, { cookie });
    refused(await me(first), 401, 'unauthenticated');
    for (let hour = 0; hour < 7 * 24 - 1; hour += 7) {
      expect((await me(second)).status, `after ${hour} hours`).toBe(200);
      studio.clock.ms += 7 * 3_600_000;
    }
    refused(await me(second), 401, 'unauthenticated');
    const third = cookieOf(await login(studio, 'a'));
    studio.clock.ms += 8 * 3_600_000 + 1000;
    refused(await me(third), 401, 'unauthenticated');
    const fourth = cookieOf(await login(studio, 'a'));
    const out = await studio.call('DELETE', '/api/session', undefined, { cookie: fourth });
    expect([out.status, out.headers.get('set-cookie')]).toEqual([
      204,
      expect.stringContaining('Max-Age=0'),
    ]);
    refused(await me(fourth), 401, 'unauthenticated');
    expect((await studio.call('DELETE', '/api/session')).status).toBe(204);
  });

  test('sessions survive a restart; who is disabled is out at once', async () => {
    const studio = await start();
    const cookie = await member(studio, 'a');
    await studio.restart();
    expect((await studio.call('GET', '/api/me', undefined, { cookie })).status).toBe(200);
    await asHost(studio, (deps) =>
      disablePrincipal(deps, { subject: 'a' }, { owner: undefined, quota: undefined }),
    );
    refused(await studio.call('GET', '/api/me', undefined, { cookie }), 401, 'unauthenticated');
    refused(await login(studio, 'a'), 403, 'not_admitted');
  });

  test('a claim of the host makes one sign-in the owner', async () => {
    const studio = await start();
    const claim = await asHost(studio, (deps) => makeBootstrapToken(deps, 15, studio.clock.ms));
    refused(
      await login(studio, 'a', 'right', { bootstrap_claim: 'wrong' }),
      409,
      'bootstrap_consumed',
    );
    refused(
      await login(studio, 'a', 'wrong', { bootstrap_claim: claim }),
      401,
      'invalid_credentials',
    );
    const owner = await login(studio, 'a', 'right', { bootstrap_claim: claim });
    expect(owner.status, owner.text).toBe(200);
    expect(owner.body.projects).toMatchObject([{ id: 'default', role: 'owner' }]);
    refused(
      await login(studio, 'b', 'right', { bootstrap_claim: claim }),
      409,
      'bootstrap_consumed',
    );
    expect(await studio.rows("SELECT state FROM principal WHERE id = 'local-owner'")).toEqual([
      { state: 'disabled' },
    ]);
    expect(await studio.rows('SELECT token_hash FROM bootstrap_claim')).toMatchObject([
      { token_hash: expect.stringMatching(/^\$argon2id\$/) },
    ]);
    await expect(
      asHost(studio, (deps) => makeBootstrapToken(deps, 15, studio.clock.ms)),
    ).rejects.toMatchObject({ code: 'already_adopted' });
  });

  test('a claim ends with its time', async () => {
    const studio = await start();
    const claim = await asHost(studio, (deps) => makeBootstrapToken(deps, 1, studio.clock.ms));
    studio.clock.ms += 61_000;
    refused(
      await login(studio, 'a', 'right', { bootstrap_claim: claim }),
      409,
      'bootstrap_consumed',
    );
  });

  test('an invitation lets somebody in, with its role; a viewer may not write', async () => {
    const studio = await start();
    const claim = await asHost(studio, (deps) => makeBootstrapToken(deps, 15, studio.clock.ms));
    const cookie = cookieOf(await login(studio, 'a', 'right', { bootstrap_claim: claim }));
    const { body } = await studio.call('GET', `${P}/drafts/exposure`, undefined, { cookie });
    const invited = await studio.call(
      'POST',
      `${P}/invitations`,
      {
        role: 'viewer',
        selector_kind: 'static_username',
        selector_value: 'b',
        exposure_digest: body.exposure_digest,
      },
      { cookie },
    );
    expect(invited.status, invited.text).toBeLessThan(300);
    const unavailable = { role: 'viewer', selector_kind: 'subject', selector_value: 'b' };
    refused(
      await studio.call('POST', `${P}/invitations`, unavailable, { cookie }),
      409,
      'selector_unavailable',
    );
    const guest = await member(studio, 'b');
    const me = await studio.call('GET', '/api/me', undefined, { cookie: guest });
    expect(me.body.projects).toMatchObject([{ id: 'default', role: 'viewer' }]);
    const denied = await studio.call(
      'POST',
      `${P}/drafts`,
      { name: 'x', kind: 'spec', text: '' },
      { cookie: guest },
    );
    refused(denied, 403, 'forbidden');
    expect(
      await studio.rows("SELECT action, outcome FROM audit WHERE outcome = 'denied'"),
    ).toHaveLength(1);
  });

  test('85: an accepted offer moves the charge, a declined one does not; nobody else answers', async () => {
    const studio = await start();
    const claim = await asHost(studio, (deps) => makeBootstrapToken(deps, 15, studio.clock.ms));
    const a = cookieOf(await login(studio, 'a', 'right', { bootstrap_claim: claim }));
    const b = await member(studio, 'b');
    const as = (cookie: string, method: string, where: string, body?: unknown) =>
      studio.call(method, `${P}${where}`, body, { cookie });
    const idOf = async (cookie: string) =>
      (await studio.call('GET', '/api/me', undefined, { cookie })).body.principal_id;
    const [ida, idb] = [await idOf(a), await idOf(b)];
    const { exposure_digest } = (await as(a, 'GET', '/drafts/exposure')).body;
    await as(a, 'PUT', `/members/${idb}`, { role: 'viewer', exposure_digest });
    const charged = async () =>
      (await as(a, 'GET', '/members')).body
        .filter((one: { is_quota_principal: boolean }) => one.is_quota_principal)
        .map((one: { principal_id: string }) => one.principal_id);
    const offer = async () => {
      const made = await as(a, 'POST', '/quota-transfer', { to_principal: idb });
      expect([made.status, made.body.state]).toEqual([201, 'proposed']);
      return `/quota-transfer/${made.body.id}`;
    };
    const first = await offer();
    refused(await as(a, 'POST', `${first}/accept`), 409, 'not_the_transfer_target');
    expect((await as(b, 'POST', `${first}/decline`)).body.state).toBe('declined');
    expect(await charged()).toEqual([ida]);
    const second = await offer();
    expect((await as(b, 'POST', `${second}/accept`)).body.state).toBe('accepted');
    expect(await charged()).toEqual([idb]);
    expect((await as(a, 'GET', '/quota-transfer')).body).toBe(null);
    refused(await as(b, 'POST', `${second}/accept`), 409, 'no_such_transfer');
    const again = await as(a, 'POST', '/quota-transfer', { to_principal: idb });
    refused(again, 409, 'not_the_quota_principal');
    const audit = "SELECT action FROM audit WHERE action LIKE '%quota%' ORDER BY id";
    expect(await studio.rows(audit)).toEqual(
      ['propose', 'decline', 'propose', 'accept'].map((word) => ({
        action: `${word}_quota_transfer`,
      })),
    );
  });

  test('pages of other origins and unknown hosts are refused with a session too', async () => {
    const studio = await start();
    const cookie = await member(studio, 'a');
    const foreign = { cookie, origin: 'http://evil.example' };
    refused(await studio.call('GET', '/api/me', undefined, foreign), 403, 'cross_origin_refused');
    refused(
      await studio.call('DELETE', '/api/session', undefined, foreign),
      403,
      'cross_origin_refused',
    );
  });

  test('proxies: only a named one is believed, and both dialects agree', async () => {
    const plain = await start();
    const forwarded = { 'x-forwarded-for': '203.0.113.7', 'x-forwarded-proto': 'https' };
    const post = (studio: StudioUnderTest, headers: Record<string, string>) =>
      studio.call('POST', '/api/session', { username: 'a', password: 'right' }, headers);
    refused(await post(plain, forwarded), 403, 'untrusted_forwarding');
    const named = { STUDIO_TRUSTED_PROXIES: '127.0.0.0/8', STUDIO_DEPLOYMENT_CAP: '1000000000' };
    const behind = await start(named);
    await member(behind, 'a');
    const answer = await post(behind, forwarded);
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([
      200,
      expect.stringContaining('Secure'),
    ]);
    const agreeing = { ...forwarded, forwarded: 'for=203.0.113.7;proto=https' };
    expect((await post(behind, agreeing)).status).toBe(200);
    const lying = { ...forwarded, forwarded: 'for=127.0.0.1;proto=https' };
    refused(await post(behind, lying), 403, 'untrusted_forwarding');
    const { STUDIO_TRUSTED_PROXIES } = named;
    refused(
      await post(await start({ STUDIO_TRUSTED_PROXIES }), forwarded),
      403,
      'deployment_cap_required',
    );
  });

  test.each([
    ['others may read it', () => writeUsers(0o644), /others may read/],
    [
      'a password stands in it',
      () => writeUsers(0o600, [{ username: 'a', password_hash: 'right' }]),
      /argon2id/,
    ],
    ['nobody is in it', () => writeUsers(0o600, []), /no users/],
    [
      'a name is twice in it',
      () =>
        writeUsers(
          0o600,
          ['a', 'a'].map((username) => ({ username, password_hash: hash })),
        ),
      /twice/,
    ],
    ['it is no JSON', () => writeFileSync(users, '{'), /no JSON/],
  ])('the studio does not start with a users file when %s', async (_why, spoil, message) => {
    spoil();
    try {
      await expect(start()).rejects.toThrow(message);
    } finally {
      writeUsers();
    }
  });
});

test('where people sign in, an owner changes no binding: who runs the studio does (studio.md 18)', async () => {
  const studio = await start();
  const headers = { cookie: await member(studio, 'a') };
  await studio.rows(
    "INSERT INTO project_member (project_id, principal_id, role, created_at) SELECT 'default', id, 'owner', 'x' FROM principal WHERE subject = 'a'",
  );
  for (const [method, at, body] of [
    ['GET', 'profiles', undefined],
    ['POST', 'environments', { alias: 'x', profile: 'local' }],
    ['POST', 'environments/default/retire', {}],
    ['POST', 'environments/default/registry', { text: 'a: b' }],
  ] as const) {
    refused(await studio.call(method, `${P}/${at}`, body, headers), 409, 'bound_by_operator');
  }
  const list = await studio.call('GET', `${P}/bindings/generations`, undefined, headers);
  expect([list.status, list.body.length]).toEqual([200, 1]);
});
