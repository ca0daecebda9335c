import http from 'node:http';
import { connect } from 'node:net';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  ask,
  asWindow,
  clock,
  freshGateways,
  gateway,
  loseDashboard,
  signIn,
  takeEverybodyFor,
  target,
  WINDOW,
} from '../../test/support/gateway-world.ts';

freshGateways();

describe('admission', () => {
  test('without link, cookie or token: 401 with the envelope, a page for a browser', async () => {
    const api = await ask('/studio/api/me', { 'x-request-id': 'mine' });
    expect([api.status, JSON.parse(api.text), api.headers.get('x-request-id')]).toEqual([
      401,
      { code: 'gateway_unauthorized', message: expect.any(String), request_id: 'mine' },
      'mine',
    ]);
    const page = await ask('/', { accept: 'text/html' });
    expect([page.status, page.headers.get('content-type')]).toEqual([
      401,
      'text/html; charset=utf-8',
    ]);
    expect(page.text).toContain('one-time link');
    expect((await ask('/assets/app-1234.js', {})).status).toBe(401);
  });

  test('a link works once and sets an HttpOnly, SameSite=Strict cookie', async () => {
    const link = gateway.signInLink();
    const first = await fetch(link, { redirect: 'manual' });
    expect([first.status, first.headers.get('location')]).toEqual([303, '/']);
    expect(first.headers.get('set-cookie')).toMatch(/; Path=\/; HttpOnly; SameSite=Strict$/);
    const second = await fetch(link, { redirect: 'manual' });
    expect([second.status, second.headers.get('set-cookie')]).toEqual([401, null]);
    expect(await second.text()).toContain('used already');
  });

  test('the cookie opens the workbench, its assets and addresses, with a policy', async () => {
    const cookie = await signIn();
    const page = await ask('/', { cookie, accept: 'text/html' });
    expect([page.status, page.text]).toEqual([200, '<title>workbench</title>']);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(page.headers.get('cache-control')).toBe('no-cache');
    const deep = await ask('/runs/42?tab=notes', { cookie, accept: 'text/html' });
    expect([deep.status, deep.text]).toEqual([200, '<title>workbench</title>']);
    const asset = await ask('/assets/app-1234.js', { cookie });
    expect([asset.status, asset.headers.get('cache-control')]).toEqual([
      200,
      'public, max-age=31536000, immutable',
    ]);
    const missing = await ask('/assets/none.js', { cookie, accept: '*/*' });
    expect([missing.status, JSON.parse(missing.text).code]).toEqual([404, 'not_found']);
  });

  test('the operator that everybody is does no more at the platform than at the dashboard', async () => {
    const own = asWindow();
    const post = { method: 'POST', body: '{}' };
    const code = (answer: { text: string }) => JSON.parse(answer.text).code;
    takeEverybodyFor({ role: 'viewer', capabilities: ['launch'] });
    expect((await ask('/platform/v1/runs', own)).status).toBe(200);
    const start = await ask('/platform/v1/runs', own, post);
    expect([start.status, code(start)]).toEqual([403, 'role_refused']);
    expect((await ask('/studio/api/projects', own, post)).status).toBe(200);
  });

  test('a role of some environments reads nothing past them; a platform probe says nothing', async () => {
    takeEverybodyFor({ role: 'operator', capabilities: ['launch'], environments: ['dev'] });
    const list = await ask('/platform/v1/runs', asWindow());
    expect([list.status, JSON.parse(list.text).code]).toEqual([403, 'role_refused']);
    expect((await ask('/platform/v1/readyz', asWindow())).status).toBe(200);
  });

  test('while the dashboard is silent nobody knows what its operator may do: that is said', async () => {
    loseDashboard();
    const list = await ask('/platform/v1/runs', asWindow());
    expect([list.status, JSON.parse(list.text)]).toEqual([
      503,
      {
        code: 'rights_unknown',
        message: expect.stringContaining('The dashboard says what you may do'),
        request_id: expect.any(String),
      },
    ]);
    expect((await ask('/platform/v1/readyz', asWindow())).status).toBe(200);
    expect((await ask('/studio/api/projects', asWindow())).status).toBe(200);
    takeEverybodyFor({});
    expect((await ask('/platform/v1/runs', asWindow())).status).toBe(200);
  });

  test('a foreign origin, a foreign host and a wrong token are refused', async () => {
    const cookie = await signIn();
    const foreign = await ask('/studio/api/me', { cookie, origin: 'http://evil.example' });
    expect([foreign.status, JSON.parse(foreign.text).code]).toEqual([
      403,
      'gateway_origin_refused',
    ]);
    expect(foreign.headers.get('access-control-allow-origin')).toBeNull();
    expect((await ask('/', { cookie, origin: 'null' })).status).toBe(403);
    for (const origin of ['http://', 'https://[', 'http://a b']) {
      expect([origin, (await ask('/', { cookie, origin })).status]).toEqual([origin, 403]);
    }
    const wrong = await ask('/studio/api/me', asWindow({ authorization: 'Bearer other' }));
    expect([wrong.status, wrong.headers.get('access-control-allow-origin')]).toEqual([
      401,
      WINDOW.origin,
    ]);
    const rebound = await new Promise<number>((resolve) => {
      http
        .get({
          port: gateway.port,
          host: '127.0.0.1',
          path: '/studio/api/me',
          headers: { host: `evil.example:${gateway.port}`, cookie },
        })
        .on('response', (response) => resolve(response.statusCode ?? 0));
    });
    expect(rebound).toBe(403);
    const token = await ask('/studio/api/me', { authorization: `Bearer ${WINDOW.token}` });
    expect(token.status).toBe(401);
  });

  test('looking at a link does not use it up: HEAD, prefetch, an embedded picture', async () => {
    const link = gateway.signInLink();
    const look = async (init: RequestInit) =>
      (await fetch(link, { ...init, redirect: 'manual' })).status;
    expect(await look({ method: 'HEAD' })).toBe(200);
    for (const headers of [
      { 'sec-purpose': 'prefetch' },
      { 'sec-purpose': 'prefetch;prerender' },
      { purpose: 'prefetch' },
      { 'x-moz': 'prefetch' },
      { 'x-purpose': 'preview' },
      { 'sec-fetch-dest': 'image' },
      { 'sec-fetch-dest': 'iframe' },
    ]) {
      expect([headers, await look({ headers })]).toEqual([headers, 503]);
    }
    expect(await look({ headers: { 'sec-fetch-dest': 'document' } })).toBe(303);
    expect(await look({})).toBe(401);
  });

  test('a link grows old', async () => {
    const link = gateway.signInLink();
    clock.now += 60_001;
    const late = await fetch(link, { redirect: 'manual' });
    expect([late.status, late.headers.get('set-cookie')]).toEqual([401, null]);
    expect(await late.text()).toContain('too old');
  });

  test('a session ends when nobody uses it, and at its age at the latest', async () => {
    const cookie = await signIn();
    const over = async () => {
      const api = await ask('/platform/v1/runs', { cookie });
      const page = await ask('/', { cookie, accept: 'text/html' });
      return [api.status, JSON.parse(api.text).code, page.status, page.text.includes('has ended')];
    };
    for (let used = 0; used < 2; used += 1) {
      clock.now += 3_500_000;
      expect((await ask('/gateway/status', { cookie })).status).toBe(200);
    }
    clock.now += 3_600_001;
    expect(await over()).toEqual([401, 'gateway_session_expired', 401, true]);
    clock.now -= 3_600_001;
    expect((await ask('/gateway/status', { cookie })).status).toBe(401);
    const busy = await signIn();
    const until = clock.now + 10_000_000;
    for (; clock.now < until; clock.now += 1_000_000) {
      expect((await ask('/gateway/status', { cookie: busy })).status).toBe(200);
    }
    clock.now += 1;
    const late = await ask('/gateway/status', { cookie: busy });
    expect([late.status, JSON.parse(late.text).code]).toEqual([401, 'gateway_session_expired']);
  });

  test('signing out ends the session, its cookie and its streams, and no other session', async () => {
    target.answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: 1\n\n');
    };
    const [cookie, other] = [await signIn(), await signIn()];
    const stream = await fetch(`${gateway.url}/platform/v1/stream`, { headers: { cookie } });
    const out = await ask('/gateway/session', { cookie }, { method: 'DELETE' });
    expect([out.status, out.text]).toEqual([204, '']);
    expect(out.headers.get('set-cookie')).toMatch(
      /^gateway_session_\d+=; .*Expires=Thu, 01 Jan 1970/,
    );
    await expect(stream.text()).rejects.toThrow();
    const after = await ask('/gateway/status', { cookie });
    expect([after.status, JSON.parse(after.text).code]).toEqual([401, 'gateway_session_expired']);
    expect((await ask('/gateway/status', { cookie: other })).status).toBe(200);
    expect((await ask('/gateway/session', {}, { method: 'DELETE' })).status).toBe(401);
    const foreign = { cookie: other, origin: 'http://evil.example' };
    expect((await ask('/gateway/session', foreign, { method: 'DELETE' })).status).toBe(403);
  });

  test('the key of the program asks for links and opens nothing else', async () => {
    const key = { authorization: 'Bearer the-key' };
    const made = await ask('/gateway/sign-in-links', key, { method: 'POST' });
    expect(made.status).toBe(201);
    expect((await fetch(JSON.parse(made.text).url, { redirect: 'manual' })).status).toBe(303);
    const post = async (headers: Record<string, string>) =>
      (await ask('/gateway/sign-in-links', headers, { method: 'POST' })).status;
    expect(await post({ authorization: 'Bearer another' })).toBe(401);
    expect(await post({})).toBe(401);
    expect(await post({ ...key, origin: 'http://evil.example' })).toBe(403);
    for (const url of ['/gateway/status', '/gateway/model-keys', '/platform/v1/runs', '/']) {
      expect([url, (await ask(url, key)).status]).toEqual([url, 401]);
    }
  });

  test('the cookie has the name of its port: instances on one host keep theirs', async () => {
    const cookie = await signIn();
    expect(cookie).toMatch(new RegExp(`^gateway_session_${gateway.port}=`));
    const elsewhere = cookie.replace(/_\d+=/, `_${gateway.port + 1}=`);
    expect((await ask('/gateway/status', { cookie: elsewhere })).status).toBe(401);
    const both = `${elsewhere}; ${cookie}`;
    expect((await ask('/gateway/status', { cookie: both })).status).toBe(200);
  });

  test('the window origin gets its preflight without a token', async () => {
    const preflight = await ask(
      '/studio/api/me',
      { origin: WINDOW.origin, 'access-control-request-method': 'PUT' },
      { method: 'OPTIONS' },
    );
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe(WINDOW.origin);
    for (const name of ['content-type', 'authorization', 'idempotency-key', 'x-kneo-env']) {
      expect(preflight.headers.get('access-control-allow-headers')).toContain(name);
    }
  });
});
/** What the gateway says to bytes that no client of ours sends; the first line of it. */
function raw(bytes: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const socket = connect(gateway.port, '127.0.0.1', () => socket.end(bytes, 'latin1'));
  let said = '';
  socket.setTimeout(2000, () => socket.destroy());
  socket.on('data', (chunk) => {
    said += chunk.toString('latin1');
  });
  socket.on('error', () => undefined);
  socket.on('close', () => resolve(said.split('\r\n', 1)[0] ?? ''));
  return promise;
}

test('no request ends the services', async () => {
  const cookie = await signIn();
  const line = fc.constantFrom('GET', 'POST', 'OPTIONS', 'CONNECT', 'HEAD', 'BREW');
  const address = fc.oneof(
    fc.constantFrom(
      '/',
      '*',
      '//',
      '/studio',
      '/platform/%zz',
      'http://[/x',
      '/dashboard?%',
      '/..',
    ),
    fc.string({ unit: 'binary-ascii', maxLength: 20 }).map((text) => `/studio/${text}`),
    fc.string({ unit: 'binary-ascii', maxLength: 20 }).map((text) => `/${text}`),
  );
  const value = fc.oneof(
    fc.constantFrom('http://', 'https://[', 'null', 'x=%', '100-continue', 'chunked', 'upgrade'),
    fc.string({ unit: 'binary-ascii', maxLength: 20 }),
  );
  const name = fc.constantFrom(
    ...['origin', 'host', 'cookie', 'authorization', 'x-request-id', 'connection', 'expect'],
    ...['sec-fetch-site', 'upgrade', 'content-length', 'transfer-encoding', '__proto__', 'te'],
  );
  const headers = fc.array(fc.tuple(name, value), { maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(line, address, headers, fc.boolean(), async (method, url, fields, inside) => {
      const own = inside ? [`host: 127.0.0.1:${gateway.port}`, `cookie: ${cookie}`] : [];
      const given = fields.map(([field, text]) => `${field}: ${text.replaceAll(/[\r\n]/g, ' ')}`);
      const head = [`${method} ${url} HTTP/1.1`, ...own, ...given, 'connection: close'];
      const said = await raw(`${head.join('\r\n')}\r\n\r\n`);
      expect(said).not.toMatch(/ 500 /);
    }),
    { numRuns: 300 },
  );
  expect((await ask('/', { cookie, accept: 'text/html' })).status).toBe(200);
}, 60_000);
