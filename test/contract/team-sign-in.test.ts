import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { serviceDoors } from '../../server/host/embedded-doors.ts';
import { readHostSettings } from '../../server/host/host-settings.ts';
import { type RunningHost, startServices } from '../../server/host/start-services.ts';
import { randomIds, systemClock } from '../../server/runtime/system-clock.ts';
import {
  type IdentityProvider,
  startIdentityProvider,
  TEAM_RESOURCE,
} from '../support/identity-provider.ts';
import {
  APP_FILES,
  dashboardEnv,
  studioProviderFile,
  writePrivate,
  writeTeamUsers,
} from '../support/team-server.ts';
import { codeOf, Visitor } from '../support/team-visitor.ts';
import { windowToken } from '../support/window-token.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'team-'));
const hosts: RunningHost[] = [];
let lines: string[] = [];
let users = '';
let started = 0;

beforeAll(async () => {
  users = await writeTeamUsers(path.join(folder, 'users.json'), ['ada', 'bob']);
});
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.stop();
  lines = [];
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

function settings(env: Record<string, string>, gatewayPort = '0') {
  started += 1;
  return readHostSettings(
    {
      data: path.join(folder, `data-${started}`),
      ...{ gatewayPort, platformPort: '0', dashboardPort: '0', studioPort: '0' },
    },
    { XDG_CONFIG_HOME: folder, ...env },
  );
}

async function start(env: Record<string, string>, gatewayPort?: string): Promise<RunningHost> {
  const keep = (fields: object, text: string) =>
    void lines.push(`${text} ${JSON.stringify(fields)}`);
  const host = await startServices(settings(env, gatewayPort), {
    doors: serviceDoors,
    files: APP_FILES,
    clock: systemClock(),
    ids: randomIds(),
    log: () => ({ info: keep, warn: keep, error: keep, release() {} }),
  });
  hosts.push(host);
  return host;
}

const STATIC = () => ({ STUDIO_AUTH_MODE: 'static', STUDIO_USERS_FILE: users });

describe('a studio with passwords behind the workbench (studio.md 4.2, AS-105, AS-135)', {
  timeout: 60_000,
}, () => {
  test('the program asks who somebody is; everything else stays shut until they say', async () => {
    const host = await start(STATIC());
    const visitor = new Visitor(host.urls.gateway);
    const ways = await visitor.ask('GET', '/gateway/sign-in-ways');
    expect(ways.body).toEqual({
      services: [{ service: 'studio', mode: 'static', provider: null }],
      link: false,
    });
    expect(codeOf(await visitor.ask('GET', '/studio/api/me'))).toEqual([401, 'unauthenticated']);
    expect(codeOf(await visitor.ask('GET', '/gateway/status'))).toEqual([401, 'sign_in_required']);
    for (const shut of ['/gateway/model-keys', '/dashboard/api/runs', '/platform/v1/runs']) {
      expect([shut, ...codeOf(await visitor.ask('GET', shut))]).toEqual([
        shut,
        403,
        'link_required',
      ]);
    }
    expect((await visitor.ask('GET', '/platform/v1/readyz')).status).toBe(200);
    expect(codeOf(await visitor.ask('GET', '/platform/v1/runs/none'))).toEqual([
      403,
      'link_required',
    ]);
    expect(codeOf(await visitor.ask('POST', '/gateway/sign-in-links'))).toEqual([
      403,
      'link_required',
    ]);
  });

  test('a session under the name of this address, and out again', async () => {
    const host = await start(STATIC());
    const visitor = new Visitor(host.urls.gateway);
    expect(codeOf(await visitor.login('ada', 'wrong'))).toEqual([401, 'invalid_credentials']);
    expect(codeOf(await visitor.login('nobody', 'wrong'))).toEqual([401, 'invalid_credentials']);
    expect(codeOf(await visitor.login('ada', 'right'))).toEqual([403, 'not_admitted']);
    expect(visitor.jar.size).toBe(0);
    expect(lines.join('\n')).not.toContain('wrong');
  });

  test('failures count for the address of the visitor, behind a named proxy too', async () => {
    const env = { ...STATIC(), STUDIO_LOGIN_FAILURE_LIMIT: '2', STUDIO_DEPLOYMENT_CAP: '1000000' };
    const host = await start({ ...env, SPECWRIGHT_TRUSTED_PROXIES: '127.0.0.1' });
    const from = (address: string) =>
      new Visitor(host.urls.gateway, { 'x-forwarded-for': address, 'x-forwarded-proto': 'https' });
    const [one, two] = [from('10.0.0.1'), from('10.0.0.2')];
    await one.login('ada', 'wrong');
    await one.login('ada', 'wrong');
    expect(codeOf(await one.login('ada', 'right'))).toEqual([429, 'too_many_failed_attempts']);
    expect(codeOf(await two.login('ada', 'wrong'))).toEqual([401, 'invalid_credentials']);
    const forged = from('10.0.0.9, 10.0.0.1');
    expect(codeOf(await forged.login('ada', 'right'))).toEqual([429, 'too_many_failed_attempts']);
  });

  test('a proxy that nobody named speaks for nobody', async () => {
    const host = await start(STATIC());
    const visitor = new Visitor(host.urls.gateway, { 'x-forwarded-for': '10.0.0.1' });
    expect(codeOf(await visitor.login('ada', 'right'))).toEqual([403, 'untrusted_forwarding']);
  });

  test('a page of another site signs nobody in', async () => {
    const host = await start(STATIC());
    const visitor = new Visitor(host.urls.gateway);
    const from = (headers: Record<string, string>) =>
      visitor.ask('POST', '/studio/api/session', { username: 'ada', password: 'right' }, headers);
    const other = await from({ origin: 'https://evil.example' });
    expect(codeOf(other)).toEqual([403, 'gateway_origin_refused']);
  });

  test('the link opens what asks nobody, and no door of the studio', async () => {
    const host = await start(STATIC());
    const owner = new Visitor(host.urls.gateway);
    await owner.open(host.gateway.signInLink());
    expect((await owner.ask('GET', '/platform/v1/runs')).status).toBe(200);
    expect((await owner.ask('GET', '/dashboard/api/me')).body).toMatchObject({ role: 'admin' });
    expect(codeOf(await owner.ask('GET', '/studio/api/me'))).toEqual([401, 'unauthenticated']);
    const { body } = await owner.ask('GET', '/gateway/sign-in-ways');
    expect(body.link).toBe(true);
  });
});

describe('operators and authors at one provider behind the workbench (OD-057, OD-070, AS-145)', {
  timeout: 60_000,
}, () => {
  let idp: IdentityProvider;
  let host: RunningHost;

  beforeAll(async () => {
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    const callbacks = [
      `${origin}/studio/api/session/oidc/callback`,
      `${origin}/dashboard/api/callback`,
    ];
    const people = [
      {
        id: 'ada',
        claims: { name: 'Ada', email: 'ada@example.com', email_verified: true, roles: ['desk'] },
      },
      { id: 'bob', claims: { name: 'Bob', roles: ['looker'] } },
      { id: 'eve', claims: { name: 'Eve' } },
    ];
    idp = await startIdentityProvider(callbacks, people, 'client_secret_post', 'windows');
    const file = writePrivate(
      path.join(folder, 'provider.json'),
      studioProviderFile(idp.issuer, origin, { token_audience: TEAM_RESOURCE }),
    );
    host = await start(
      {
        STUDIO_AUTH_MODE: 'oidc',
        STUDIO_OIDC_PROVIDER_FILE: file,
        ...dashboardEnv(idp.issuer, origin),
        DASH_OIDC_TOKEN_AUDIENCE: TEAM_RESOURCE,
      },
      String(port),
    );
    hosts.length = 0;
  });
  afterAll(async () => {
    await host.stop();
    await idp.close();
  });

  const STARTS = { studio: '/studio/api/session/oidc/start', dashboard: '/dashboard/api/login' };

  async function come(
    who: string,
    to: keyof typeof STARTS,
    visitor = new Visitor(host.urls.gateway),
  ) {
    const away = await visitor.open(STARTS[to]);
    const back = await idp.signIn(away.location ?? '', who);
    return { visitor, back, answer: await visitor.open(back) };
  }

  test('to the provider and back into the window, with cookies of this address alone', async () => {
    const { visitor, answer } = await come('ada', 'studio');
    expect([answer.status, answer.location]).toEqual([302, '/']);
    const name = `sw_${host.gateway.port}_studio_studio_session`;
    expect(answer.given.find((text) => text.startsWith(name))).toMatch(
      /^\w+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    expect((await visitor.ask('GET', '/studio/api/me')).body).toMatchObject({
      display_name: 'Ada',
      auth_mode: 'oidc',
    });
    expect(codeOf(await visitor.ask('GET', '/dashboard/api/me'))).toEqual([401, 'unauthorized']);
    expect((await visitor.ask('DELETE', '/studio/api/session')).status).toBe(204);
    expect(codeOf(await visitor.ask('GET', '/studio/api/me'))).toEqual([401, 'unauthenticated']);
    expect(lines.join('\n')).not.toMatch(/studio_session|code=|[?&]state=/);
  });

  test('a window on another computer comes by a token of the provider, to each service', async () => {
    const visitor = new Visitor(host.urls.gateway);
    const carrying = (token: string) => ({ authorization: `Bearer ${token}` });
    const ada = carrying(await windowToken(idp, 'ada'));
    const ask = (url: string, headers: Record<string, string>) =>
      visitor.ask('GET', url, undefined, headers);
    expect((await ask('/studio/api/me', ada)).body).toMatchObject({ display_name: 'Ada' });
    expect((await ask('/dashboard/api/me', ada)).body).toMatchObject({ role: 'operator' });
    expect((await ask('/dashboard/api/runs', ada)).status).toBe(200);
    const bob = carrying(await windowToken(idp, 'bob'));
    expect(codeOf(await ask('/studio/api/me', bob))).toEqual([403, 'not_admitted']);
    expect((await ask('/dashboard/api/me', bob)).body).toMatchObject({ role: 'viewer' });
    const made = carrying(`${ada.authorization.slice('Bearer '.length, -6)}AAAAAA`);
    expect(codeOf(await ask('/studio/api/me', made))).toEqual([401, 'unauthenticated']);
    expect(codeOf(await ask('/dashboard/api/me', made))).toEqual([401, 'unauthorized']);
    // Nothing of it stays in the browser, and it opens neither the link's door nor the platform.
    expect(visitor.jar.size).toBe(0);
    for (const url of ['/platform/v1/runs', '/gateway/connections'])
      expect((await ask(url, ada)).status, url).toBeGreaterThanOrEqual(401);
  });

  test('over https cookies are of this host and nobody else', async () => {
    const port = host.gateway.port;
    const { intoJar, jarOf } = await import('../../server/gateway/visitor-cookies.ts');
    expect(intoJar('a=b; Path=/x; Domain=example.com', jarOf('studio', port, true), true)).toBe(
      `__Host-sw_${port}_studio_a=b; Path=/; HttpOnly; Secure`,
    );
    expect(intoJar('a=b\r\nx', 'jar_', false)).toBeUndefined();
  });

  test('what fails is a page of the window that names the service and the reason', async () => {
    const page = (service: string, error: string) => `/sign-in?service=${service}&error=${error}`;
    expect((await come('bob', 'studio')).answer.location).toBe(page('studio', 'not_admitted'));
    expect((await come('eve', 'dashboard')).answer.location).toBe(page('dashboard', 'forbidden'));
    const { visitor, back } = await come('ada', 'dashboard');
    expect((await visitor.open(back)).location).toBe(page('dashboard', 'bad_request'));
    const stolen = new Visitor(host.urls.gateway);
    expect((await stolen.open(back)).location).toBe(page('dashboard', 'bad_request'));
    expect(stolen.jar.size).toBe(0);
    const refused = await visitor.open(
      '/studio/api/session/oidc/callback?error=access_denied&state=x',
    );
    expect(refused.location).toBe(page('studio', 'provider_refused'));
  });

  test('a provider that does not answer is a page of the window too', async () => {
    const alone = await start(dashboardEnv('http://127.0.0.1:9', 'http://127.0.0.1:8092'));
    const visitor = new Visitor(alone.urls.gateway);
    expect((await visitor.open('/dashboard/api/login')).location).toBe(
      '/sign-in?service=dashboard&error=upstream_error',
    );
    expect(codeOf(await visitor.ask('GET', '/dashboard/api/login'))).toEqual([
      502,
      'upstream_error',
    ]);
    expect(codeOf(await visitor.ask('GET', '/studio/api/me'))).toEqual([403, 'link_required']);
  });

  test.each(['https://evil.example/', '//evil.example', '/\\evil.example'])(
    'after sign-in nobody is led to %s',
    async (wanted) => {
      const visitor = new Visitor(host.urls.gateway);
      const away = await visitor.open(`${STARTS.studio}?return_to=${encodeURIComponent(wanted)}`);
      const answer = await visitor.open(await idp.signIn(away.location ?? '', 'ada'));
      expect(answer.location).toBe('/');
    },
  );

  test('the platform behind the window is for its owner; everybody else has the dashboard', async () => {
    const { visitor: viewer } = await come('bob', 'dashboard');
    const { visitor: operator } = await come('ada', 'dashboard');
    const stranger = new Visitor(host.urls.gateway);
    const shut = [
      ['GET', '/platform/v1/runs/none'],
      ['GET', '/platform/v1/runs'],
      ['GET', '/platform/runs'],
      ['POST', '/platform/v1/runs/none/rerun'],
      ['POST', '/platform/v1/runs'],
    ] as const;
    for (const visitor of [viewer, operator, stranger]) {
      expect((await visitor.ask('GET', '/platform/v1/readyz')).status).toBe(200);
      for (const [method, url] of shut) {
        const body = method === 'POST' ? {} : undefined;
        expect([url, ...codeOf(await visitor.ask(method, url, body))]).toEqual([
          url,
          403,
          'link_required',
        ]);
      }
    }
    const rerun = '/dashboard/api/runs/none/rerun';
    expect((await viewer.ask('GET', '/dashboard/api/runs/none/record')).status).toBe(404);
    expect(codeOf(await viewer.ask('POST', rerun, {}))).toEqual([403, 'forbidden']);
    expect((await operator.ask('POST', rerun, { checkpoint_sequence: 1 })).status).toBe(404);
  });

  test('whoever is out is out at once, also of what the platform keeps', async () => {
    const { visitor } = await come('ada', 'dashboard');
    expect((await visitor.ask('GET', '/gateway/status')).status).toBe(200);
    const kept = new Map(visitor.jar);
    expect((await visitor.ask('POST', '/dashboard/api/logout')).status).toBe(200);
    for (const [name, value] of kept) visitor.jar.set(name, value);
    expect(codeOf(await visitor.ask('GET', '/dashboard/api/runs/none/record'))).toEqual([
      401,
      'unauthorized',
    ]);
    expect((await visitor.ask('GET', '/gateway/status')).status).toBe(401);
  });
});

describe('starts that would not work', () => {
  test('a callback that the workbench does not have, and a cap that nobody said', () => {
    const file = writePrivate(
      path.join(folder, 'other.json'),
      studioProviderFile('https://id.example', 'https://work.example', {
        callback_origin: 'https://work.example',
        redirect_allowlist: ['https://work.example/api/session/oidc/callback'],
      }),
    );
    expect(() => settings({ STUDIO_AUTH_MODE: 'oidc', STUDIO_OIDC_PROVIDER_FILE: file })).toThrow(
      '/studio/api/session/oidc/callback',
    );
    const dash = { ...dashboardEnv('https://id.example', 'https://work.example') };
    expect(() =>
      settings({ ...dash, DASH_OIDC_REDIRECT_URL: 'https://work.example/api/callback' }),
    ).toThrow('/dashboard/api/callback');
    const proxied = { SPECWRIGHT_TRUSTED_PROXIES: '10.0.0.1' };
    expect(() => settings({ ...STATIC(), ...proxied })).toThrow('STUDIO_DEPLOYMENT_CAP');
    expect(() => settings(proxied)).toThrow('needs sign-in');
    expect(() =>
      settings({ ...STATIC(), STUDIO_DEPLOYMENT_CAP: '9', SPECWRIGHT_TRUSTED_PROXIES: 'x' }),
    ).toThrow('no address');
  });

  test('the window of one person asks nobody', () => {
    const shell = {
      SPECWRIGHT_SUPERVISED: '1',
      SPECWRIGHT_LAUNCH_TOKEN: 't',
      SPECWRIGHT_WINDOW_ORIGIN: 'app://specwright',
    };
    expect(() => settings({ ...STATIC(), ...shell })).toThrow('The window is for one person');
  });
});
