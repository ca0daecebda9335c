// What somebody who means harm tries at the sign-in of operators.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { readDashboardConfig } from '../../server/dashboard/config.ts';
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
import { ask, clock, folder, freshDashboards, get } from '../support/dashboard-world.ts';

freshDashboards();
providesOperators();

const HTML = { accept: 'text/html,*/*' };

function windowFolder(): string {
  const ui = path.join(folder, 'ui');
  mkdirSync(ui, { recursive: true });
  writeFileSync(path.join(ui, 'index.html'), '<html><head></head></html>');
  return ui;
}

describe('sign-in of operators under attack (dashboard.md 5)', { timeout: 60_000 }, () => {
  test('no address of a request leads anywhere else than to the provider and back', async () => {
    const app = started();
    const wanted =
      '?next=https://evil.example&return_to=//evil.example&redirect_uri=//evil.example';
    const away = await get(app, `/api/login${wanted}`);
    const address = new URL(String(away.headers['location']));
    expect([away.status, address.origin]).toEqual([302, new URL(idp.issuer).origin]);
    expect(address.searchParams.get('redirect_uri')).toBe(CALLBACK);
    expect(address.href).not.toContain('evil');
    const back = await idp.signIn(address.href, 'ada');
    const home = await bring(app, `${back}&return_to=https://evil.example`, cookiesOf(away));
    expect([home.status, home.headers['location']]).toEqual([303, '/']);
  });

  test('a sign-in that another browser began signs nobody in', async () => {
    const app = started();
    const attacker = await begin(app);
    const back = await idp.signIn(attacker.address, 'ada');
    // The victim follows the attacker's last step, without and with a sign-in of their own.
    for (const cookie of ['', (await begin(app)).cookie, 'session=made.up']) {
      const answer = await bring(app, back, cookie);
      expect([answer.status, answer.headers['set-cookie']]).toEqual([400, undefined]);
    }
  });

  test('what a browser brings is never part of a header', async () => {
    const app = started({}, windowFolder());
    const bad = encodeURIComponent('x\r\nset-cookie: dash_session=1');
    for (const headers of [{}, HTML]) {
      const answer = await ask(app, 'GET', `/api/callback?error=${bad}&state=${bad}`, { headers });
      expect(answer.headers['set-cookie']).toBeUndefined();
      expect(JSON.stringify(answer.headers)).not.toContain('dash_session=1');
    }
  });

  test('a person whose sign-in fails is led to the window; a program gets the envelope', async () => {
    const app = started({}, windowFolder());
    const failed = '/api/callback?error=access_denied&state=s';
    const person = await ask(app, 'GET', failed, { headers: HTML });
    expect([person.status, person.headers['location']]).toEqual([
      303,
      '/sign-in?service=dashboard&error=provider_refused',
    ]);
    const over = await ask(app, 'GET', '/api/callback?code=c&state=s', { headers: HTML });
    expect(over.headers['location']).toBe('/sign-in?service=dashboard&error=bad_request');
    expect((await get(app, failed)).body.code).toBe('bad_request');
    const gateway = { ...HTML, authorization: 'Bearer of-the-gateway' };
    expect((await ask(app, 'GET', failed, { headers: gateway })).status).toBe(400);
    expect((await ask(started(), 'GET', failed, { headers: HTML })).status).toBe(400);
  });

  test('cookies of any size are nobody, or are refused before they are read', async () => {
    const app = started();
    const { url } = await app.app.listen('127.0.0.1', 0);
    const me = async (cookie: string) =>
      (await fetch(`${url}/api/me`, { headers: { cookie } })).status;
    expect(await me(`dash_session=${'a'.repeat(8_000)}.${'0'.repeat(64)}`)).toBe(401);
    expect(await me(Array.from({ length: 900 }, (_, n) => `c${n}=${n}`).join('; '))).toBe(401);
    expect(await me(`dash_session=${'a'.repeat(200_000)}`)).toBe(431);
    expect((await fetch(`${url}/api/livez`)).status).toBe(200);
  });

  test('a clock that is set back or forward ends no session before its time, and none later', async () => {
    const app = started();
    const cookie = cookiesOf(await signIn(app, 'ada'));
    const status = async () => (await get(app, '/api/me', { cookie })).status;
    const start = clock.now;
    clock.now = start - 600_000;
    expect(await status()).toBe(200);
    clock.now = start + 1_000_000;
    expect(await status()).toBe(200);
    // Seen in what is the future now: that makes the session no longer.
    clock.now = start + 500_000;
    expect(await status()).toBe(200);
    clock.now = start + 43_200_000;
    expect(await status()).toBe(401);
  });

  test('the metric of sessions counts those that still hold, and the purge those that are kept (OD-018)', async () => {
    const token = 'm'.repeat(32);
    const app = started({
      DASH_METRICS_TOKEN: token,
      DASH_SESSION_PURGE_INTERVAL_SECONDS: '0.05',
    });
    const active = async () => {
      const { body } = await get(app, '/metrics', { authorization: `Bearer ${token}` });
      return /^dash_sessions_active (\d+)$/m.exec(String(body))?.[1];
    };
    await signIn(app, 'ada');
    await signIn(app, 'bob');
    expect(await active()).toBe('2');
    clock.now += 43_201_000;
    expect(await active()).toBe('0');
    const kept = () => app.deps.db.selectFrom('sessions').select('id').execute();
    await expect.poll(kept, { timeout: 5_000 }).toEqual([]);
  });

  test.each([
    ['31 characters', 'kq7Vd2mXn0aPzR4tLs9wYb1cEf6hUj3', true],
    ['32 characters', 'kq7Vd2mXn0aPzR4tLs9wYb1cEf6hUj3g', false],
  ])('a session secret of %s', (_name, secret, refused) => {
    const read = () =>
      readDashboardConfig({ ...env({ DASH_SESSION_SECRET: secret }), XDG_CONFIG_HOME: folder });
    if (refused) expect(read).toThrow(/DASH_SESSION_SECRET/);
    else expect(read().signIn?.secret).toBe(secret);
  });
});
