import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { build, closeApps } from '../../test/support/http-app-world.ts';

closeApps();

describe('createHttpApp', () => {
  test('a body over the limit is refused before authentication, declared or chunked', async () => {
    const built = build();
    const { port } = await built.listen('127.0.0.1', 0);
    const raw = (head: string, body: string) => {
      const { promise, resolve } = Promise.withResolvers<string>();
      const socket = net.connect(port, '127.0.0.1', () => {
        socket.write(
          `POST /items HTTP/1.1\r\nhost: localhost\r\nauthorization: no\r\n${head}\r\n\r\n${body}`,
        );
      });
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk.toString();
      });
      socket.on('close', () => resolve(text));
      return promise;
    };
    expect(await raw('content-length: 201', '')).toMatch(/^HTTP\/1.1 413 /);
    const chunk = 'x'.repeat(150);
    const chunked = await raw(
      'transfer-encoding: chunked',
      `96\r\n${chunk}\r\n96\r\n${chunk}\r\n0\r\n\r\n`,
    );
    expect(chunked).toMatch(/^HTTP\/1.1 413 /);
    expect(chunked.toLowerCase()).toContain('x-request-id: minted');
  });

  /** A connection that stays open; `text` is what came so far. */
  async function connectTo(port: number, head: string) {
    const seen = { text: '' };
    const socket = net.connect(port, '127.0.0.1');
    socket.on('data', (chunk) => {
      seen.text += chunk.toString();
    });
    const closed = once(socket, 'close');
    await once(socket, 'connect');
    socket.write(head);
    return { seen, closed };
  }

  test('what is no request is answered in the envelope, with a request id (platform.md 1.3, 1.4)', async () => {
    const { port } = await build().listen('127.0.0.1', 0);
    const raw = async (text: string) => {
      const { seen, closed } = await connectTo(port, text);
      await closed;
      return seen.text;
    };
    const get = 'GET /items/exposure HTTP/1.1\r\nhost: localhost\r\n';
    for (const [status, text] of [
      [400, 'GARBAGE\r\n\r\n'],
      [400, 'BREW /items HTTP/1.1\r\nhost: localhost\r\n\r\n'],
      [400, `${get}content-length: -1\r\n\r\n`],
      [431, `${get}x-big: ${'a'.repeat(70_000)}\r\n\r\n`],
    ] as const) {
      const answer = await raw(text);
      expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      expect(answer).toContain('x-request-id: minted');
      expect(answer).toContain('content-type: application/json\r\n');
      expect(answer).toContain('{"code":"invalid","request_id":"minted"');
    }
    const close = 'connection: close\r\n\r\n';
    const served = [
      `${get}x-big: ${'a'.repeat(30_000)}\r\n${close}`,
      `${get}expect: the-unexpected\r\n${close}`,
      `GET /items/exposure HTTP/1.1\r\n${close}`,
    ];
    for (const text of served) expect(await raw(text)).toMatch(/^HTTP\/1.1 200 /);
    const query = await raw(`QUERY /items/exposure HTTP/1.1\r\nhost: localhost\r\n${close}`);
    expect(query).toMatch(/^HTTP\/1.1 405 [\s\S]*allow: GET/);
  });

  test('a content type that is none is not JSON; answers are plain application/json (platform.md 1.1)', async () => {
    const { fastify } = build();
    for (const type of ['', ';;;', 'json', 'application/', '/json', 'application/json-seq']) {
      const answer = await fastify.inject({
        method: 'POST',
        url: '/items',
        headers: { 'content-type': type },
        payload: '{"name":"n"}',
      });
      expect([type, answer.statusCode]).toEqual([type, 422]);
      expect(answer.headers['content-type']).toBe('application/json');
    }
    for (const type of ['application/json;', 'application/json; charset="utf-8"; x=']) {
      const answer = await fastify.inject({
        method: 'POST',
        url: '/items',
        headers: { 'content-type': type },
        payload: '{"name":"n"}',
      });
      expect([type, answer.statusCode]).toEqual([type, 201]);
    }
    expect((await fastify.inject('/items/exposure')).headers['content-type']).toBe(
      'application/json',
    );
    expect((await fastify.inject('/nope')).headers['content-type']).toBe('application/json');
  });

  test('an empty segment is no value of a parameter', async () => {
    const { fastify } = build();
    const get = (url: string) => fastify.inject({ url, headers: { authorization: 'no' } });
    for (const url of ['/v1/things/a/', '/things//b', '/things//', '/v1//']) {
      expect([url, (await get(url)).json()]).toEqual([
        url,
        { code: 'not_found', request_id: 'minted' },
      ]);
    }
    const slash = await get('/v1/items/?a=1');
    expect([slash.statusCode, slash.headers.location]).toEqual([307, '/v1/items?a=1']);
    expect((await fastify.inject('/things/%20/b')).json()).toEqual({ part: 'b' });
  });

  test('a stop waits for requests and for no silent connection', async () => {
    const built = build();
    const { port } = await built.listen('127.0.0.1', 0);
    const request = (path: string) => `GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`;
    const silent = await connectTo(port, '');
    const kept = await connectTo(port, request('/items/exposure'));
    const busy = await connectTo(port, request('/slow'));
    await delay(100);
    expect(kept.seen.text).toMatch(/^HTTP\/1.1 200 /);
    const begun = performance.now();
    await built.close();
    expect(performance.now() - begun).toBeLessThan(2000);
    await Promise.all([silent.closed, kept.closed, busy.closed]);
    expect(busy.seen.text).toContain('{"late":true}');
  });

  test('a request that outlives the grace of a stop is cut off', async () => {
    const built = build();
    const { port } = await built.listen('127.0.0.1', 0);
    const busy = await connectTo(port, 'GET /slow HTTP/1.1\r\nhost: localhost\r\n\r\n');
    await delay(50);
    await built.close(20);
    await busy.closed;
    expect(busy.seen.text).toBe('');
  });
});
