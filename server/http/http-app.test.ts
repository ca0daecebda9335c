import { describe, expect, test } from 'vitest';
import { build, closeApps, json } from '../../test/support/http-app-world.ts';

closeApps();

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
});
