// Every route against the rules that hold for all of them (contract/platform.md 1, 2, 7).
import { describe, expect, test } from 'vitest';
import {
  guarded,
  keyOf,
  named,
  p,
  pathOf,
  ROLES,
  ROUTES,
  send,
  shareRoutePlatform,
} from '../support/platform-routes.ts';
import { TINY } from '../support/specs.ts';

shareRoutePlatform();

describe.each(guarded)('%s', (_name, row) => {
  test('no key and an unknown key are 401, before everything but size and route (2.1)', async () => {
    for (const key of [null, 'nope']) {
      for (const prefix of ['/v1', '']) {
        const answer = await send(
          row,
          { key, raw: row.method === 'GET' ? undefined : '{{' },
          prefix,
        );
        expect(answer.status).toBe(401);
        expect(answer.body.detail.error).toBe('unauthorized');
        expect(answer.headers.get('www-authenticate')).toBe('Bearer');
        expect(answer.headers.get('x-request-id')).not.toBeNull();
      }
    }
  });

  test.each(Object.entries(ROLES))(
    '%s is let in by its scopes only (7) (RP-064, RP-089)',
    async (role, scopes) => {
      const answer = await send(row, { key: `${role}-key` }, '/v1', '?zzz=1');
      if (scopes.includes(row.scope ?? '')) {
        expect(answer.status).toBe(422);
        expect(answer.body.detail.error).toBe('unknown_query_parameters');
      } else {
        expect(answer.status).toBe(403);
        expect(answer.body.detail).toMatchObject({ error: 'forbidden', required_scope: row.scope });
      }
    },
  );

  test('a key with that scope alone is let in, a key with all others is not (7)', async () => {
    const at = `/v1${pathOf(row)}?zzz=1`;
    const body = row.body === undefined ? {} : { body: row.body };
    const alone = await p.call(row.method, at, { ...body, key: `only-${keyOf(row)}` });
    expect(alone.status).toBe(422);
    const rest = await p.call(row.method, at, { ...body, key: `without-${keyOf(row)}` });
    expect(rest.status).toBe(403);
    expect(rest.body.detail.required_scope).toBe(row.scope);
  });

  test('unknown query parameters are refused by name, sorted, before key length and body (2.1)', async () => {
    for (const prefix of ['/v1', '']) {
      const answer = await send(
        row,
        {
          headers: { 'idempotency-key': 'k'.repeat(257) },
          raw: row.method === 'GET' ? undefined : '{{',
        },
        prefix,
        '?zb=1&za=2&limit=0',
      );
      const known = row.query ?? [];
      const unknown = ['limit', 'za', 'zb'].filter((name) => !known.includes(name));
      expect(answer.status).toBe(422);
      expect(answer.body.detail).toMatchObject({ error: 'unknown_query_parameters', unknown });
    }
  });

  test('every parameter of the table is known (2)', async () => {
    const values: Readonly<Record<string, string>> = {
      has_error: 'true',
      created_after: '2026-01-01',
      created_before: '2026-01-01',
      limit: '3',
      offset: '0',
      sort_order: 'asc',
      status: 'pending',
      from_sequence: '1',
      to_sequence: '2',
      include_service_tokens: 'f',
    };
    for (const name of row.query ?? []) {
      const answer = await send(row, {}, '/v1', `?${name}=${values[name] ?? 'x'}`);
      expect([name, answer.status]).toEqual([name, 200]);
    }
  });

  test('a key over 256 characters is 400 before the body is looked at (2.1)', async () => {
    const headers = { 'idempotency-key': 'k'.repeat(257) };
    const answer = await send(row, { headers, raw: row.method === 'GET' ? undefined : '{{' });
    expect(answer.status).toBe(400);
    expect(answer.body.detail.error).toBe('invalid_idempotency_key');
  });

  test('unknown ids are 404 and never named (4.1)', async () => {
    if (!/\{(run|continuation)_id\}/.test(row.path)) return;
    const gone = { run_id: 'no-such-one', continuation_id: 'no-such-one' };
    const answer = await send(row, { ids: gone });
    expect(answer.status).toBe(404);
    expect(answer.body.detail.error).toBe('not_found');
    expect(answer.text).not.toContain('no-such-one');
  });

  test('an unknown or ill-typed body is 422 without its input (1.4)', async () => {
    if (row.body === undefined) return;
    for (const raw of ['{"zzz":"sesame"', '["sesame"]', '"sesame"', '{"zzz":"sesame"}', '\u0000']) {
      const answer = await send(row, { raw });
      expect([raw, answer.status]).toEqual([raw, 422]);
      expect(answer.body.detail.error).toBe('request_invalid');
      expect(answer.body.detail.errors[0].loc[0]).toBe('body');
      expect(answer.body.detail.errors[0]).toEqual({
        loc: expect.any(Array),
        msg: expect.any(String),
        type: expect.any(String),
      });
      expect(answer.text).not.toContain('sesame');
    }
    const missing = await send({ ...row, body: undefined });
    expect(missing.status).toBe(422);
    expect(missing.body.detail.errors[0]).toMatchObject({ loc: ['body'], type: 'missing' });
    const text = await send(row, { headers: { 'content-type': 'text/plain' } });
    expect(text.status).toBe(422);
  });

  test('a body where none is wanted is ignored, whatever it is (2)', async () => {
    if (row.body !== undefined || row.method === 'GET') return;
    const run = await p.post('/v1/runs', { input: 'x', spec: TINY });
    const plain = await send(row, { ids: { run_id: run.body.run_id } });
    for (const options of [
      { raw: '{{' },
      { raw: '{"zzz":1}' },
      { raw: 'hello', headers: { 'content-type': 'text/plain' } },
    ]) {
      const answer = await send(row, { ...options, ids: { run_id: run.body.run_id } });
      expect([options.raw, answer.status]).toEqual([options.raw, plain.status]);
    }
  });
});

describe.each(named)('%s', (_name, row) => {
  test('both mountings answer alike; a slash at the end redirects (1.1) (RP-157)', async () => {
    if (row.method !== 'GET') return;
    const [a, b] = [await send(row, {}, '/v1'), await send(row, {}, '')];
    expect(a.status).toBe(200);
    expect(b.status).toBe(200);
    expect(Object.keys(b.body).sort()).toEqual(Object.keys(a.body).sort());
    for (const prefix of ['/v1', '']) {
      const slash = await send(row, { key: null }, prefix, '/?x=1');
      expect(slash.status).toBe(307);
      expect(slash.headers.get('location')).toBe(`${prefix}${pathOf(row)}?x=1`);
    }
  });

  test('other methods are 405 with the allowed ones, without a key (1.1, 2.1)', async () => {
    const allowed = ROUTES.filter((other) => other.path === row.path).map(({ method }) => method);
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']) {
      if (allowed.includes(method)) continue;
      const answer = await p.call(method, `/v1${pathOf(row)}`, { key: null });
      expect([method, answer.status]).toEqual([method, 405]);
      expect(answer.headers.get('allow')).toBe(allowed.sort().join(', '));
      expect(answer.headers.get('x-request-id')).not.toBeNull();
      if (method !== 'HEAD') expect(answer.body.detail.error).toBe('method_not_allowed');
    }
  });
});
