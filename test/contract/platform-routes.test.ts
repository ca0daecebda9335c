// Every route against the rules that hold for all of them (contract/platform.md 1, 2, 7).
import { Validator } from '@cfworker/json-schema';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Answer,
  type Loose,
  startTestPlatform,
  type TestPlatform,
} from '../support/platform.ts';
import { TINY } from '../support/specs.ts';

const ASKING = {
  version: 'v1',
  agent: { name: 'desk' },
  workflow: {
    type: 'sequential',
    name: 'gate',
    steps: [
      { id: 'check', kind: 'human', ref: 'lead' },
      { id: 'close', kind: 'agent', ref: 'writer' },
    ],
  },
  components: { agents: { writer: { name: 'writer' } }, humans: { lead: { description: 'Ok?' } } },
};

interface Row {
  readonly method: string;
  readonly path: string;
  readonly scope: string | null;
  readonly query?: readonly string[];
  readonly body?: unknown;
}

const LIST = ['limit', 'offset', 'sort_by', 'sort_order'];

/** The table of contract/platform.md 2. */
const ROUTES: readonly Row[] = [
  { method: 'POST', path: '/runs', scope: 'runs:write', body: { input: 'x', spec: TINY } },
  {
    method: 'GET',
    path: '/runs',
    scope: 'runs:read',
    query: [
      'status',
      'workflow_kind',
      'workflow_name',
      'session_id',
      'has_error',
      'created_after',
      'created_before',
      'q',
      ...LIST,
    ],
  },
  { method: 'GET', path: '/runs/{run_id}', scope: 'runs:read' },
  { method: 'POST', path: '/runs/{run_id}/cancel', scope: 'runs:write' },
  { method: 'POST', path: '/runs/{run_id}/continue', scope: 'runs:write' },
  { method: 'GET', path: '/runs/{run_id}/recovery', scope: 'runs:read' },
  { method: 'GET', path: '/runs/{run_id}/replay', scope: 'runs:read' },
  { method: 'GET', path: '/runs/{run_id}/graph', scope: 'runs:read' },
  { method: 'GET', path: '/runs/{run_id}/policy-report', scope: 'runs:read' },
  {
    method: 'GET',
    path: '/runs/{run_id}/trace',
    scope: 'runs:read',
    query: ['event_type', ...LIST],
  },
  {
    method: 'GET',
    path: '/runs/{run_id}/checkpoints',
    scope: 'runs:read',
    query: ['type', ...LIST],
  },
  {
    method: 'GET',
    path: '/runs/{run_id}/checkpoints/diff',
    scope: 'runs:read',
    query: ['from_sequence', 'to_sequence'],
  },
  { method: 'POST', path: '/specs/run', scope: 'runs:write', body: { input: 'x', spec: TINY } },
  { method: 'POST', path: '/specs/validate', scope: 'specs:read', body: { spec: TINY } },
  { method: 'POST', path: '/specs/compile', scope: 'specs:read', body: { spec: TINY } },
  { method: 'POST', path: '/specs/explain', scope: 'specs:read', body: { spec: TINY } },
  { method: 'POST', path: '/specs/graph', scope: 'specs:read', body: { spec: TINY } },
  { method: 'POST', path: '/specs/policy-report', scope: 'specs:read', body: { spec: TINY } },
  { method: 'GET', path: '/skills', scope: 'specs:read', query: LIST },
  {
    method: 'GET',
    path: '/human-tasks',
    scope: 'human:read',
    query: ['run_id', 'workflow_kind', 'status', ...LIST],
  },
  { method: 'GET', path: '/human-tasks/{continuation_id}', scope: 'human:read' },
  {
    method: 'POST',
    path: '/human-tasks/{continuation_id}/resume',
    scope: 'human:write',
    body: { request_id: 'x', decision: 'approved' },
  },
  {
    method: 'GET',
    path: '/audit-events',
    scope: 'audit:read',
    query: ['event_type', 'run_id', ...LIST],
  },
  {
    method: 'GET',
    path: '/security/credentials',
    scope: 'credentials:read',
    query: ['providers', 'extras', 'include_service_tokens'],
  },
  { method: 'GET', path: '/policies/environment', scope: 'policies:read' },
  { method: 'GET', path: '/policies/environment/{environment}', scope: 'policies:read' },
  { method: 'PUT', path: '/policies/environment/{environment}', scope: 'policies:write', body: {} },
  {
    method: 'POST',
    path: '/policies/environment/{environment}/preview',
    scope: 'policies:read',
    body: {},
  },
  { method: 'GET', path: '/healthz', scope: null },
  { method: 'GET', path: '/livez', scope: null },
  { method: 'GET', path: '/readyz', scope: null },
];

/** The table of contract/platform.md 7. */
const ROLES: Readonly<Record<string, readonly string[]>> = {
  operator: [
    'runs:read',
    'runs:write',
    'specs:read',
    'human:read',
    'audit:read',
    'credentials:read',
    'policies:read',
    'policies:write',
  ],
  service: [
    'runs:read',
    'runs:write',
    'specs:read',
    'human:read',
    'human:write',
    'audit:read',
    'credentials:read',
    'policies:read',
  ],
  reviewer: ['runs:read', 'human:read', 'human:write', 'audit:read'],
  viewer: ['runs:read', 'specs:read', 'human:read', 'audit:read'],
};

let p: TestPlatform;
let ids: Readonly<Record<string, string>>;

/** Keys of every role, of every scope alone, and of all scopes but one. */
function apiKeys(): string {
  const roles = ['admin', ...Object.keys(ROLES)].map((role) => `${role}:${role}-key:${role}`);
  const scopes = [...new Set(Object.values(ROLES).flat())];
  const single = scopes.flatMap((scope) => {
    const name = scope.replace(':', '-');
    const others = scopes.filter((other) => other !== scope).join(',');
    return [`only-${name}:only-${name}:${scope}`, `without-${name}:without-${name}:${others}`];
  });
  return [...roles, ...single].join(';');
}

function keyOf(row: Row): string {
  return (row.scope ?? '').replace(':', '-');
}

beforeAll(async () => {
  p = await startTestPlatform({
    env: { SERV_SWEEP_INTERVAL_SECONDS: '0', SERV_API_KEYS: apiKeys() },
  });
  const blocked = await p.post('/v1/runs', { input: 'x', spec: ASKING });
  ids = {
    run_id: blocked.body.run_id,
    continuation_id: blocked.body.continuation_id,
    environment: 'staging',
  };
});
afterAll(() => p.stop());

function pathOf(row: Row, over: Readonly<Record<string, string>> = {}): string {
  return row.path.replace(/\{(\w+)\}/g, (_all, name: string) => over[name] ?? ids[name] ?? '');
}

function send(row: Row, options: Loose = {}, prefix = '/v1', suffix = ''): Promise<Answer> {
  return p.call(row.method, `${prefix}${pathOf(row, options.ids)}${suffix}`, {
    ...(row.body === undefined ? {} : { body: row.body }),
    ...options,
  });
}

const named = ROUTES.map((row) => [`${row.method} ${row.path}`, row] as const);
const guarded = named.filter(([, row]) => row.scope !== null);

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

describe('beyond the table', () => {
  test('a body over the cap is 413 before route and key (2.1)', async () => {
    const raw = 'x'.repeat(1_048_577);
    for (const [method, route] of [
      ['POST', '/v1/nowhere'],
      ['DELETE', '/v1/runs'],
      ['PUT', '/v1/policies/environment/x'],
      ['POST', '/runs/?x=1'],
    ] as const) {
      const answer = await p.call(method, route, { raw, key: null });
      expect([route, answer.status]).toEqual([route, 413]);
      expect(answer.body.detail.max_body_bytes).toBe(1_048_576);
      expect(answer.headers.get('x-request-id')).not.toBeNull();
    }
    const fits = `{"input":"x","spec":${JSON.stringify(TINY)}}`;
    const exact = fits + ' '.repeat(1_048_576 - fits.length);
    expect((await p.call('POST', '/v1/runs', { raw: exact })).status).toBe(200);
  });

  test('a body of any depth is answered: up to 1,000 levels it is read', async () => {
    const nested = (levels: number, open = '{"a":', close = '}') =>
      `${open.repeat(levels)}1${close.repeat(levels)}`;
    for (const levels of [900, 1001, 20_000]) {
      for (const raw of [
        `{"input":"x","spec":${nested(levels)}}`,
        `{"input":"x","spec":${JSON.stringify(TINY)},"metadata":{"a":${nested(levels / 2, '[', ']')}}}`,
        `{"input":"x","spec":${JSON.stringify(TINY)},"overrides":${nested(levels)}}`,
        nested(levels),
      ]) {
        const answer = await p.call('POST', '/v1/runs', { raw });
        expect([raw.slice(0, 40), levels, answer.status]).not.toContain(500);
        if (levels === 20_000) expect(answer.body.detail.error).toBe('request_invalid');
      }
    }
    const quoted = JSON.stringify({ input: '[{'.repeat(3000), spec: TINY });
    expect((await p.call('POST', '/v1/runs', { raw: quoted })).status).toBe(200);
    const escaped = JSON.stringify({ input: '\\"['.repeat(3000), spec: TINY });
    expect((await p.call('POST', '/v1/runs', { raw: escaped })).status).toBe(200);
  });

  test('what exists at the root only (1.1)', async () => {
    for (const route of ['/metrics', '/openapi.json']) {
      expect((await p.get(route, { key: null })).status).toBe(200);
      expect((await p.get(`/v1${route}`, { key: null })).status).toBe(404);
      for (const method of ['POST', 'DELETE', 'HEAD']) {
        const answer = await p.call(method, route, { key: null });
        expect([route, method, answer.status]).toEqual([route, method, 405]);
        expect(answer.headers.get('allow')).toBe('GET');
      }
    }
    const unknown = await p.get('/v1/runs/a/b/c', { key: null });
    expect(unknown.status).toBe(404);
    expect(unknown.body).toEqual({ detail: { error: 'not_found', message: expect.any(String) } });
    expect((await p.get('/v2/runs')).status).toBe(404);
    expect((await p.get('/v1/v1/runs')).status).toBe(404);
  });

  test('probes take any query at both mountings, also a repeated one (2.2)', async () => {
    for (const name of ['healthz', 'livez', 'readyz']) {
      for (const prefix of ['', '/v1']) {
        const answer = await p.get(`${prefix}/${name}?a=1&a=2&limit=0`, { key: null });
        expect(answer.status).toBe(200);
        expect(answer.body).toMatchObject({ ok: true, version: '1.2.0' });
      }
    }
  });

  test('path segments are decoded after routing (1.1)', async () => {
    for (const name of ['a/b', 'a b', 'ü', '%', 'diff', 'a?b#c']) {
      const at = `/v1/policies/environment/${encodeURIComponent(name)}`;
      const answer = await p.call('PUT', at, { body: { require_guardrails: true } });
      expect([name, answer.status, answer.body.environment]).toEqual([name, 200, name]);
      expect((await p.get(at)).body.policy.require_guardrails).toBe(true);
    }
    const long = await p.get(`/v1/policies/environment/${'e'.repeat(129)}`);
    expect(long.status).toBe(422);
    expect(long.body.detail.errors[0].loc).toEqual(['path', 'environment']);
    expect((await p.get(`/v1/policies/environment/${'e'.repeat(128)}`)).status).toBe(200);
    const run = await p.get(`/v1/runs/${encodeURIComponent('a/b')}`);
    expect(run.status).toBe(404);
    for (const broken of ['/v1/runs/%zz', '/%', `/v1/runs/${'a'.repeat(5000)}`, '//v1/runs']) {
      const answer = await p.get(broken);
      expect(answer.status).toBe(404);
      expect(answer.body.detail.error).toBe('not_found');
      expect(answer.headers.get('x-request-id')).not.toBeNull();
    }
  });

  test('the last of a repeated scalar counts (1.1)', async () => {
    const answer = await p.get('/v1/runs?limit=0&limit=2&sort_order=up&sort_order=asc');
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ limit: 2, sort_order: 'asc' });
  });

  test('values in every spelling of the contract (1.6)', async () => {
    for (const text of ['true', 'TRUE', '1', 'Yes', 'on', 't', 'Y']) {
      expect((await p.get(`/v1/runs?has_error=${text}`)).status).toBe(200);
      const body = { input: 'x', spec: TINY, async_mode: text };
      expect((await p.post('/v1/runs', body)).status).toBe(202);
    }
    for (const text of ['maybe', '', '2']) {
      const answer = await p.get(`/v1/runs?has_error=${text}`);
      expect(answer.body.detail.errors[0]).toMatchObject({
        loc: ['query', 'has_error'],
        type: 'bool_parsing',
      });
    }
    const types: readonly [Loose, readonly (string | number)[], string][] = [
      [{ input: 5 }, ['body', 'input'], 'string_type'],
      [{ input: null }, ['body', 'input'], 'string_type'],
      [{ overlays: null }, ['body', 'overlays'], 'list_type'],
      [{ overlays: [1] }, ['body', 'overlays', 0], 'string_type'],
      [{ async_mode: null }, ['body', 'async_mode'], 'bool_parsing'],
      [{ metadata: [] }, ['body', 'metadata'], 'dict_type'],
      [{ target: 'x' }, ['body', 'target'], 'literal_error'],
      [{ timeout: 0 }, ['body', 'timeout'], 'greater_than'],
      [{ spec_path: '../x' }, ['body', 'spec_path'], 'value_error'],
      [{ input: 'x'.repeat(20_001) }, ['body', 'input'], 'string_too_long'],
      [{ session_id: 'x'.repeat(4097) }, ['body', 'session_id'], 'string_too_long'],
      [{ environment: 'x'.repeat(4097) }, ['body', 'environment'], 'string_too_long'],
      [{ skills: { add: [], zzz: 1 } }, ['body', 'skills', 'zzz'], 'extra_forbidden'],
    ];
    for (const [over, loc, type] of types) {
      const answer = await p.post('/v1/runs', { input: 'x', spec: TINY, ...over });
      expect(answer.status).toBe(422);
      expect(answer.body.detail.errors).toEqual([{ loc, msg: expect.any(String), type }]);
      expect(answer.body.detail.message).toContain(loc.join('.'));
    }
    const several = await p.post('/v1/runs', { zzz: 1, target: 'x' });
    const locs = several.body.detail.errors.map((issue: Loose) => issue.loc.join('.')).sort();
    expect(locs).toEqual(['body.input', 'body.target', 'body.zzz']);
    for (const limit of ['x', '', '1.5', '1e2']) {
      expect((await p.get(`/v1/runs?limit=${limit}`)).body.detail.errors[0].type).toBe(
        'int_parsing',
      );
    }
  });

  test('every list has the one envelope and its own defaults (1.5)', async () => {
    const lists = [
      ['/runs', 'runs', 'updated_at', 'desc'],
      [`/runs/${ids['run_id']}/checkpoints`, 'checkpoints', 'sequence', 'asc'],
      [`/runs/${ids['run_id']}/trace`, 'events', 'timestamp', 'asc'],
      ['/audit-events', 'events', 'created_at', 'desc'],
      ['/skills', 'skills', 'name', 'asc'],
      ['/human-tasks', 'tasks', 'id', 'asc'],
    ] as const;
    for (const [route, name, sortBy, order] of lists) {
      const all = await p.get(`/v1${route}`);
      const items = all.body[name];
      expect(all.body).toMatchObject({
        count: items.length,
        window: 10_000,
        limit: 100,
        offset: 0,
        sort_by: sortBy,
        sort_order: order,
      });
      expect(all.body.total).toBeGreaterThanOrEqual(items.length);
      const beyond = await p.get(`/v1${route}?offset=10000&limit=1000`);
      expect(beyond.body).toMatchObject({ count: 0, total: all.body.total, offset: 10_000 });
      const one = await p.get(`/v1${route}?limit=1&offset=0`);
      expect(one.body).toMatchObject({ count: Math.min(1, items.length), total: all.body.total });
      for (const sort of ['nowhere', 'metadata.duration_ms', '__proto__', '', 'a..b']) {
        for (const direction of ['asc', 'desc']) {
          const at = `/v1${route}?sort_by=${sort}&sort_order=${direction}`;
          const sorted = await p.get(at);
          expect([at, sorted.status, sorted.body.sort_by]).toEqual([at, 200, sort]);
          expect(sorted.body.count).toBe(items.length);
        }
      }
      for (const bad of ['limit=0', 'limit=1001', 'offset=-1', 'offset=10001', 'sort_order=up']) {
        const answer = await p.get(`/v1${route}?${bad}`);
        expect(answer.status).toBe(422);
        expect(answer.body.detail.errors[0].loc).toEqual(['query', bad.split('=')[0]]);
      }
    }
  });
});

describe('the OpenAPI document (1.1, RP-085)', () => {
  let document: Loose;
  beforeAll(async () => {
    document = (await p.get('/openapi.json', { key: null })).body;
  });

  test('names every route in both mountings, and no other', () => {
    const listed = Object.entries<Loose>(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const own = ['GET /runs/{run_id}/rerun', 'POST /runs/{run_id}/rerun'];
    const expected = [...ROUTES.map(({ method, path }) => `${method} ${path}`), ...own].flatMap(
      (line) => [line, line.replace(' /', ' /v1/')],
    );
    expect(listed.filter((line) => line !== 'GET /metrics').sort()).toEqual(expected.sort());
  });

  test('its parameters are those of the table; each path parameter is declared', () => {
    for (const row of ROUTES) {
      const operation = document.paths[`/v1${row.path}`][row.method.toLowerCase()];
      const of = (place: string): string[] =>
        operation.parameters
          .filter((item: Loose) => item.in === place)
          .map((item: Loose) => item.name)
          .sort();
      expect(of('query')).toEqual([...(row.query ?? [])].sort());
      expect(of('path')).toEqual([...row.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]));
      expect(operation.requestBody !== undefined).toBe(row.body !== undefined);
    }
  });

  test('what the routes answer is what it says, with no member beside (RP-028, RP-086)', async () => {
    const told: string[] = [];
    for (const row of ROUTES) {
      const answer = await send(row);
      const operation = document.paths[`/v1${row.path}`][row.method.toLowerCase()];
      const { schema } = (operation.responses[answer.status] ?? operation.responses.default)
        .content['application/json'];
      const whole = { ...schema, components: document.components };
      const { valid, errors } = new Validator(whole, '2020-12', false).validate(answer.body);
      if (!valid)
        told.push(`${row.method} ${row.path} ${answer.status}: ${JSON.stringify(errors)}`);
    }
    expect(told).toEqual([]);
  });

  test('every reference leads somewhere and every operation has one id', () => {
    const seen: string[] = [];
    const missing: string[] = [];
    const walk = (value: Loose): void => {
      if (typeof value !== 'object' || value === null) return;
      if (typeof value.$ref === 'string') {
        let at: Loose = document;
        for (const part of value.$ref.replace(/^#\/?/, '').split('/')) {
          at = at?.[part.replaceAll('~1', '/').replaceAll('~0', '~')];
        }
        if (at === undefined || !value.$ref.startsWith('#/')) missing.push(value.$ref);
      }
      if (typeof value.operationId === 'string') seen.push(value.operationId);
      for (const item of Object.values(value)) walk(item);
    };
    walk(document);
    expect([...new Set(missing)]).toEqual([]);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.length).toBeGreaterThan(60);
  });
});
