import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Log } from '../kernel/log.ts';
import { type RunningGateway, startGateway } from './gateway.ts';
import type { ModelKeys } from './model-keys.ts';

const quiet: Log = { info() {}, warn() {}, error() {} };
const WINDOW = { origin: 'app://specwright', token: 'launch-token' };

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

let target: http.Server;
let targetUrl = '';
let handler: Handler = (_request, response) => response.end('{}');
let gateway: RunningGateway;
const uiFolder = mkdtempSync(path.join(tmpdir(), 'specwright-ui-'));
mkdirSync(path.join(uiFolder, 'assets'));
writeFileSync(path.join(uiFolder, 'index.html'), '<title>workbench</title>');
writeFileSync(path.join(uiFolder, 'assets/app-1234.js'), 'export {};');

let now = 0;
let stored = new Map<string, string>();
let here = true;
const keyView = (name: string) => ({
  name,
  provider: null,
  kept_in: stored.has(name) ? ('file' as const) : null,
  stored_at: null,
  in_environment: false,
});
const modelKeys: ModelKeys = {
  list: async () => ({ here, keeper: 'file', keys: [...stored.keys()].map(keyView) }),
  mayHold: (name) => name !== 'SERV_API_KEY',
  put: async (name, key) => {
    stored.set(name, key);
    return keyView(name);
  },
  remove: async (name) => stored.delete(name),
};

beforeEach(async () => {
  now = 1_700_000_000_000;
  stored = new Map();
  here = true;
  const { promise, resolve } = Promise.withResolvers<void>();
  target = http.createServer((request, response) => handler(request, response));
  target.listen(0, '127.0.0.1', resolve);
  await promise;
  const address = target.address();
  targetUrl = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  let n = 0;
  gateway = await startGateway({
    host: '127.0.0.1',
    port: 0,
    uiFolder,
    window: WINDOW,
    allowedHosts: [],
    linkKeys: ['the-key'],
    limits: { linkMs: 60_000, idleMs: 3_600_000, lifeMs: 10_000_000 },
    clock: { now: () => now },
    version: '0.0.0',
    ids: { uuid: () => 'uuid', hex: () => `id${n++}` },
    log: quiet,
    modelKeys,
    connection: {
      id: 'embedded',
      name: 'This computer',
      kind: 'embedded',
      targets: {
        platform: { baseUrl: targetUrl, authorization: 'Bearer generated' },
        studio: { baseUrl: `${targetUrl}/base/` },
        dashboard: { baseUrl: 'http://127.0.0.1:1' },
      },
    },
  });
});

afterEach(async () => {
  await gateway.stop();
  target.closeAllConnections();
  target.close();
});

async function signIn(): Promise<string> {
  const answer = await fetch(gateway.signInLink(), { redirect: 'manual' });
  return (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
}

const asWindow = (extra: Record<string, string> = {}) => ({
  origin: WINDOW.origin,
  authorization: `Bearer ${WINDOW.token}`,
  ...extra,
});

async function ask(url: string, headers: Record<string, string>, init: RequestInit = {}) {
  const answer = await fetch(`${gateway.url}${url}`, { ...init, headers, redirect: 'manual' });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

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
    expect([deep.status, deep.headers.get('location')]).toEqual([302, '/#/runs/42?tab=notes']);
    const asset = await ask('/assets/app-1234.js', { cookie });
    expect([asset.status, asset.headers.get('cache-control')]).toEqual([
      200,
      'public, max-age=31536000, immutable',
    ]);
    const missing = await ask('/assets/none.js', { cookie, accept: '*/*' });
    expect([missing.status, JSON.parse(missing.text).code]).toEqual([404, 'not_found']);
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
    now += 60_001;
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
      now += 3_500_000;
      expect((await ask('/gateway/status', { cookie })).status).toBe(200);
    }
    now += 3_600_001;
    expect(await over()).toEqual([401, 'gateway_session_expired', 401, true]);
    now -= 3_600_001;
    expect((await ask('/gateway/status', { cookie })).status).toBe(401);
    const busy = await signIn();
    const until = now + 10_000_000;
    for (; now < until; now += 1_000_000) {
      expect((await ask('/gateway/status', { cookie: busy })).status).toBe(200);
    }
    now += 1;
    const late = await ask('/gateway/status', { cookie: busy });
    expect([late.status, JSON.parse(late.text).code]).toEqual([401, 'gateway_session_expired']);
  });

  test('signing out ends the session, its cookie and its streams, and no other session', async () => {
    handler = (_request, response) => {
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

describe('forwarding', () => {
  test('strips what says who asked, adds the credential, keeps the rest byte for byte', async () => {
    const seen: { url?: string | undefined; headers?: http.IncomingHttpHeaders } = {};
    handler = (request, response) => {
      seen.url = request.url;
      seen.headers = request.headers;
      response.writeHead(200, {
        'set-cookie': 'secret=1',
        'x-request-id': 'theirs',
        etag: '"1"',
        'retry-after': '7',
        'access-control-allow-origin': '*',
        location: '/v1/runs/1',
      });
      response.end('{"ok":true}');
    };
    const answer = await ask('/platform/v1/a%2F..%2Fb?x=%20y', {
      ...asWindow(),
      cookie: 'a=b',
      referer: 'http://x/',
      'x-forwarded-for': '1.2.3.4',
      forwarded: 'for=1',
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'cors',
      'x-kneo-env': 'dev',
    });
    expect(seen.url).toBe('/v1/a%2F..%2Fb?x=%20y');
    const { headers = {} } = seen;
    expect(headers.host).toBe(new URL(targetUrl).host);
    expect(headers.authorization).toBe('Bearer generated');
    expect(headers['x-kneo-env']).toBe('dev');
    const gone = ['origin', 'cookie', 'referer', 'x-forwarded-for', 'forwarded', 'sec-fetch-site'];
    for (const name of [...gone, 'sec-fetch-mode']) {
      expect(headers[name]).toBeUndefined();
    }
    expect([answer.status, answer.text]).toEqual([200, '{"ok":true}']);
    expect(answer.headers.get('set-cookie')).toBeNull();
    expect(answer.headers.get('access-control-allow-origin')).toBe(WINDOW.origin);
    expect(answer.headers.get('location')).toBe('/platform/v1/runs/1');
    expect([
      answer.headers.get('x-request-id'),
      answer.headers.get('etag'),
      answer.headers.get('retry-after'),
    ]).toEqual(['theirs', '"1"', '7']);
  });

  test('the prefix becomes the base path; statuses, envelopes and bodies pass', async () => {
    handler = (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        response.writeHead(409, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ url: request.url, body: Buffer.concat(chunks).toString() }));
      });
    };
    const answer = await ask('/studio/api/x', asWindow({ 'content-type': 'application/json' }), {
      method: 'POST',
      body: '{"a": 1}',
    });
    expect([answer.status, JSON.parse(answer.text)]).toEqual([
      409,
      { url: '/base/api/x', body: '{"a": 1}' },
    ]);
    const large = 'x'.repeat(1_000_000);
    const echoed = await ask('/studio/big', asWindow(), { method: 'PUT', body: large });
    expect(JSON.parse(echoed.text).body).toBe(large);
  });

  test('an early refusal of a large body reaches the client', async () => {
    handler = (request, response) => {
      response.writeHead(413, { connection: 'close' });
      response.end('too large');
      request.socket.end();
    };
    const answer = await ask('/platform/v1/runs', asWindow(), {
      method: 'POST',
      body: 'x'.repeat(8_000_000),
    });
    expect([answer.status, answer.text]).toEqual([413, 'too large']);
  });

  test('a stream arrives as it is written, and leaving it reaches the target', async () => {
    const left = Promise.withResolvers<void>();
    const second = Promise.withResolvers<void>();
    handler = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: 1\n\n');
      void second.promise.then(() => response.write('data: 2\n\n'));
      response.on('close', () => left.resolve());
    };
    const abort = new AbortController();
    const answer = await fetch(`${gateway.url}/platform/v1/stream`, {
      headers: asWindow(),
      signal: abort.signal,
    });
    const reader = answer.body!.getReader();
    const next = async () => new TextDecoder().decode((await reader.read()).value);
    expect(await next()).toBe('data: 1\n\n');
    second.resolve();
    expect(await next()).toBe('data: 2\n\n');
    abort.abort();
    await left.promise;
  });

  test('a client that leaves before the answer takes its request with it', async () => {
    const arrived = Promise.withResolvers<void>();
    const left = Promise.withResolvers<void>();
    handler = (request) => {
      arrived.resolve();
      request.socket.on('close', () => left.resolve());
    };
    const abort = new AbortController();
    const pending = fetch(`${gateway.url}/platform/v1/slow`, {
      method: 'POST',
      headers: asWindow(),
      signal: abort.signal,
    });
    await arrived.promise;
    abort.abort();
    await expect(pending).rejects.toThrow();
    await left.promise;
  });

  test('a target that does not answer is 502 with the code', async () => {
    const answer = await ask('/dashboard/api/runs', asWindow());
    expect([answer.status, JSON.parse(answer.text).code]).toEqual([502, 'connection_unreachable']);
    handler = (request) => request.socket.destroy();
    const cut = await ask('/platform/v1/runs', asWindow());
    expect([cut.status, JSON.parse(cut.text).code]).toEqual([502, 'connection_unreachable']);
  });

  test('status names the connection and what answers', async () => {
    handler = (_request, response) => response.end('{}');
    const cookie = await signIn();
    const answer = await ask('/gateway/status', { cookie });
    const address = expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+/);
    expect(JSON.parse(answer.text)).toEqual({
      version: '0.0.0',
      connection: { id: 'embedded', name: 'This computer', kind: 'embedded' },
      services: {
        platform: { present: true, reachable: true, address },
        studio: { present: true, reachable: true, address },
        dashboard: { present: true, reachable: false, address },
      },
    });
    const link = await ask('/gateway/sign-in-links', { cookie }, { method: 'POST' });
    expect(link.status).toBe(201);
    expect((await fetch(JSON.parse(link.text).url, { redirect: 'manual' })).status).toBe(303);
  });

  test('stopping ends open streams', async () => {
    handler = (_request, response) => {
      response.writeHead(200);
      response.write('x');
    };
    const answer = await fetch(`${gateway.url}/platform/v1/stream`, { headers: asWindow() });
    await gateway.stop();
    await expect(answer.text()).rejects.toThrow();
  });
});

describe('keys of model providers (ux.md place 9, decisions 25)', () => {
  const send = async (method: string, name: string, body?: string) => {
    const headers = { ...asWindow(), 'content-type': 'application/json' };
    const answer = await fetch(`${gateway.url}/gateway/model-keys/${name}`, {
      method,
      headers: body === undefined ? asWindow() : headers,
      ...(body === undefined ? {} : { body }),
    });
    return { status: answer.status, text: await answer.text() };
  };
  const key = JSON.stringify({ key: ' sk-live-1 ' });

  test('a key is stored, listed without its value, and removed', async () => {
    const put = await send('PUT', 'OPENAI_API_KEY', key);
    expect([put.status, stored.get('OPENAI_API_KEY')]).toEqual([200, 'sk-live-1']);
    const list = await fetch(`${gateway.url}/gateway/model-keys`, { headers: asWindow() });
    const text = await list.text();
    expect(text).toContain('OPENAI_API_KEY');
    expect(put.text + text).not.toContain('sk-live');
    expect((await send('DELETE', 'OPENAI_API_KEY')).status).toBe(204);
    expect((await send('DELETE', 'OPENAI_API_KEY')).status).toBe(404);
  });

  test('names of the services, bad names, bad keys and unreadable bodies are refused', async () => {
    const codes = [
      await send('PUT', 'SERV_API_KEY', key),
      await send('PUT', 'openai', key),
      await send('PUT', 'OPENAI_API_KEY', JSON.stringify({ key: 'two\nlines' })),
      await send('PUT', 'OPENAI_API_KEY', JSON.stringify({ key: '  ' })),
      await send('PUT', 'OPENAI_API_KEY', '{'),
    ].map(({ status, text }) => [status, JSON.parse(text).code]);
    expect(codes).toEqual([
      [400, 'key_name_refused'],
      [400, 'key_name_refused'],
      [400, 'key_refused'],
      [400, 'key_refused'],
      [400, 'request_invalid'],
    ]);
    expect(stored.size).toBe(0);
  });

  test('a platform of another computer takes no key from here', async () => {
    here = false;
    const { status, text } = await send('PUT', 'OPENAI_API_KEY', key);
    expect([status, JSON.parse(text).code]).toEqual([409, 'keys_not_here']);
  });

  test('who is not signed in neither lists nor stores', async () => {
    const url = `${gateway.url}/gateway/model-keys`;
    expect((await fetch(url)).status).toBe(401);
    expect((await fetch(`${url}/OPENAI_API_KEY`, { method: 'PUT', body: key })).status).toBe(401);
    expect(stored.size).toBe(0);
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
