import type http from 'node:http';
import { describe, expect, test } from 'vitest';
import {
  ask,
  asWindow,
  freshGateways,
  gateway,
  signIn,
  target,
  targetUrl,
  WINDOW,
} from '../../test/support/gateway-world.ts';

freshGateways();

describe('forwarding', () => {
  test('strips what says who asked, adds the credential, keeps the rest byte for byte', async () => {
    const seen: { url?: string | undefined; headers?: http.IncomingHttpHeaders } = {};
    target.answer = (request, response) => {
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
    target.answer = (request, response) => {
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
    target.answer = (request, response) => {
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
    target.answer = (_request, response) => {
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
    target.answer = (request) => {
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
    target.answer = (request) => request.socket.destroy();
    const cut = await ask('/platform/v1/runs', asWindow());
    expect([cut.status, JSON.parse(cut.text).code]).toEqual([502, 'connection_unreachable']);
  });

  test('status names the connection and what answers', async () => {
    target.answer = (_request, response) => response.end('{}');
    const cookie = await signIn();
    const answer = await ask('/gateway/status', { cookie });
    const address = expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+/);
    expect(JSON.parse(answer.text)).toEqual({
      version: '0.0.0',
      connection: { id: 'embedded', name: 'This computer', kind: 'embedded' },
      lacks: [],
      services: {
        platform: { present: true, reachable: true, address, problem: null, here: true },
        studio: { present: true, reachable: true, address, problem: null, here: true },
        dashboard: {
          ...{ present: true, reachable: false, address },
          ...{ problem: 'connection_unreachable', here: true },
        },
      },
    });
    const link = await ask('/gateway/sign-in-links', { cookie }, { method: 'POST' });
    expect(link.status).toBe(201);
    expect((await fetch(JSON.parse(link.text).url, { redirect: 'manual' })).status).toBe(303);
  });

  test('stopping ends open streams', async () => {
    target.answer = (_request, response) => {
      response.writeHead(200);
      response.write('x');
    };
    const answer = await fetch(`${gateway.url}/platform/v1/stream`, { headers: asWindow() });
    await gateway.stop();
    await expect(answer.text()).rejects.toThrow();
  });
});
