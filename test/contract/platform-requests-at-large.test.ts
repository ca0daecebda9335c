// What holds beyond the table of routes, and the document that describes it (contract/platform.md 1, 2, 7).
import { Validator } from '@cfworker/json-schema';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Loose } from '../support/platform.ts';
import { ids, p, ROUTES, send, shareRoutePlatform } from '../support/platform-routes.ts';
import { TINY } from '../support/specs.ts';

shareRoutePlatform();

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

/** Routes and parameters that are ours alone (the contract notes tell of each). */
const OWN_ROUTES = [
  'GET /runs/{run_id}/rerun',
  'POST /runs/{run_id}/rerun',
  'POST /runs/{run_id}/recover',
  'POST /runs/{run_id}/recover/check',
  'GET /security/credentials/needs',
  'GET /runs/{run_id}/events',
  'GET /webhooks',
  'POST /webhooks',
  'PUT /webhooks/{webhook_id}',
  'DELETE /webhooks/{webhook_id}',
  'POST /webhooks/{webhook_id}/rotate',
  'POST /webhooks/{webhook_id}/repeat',
  'GET /webhooks/deliveries',
  'GET /usage',
  'GET /runs/{run_id}/usage',
  'GET /usage/prices',
  'PUT /usage/prices',
  'GET /budgets',
  'PUT /budgets/{budget_id}',
  'DELETE /budgets/{budget_id}',
];
const OWN_QUERY: Readonly<Record<string, readonly string[]>> = {
  'GET /audit-events': ['created_after', 'created_before'],
  'GET /runs': ['count_to'],
  'GET /runs/{run_id}/trace': ['after', 'seen', 'wait_seconds'],
  'GET /runs/{run_id}/checkpoints': ['states'],
};

describe('the OpenAPI document (1.1, RP-085)', () => {
  let document: Loose;
  beforeAll(async () => {
    document = (await p.get('/openapi.json', { key: null })).body;
  });

  test('names every route in both mountings, and no other', () => {
    const listed = Object.entries<Loose>(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const routes = [...ROUTES.map(({ method, path }) => `${method} ${path}`), ...OWN_ROUTES];
    const expected = routes.flatMap((line) => [line, line.replace(' /', ' /v1/')]);
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
      expect(of('query')).toEqual(
        [...(row.query ?? []), ...(OWN_QUERY[`${row.method} ${row.path}`] ?? [])].sort(),
      );
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
