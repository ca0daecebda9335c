import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { lenientBoolean, lenientInteger } from '../contract/fields.ts';
import { defineRoute } from '../contract/route.ts';
import { type ErrorTable, refusalsOf } from '../kernel/refusal.ts';
import { answer } from './answer.ts';
import { createHttpApp, type HttpApp } from './http-app.ts';

const ERRORS = {
  not_found: { status: 404, message: 'No such thing.' },
  method_not_allowed: { status: 405, message: 'Use another method.' },
  too_large: { status: 413, message: 'Too large.' },
  invalid: { status: 422, message: 'Invalid.' },
  unauthorized: { status: 401, message: 'Who are you?' },
  internal: { status: 500, message: 'Something broke.' },
  busy: { status: 503, message: 'Busy.', retryAfter: 5 },
} satisfies ErrorTable;
const refuse = refusalsOf(ERRORS);

const item = defineRoute({
  id: 'items.read',
  service: 'studio',
  method: 'GET',
  path: '/items/{ref+}',
  summary: 'Read an item',
  params: z.object({ ref: z.string() }),
  query: z.object({
    limit: lenientInteger({ min: 1, max: 10 }).prefault(5),
    tag: z.array(z.string()).default([]),
  }),
  responses: { 200: z.object({ ref: z.string(), limit: z.number(), tag: z.array(z.string()) }) },
  access: 'read',
});
const drop = defineRoute({
  id: 'items.drop',
  service: 'studio',
  method: 'DELETE',
  path: '/items/{ref+}/registration',
  summary: 'Drop',
  params: z.object({ ref: z.string() }),
  responses: { 204: null },
  access: 'read',
});
const fixed = defineRoute({
  id: 'items.fixed',
  service: 'studio',
  method: 'GET',
  path: '/items/exposure',
  summary: 'Fixed',
  responses: { 200: z.object({ fixed: z.literal(true) }) },
  access: 'read',
});
const one = defineRoute({
  id: 'things.read',
  service: 'studio',
  method: 'GET',
  path: '/things/{thing_id}/{part}',
  summary: 'Read a part',
  params: z.object({ thing_id: z.string(), part: z.string() }),
  responses: { 200: z.object({ part: z.string() }) },
  access: 'read',
});
const slow = defineRoute({
  id: 'things.slow',
  service: 'studio',
  method: 'GET',
  path: '/slow',
  summary: 'Answers late',
  responses: { 200: z.object({ late: z.literal(true) }) },
  access: 'read',
});
const create = defineRoute({
  id: 'items.create',
  service: 'studio',
  method: 'POST',
  path: '/items',
  summary: 'Create',
  body: z.strictObject({ name: z.string().min(1), on: lenientBoolean().prefault(false) }),
  responses: { 201: z.object({ name: z.string(), on: z.boolean() }) },
  access: 'write',
});
const odd = defineRoute({
  id: 'items.odd',
  service: 'studio',
  method: 'POST',
  path: '/odd',
  summary: 'Odd',
  responses: { 202: z.object({ n: z.number() }), 200: z.object({ n: z.number() }) },
  access: 'write',
});

let app: HttpApp<string> | undefined;
afterEach(async () => {
  await app?.close();
});

function build(bodyLimit = 200): HttpApp<string> {
  const built = createHttpApp<string>({
    prefixes: ['/v1', ''],
    bodyLimit,
    requestId: (incoming) => incoming ?? 'minted',
    envelope: (failure, requestId) => ({
      code: failure.code,
      request_id: requestId,
      ...failure.details,
    }),
    refusals: {
      notFound: () => refuse('not_found'),
      methodNotAllowed: () => refuse('method_not_allowed'),
      tooLarge: (limit) => refuse('too_large', { details: { limit } }),
      invalid: (issues) => refuse('invalid', { details: { errors: issues } }),
      internal: () => refuse('internal'),
    },
    beforeBody: (_route, request) => {
      if (request.headers.authorization === 'no') throw refuse('unauthorized');
      return 'me';
    },
    trailingSlashRedirect: true,
    requireJsonType: true,
    checkResponses: true,
  });
  built.implement(item, ({ params, query }) => ({
    ref: params.ref,
    limit: query.limit,
    tag: query.tag,
  }));
  built.implement(one, ({ params }) => ({ part: params.part }));
  built.implement(slow, async () => {
    await delay(300);
    return { late: true as const };
  });
  built.implement(drop, () => answer(undefined));
  built.implement(fixed, () => ({ fixed: true as const }));
  built.implement(create, ({ body }) => body);
  built.implement(odd, (_input, { headers }) => {
    if (headers['x-mode'] === 'busy') throw refuse('busy');
    if (headers['x-mode'] === 'crash') throw new Error('secret text');
    return answer({ n: 1 }, { status: 200, headers: { 'x-extra': 'yes' } });
  });
  app = built;
  return built;
}

const json = { 'content-type': 'application/json' };

describe('createHttpApp', () => {
  test('greedy parameters hold slashes, literal routes win, suffixes match', async () => {
    const { fastify } = build();
    expect((await fastify.inject('/v1/items/a/b%20c.yaml?limit=7&tag=x&tag=y')).json()).toEqual({
      ref: 'a/b c.yaml',
      limit: 7,
      tag: ['x', 'y'],
    });
    expect((await fastify.inject('/items/exposure')).json()).toEqual({ fixed: true });
    const dropped = await fastify.inject({
      method: 'DELETE',
      url: '/items/a/b/registration',
      headers: json,
    });
    expect([dropped.statusCode, dropped.body]).toEqual([204, '']);
  });

  test('unknown path 404, wrong method 405 with Allow, trailing slash 307, each with a request id', async () => {
    const { fastify } = build();
    const missing = await fastify.inject({ url: '/nope', headers: { 'x-request-id': 'mine' } });
    expect([missing.statusCode, missing.json(), missing.headers['x-request-id']]).toEqual([
      404,
      { code: 'not_found', request_id: 'mine' },
      'mine',
    ]);
    const wrong = await fastify.inject({ method: 'PUT', url: '/v1/items' });
    expect([wrong.statusCode, wrong.headers.allow]).toEqual([405, 'POST']);
    const head = await fastify.inject({ method: 'HEAD', url: '/items/exposure' });
    expect(head.statusCode).toBe(405);
    const slash = await fastify.inject({ method: 'POST', url: '/v1/items/?a=1' });
    expect([slash.statusCode, slash.headers.location]).toEqual([307, '/v1/items?a=1']);
  });

  test('all findings of a request come in one answer, without the input', async () => {
    const { fastify } = build();
    const bad = await fastify.inject({
      method: 'POST',
      url: '/items',
      headers: json,
      payload: { on: 'maybe', extra: 'hidden value' },
    });
    expect(bad.statusCode).toBe(422);
    expect(bad.json().errors.map((e: { loc: unknown; type: string }) => [e.loc, e.type])).toEqual([
      [['body', 'name'], 'missing'],
      [['body', 'on'], 'bool_parsing'],
      [['body', 'extra'], 'extra_forbidden'],
    ]);
    expect(bad.body).not.toContain('hidden value');
    const query = await fastify.inject('/items/x?limit=11');
    expect(query.json().errors[0]).toMatchObject({
      loc: ['query', 'limit'],
      type: 'less_than_equal',
    });
  });

  test('of many findings a thousand are told; unknown names are told one by one', async () => {
    const { fastify } = build(1_000_000);
    const post = async (payload: object) => {
      const answer = await fastify.inject({
        method: 'POST',
        url: '/items',
        headers: json,
        payload,
      });
      expect(answer.statusCode).toBe(422);
      return answer.json().errors;
    };
    const keys = Array.from({ length: 3000 }, (_, i) => [`k${i}`, 'hidden value']);
    const many = await post({ name: '', ...Object.fromEntries(keys) });
    expect(many).toHaveLength(1000);
    expect(many[0]).toMatchObject({ loc: ['body', 'name'], type: 'string_too_short' });
    expect(many[999]).toMatchObject({ loc: ['body', 'k998'], type: 'extra_forbidden' });
    expect(JSON.stringify(many)).not.toContain('hidden value');
  });

  test.each([
    ['levels', `${'['.repeat(1001)}${']'.repeat(1001)}`, '1000 levels'],
    ['values', `[${'0,'.repeat(150_000)}0]`, '150000 values'],
    [
      'names',
      `{${Array.from({ length: 20_001 }, (_, i) => `"k${i}":0`).join(',')}}`,
      '20000 different names',
    ],
  ])('a body of too many %s is refused before it is read', async (_what, payload, words) => {
    const { fastify } = build(1_000_000);
    const answer = await fastify.inject({ method: 'POST', url: '/items', headers: json, payload });
    expect(answer.json().errors).toEqual([
      { loc: ['body'], msg: expect.stringContaining(words), type: 'json_invalid' },
    ]);
  });

  test('malformed JSON is a finding after authentication; an empty JSON body is no body', async () => {
    const { fastify } = build();
    const payload = '{"name": ';
    const anonymous = await fastify.inject({
      method: 'POST',
      url: '/items',
      headers: { ...json, authorization: 'no' },
      payload,
    });
    expect(anonymous.statusCode).toBe(401);
    const broken = await fastify.inject({ method: 'POST', url: '/items', headers: json, payload });
    expect(broken.json().errors[0]).toMatchObject({
      loc: ['body', expect.any(Number)],
      type: 'json_invalid',
    });
    const empty = await fastify.inject({
      method: 'POST',
      url: '/items',
      headers: json,
      payload: '',
    });
    expect(empty.json().errors).toEqual([
      { loc: ['body'], msg: 'Field required', type: 'missing' },
    ]);
    const created = await fastify.inject({
      method: 'POST',
      url: '/items',
      headers: json,
      payload: { name: 'n', on: 'yes' },
    });
    expect([created.statusCode, created.json()]).toEqual([201, { name: 'n', on: true }]);
  });

  test('other statuses, headers, Retry-After and unexpected errors', async () => {
    const { fastify } = build();
    const extra = await fastify.inject({ method: 'POST', url: '/odd' });
    expect([extra.statusCode, extra.headers['x-extra']]).toEqual([200, 'yes']);
    const busy = await fastify.inject({
      method: 'POST',
      url: '/odd',
      headers: { 'x-mode': 'busy' },
    });
    expect([busy.statusCode, busy.headers['retry-after']]).toEqual([503, '5']);
    const crash = await fastify.inject({
      method: 'POST',
      url: '/odd',
      headers: { 'x-mode': 'crash' },
    });
    expect([crash.statusCode, crash.body.includes('secret')]).toEqual([500, false]);
  });

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
