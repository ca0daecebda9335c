import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { readDashboardConfig } from '../../server/dashboard/config.ts';
import { startDashboard } from '../../server/dashboard/service.ts';
import {
  ask,
  dashboard,
  folder,
  freshDashboards,
  get,
  MIGRATIONS,
  NOW,
  platform,
  run,
  runPage,
  send,
} from '../support/dashboard-world.ts';
import { failure } from '../support/fake-platform.ts';

freshDashboards();

describe('start and configuration', () => {
  test('1 static mode needs dev mode; /me is the static operator (OD-016, OD-140, OD-141, OD-049)', async () => {
    expect(() => dashboard({ env: { DASH_DEV_MODE: '' } })).toThrow(/DASH_DEV_MODE/);
    const { body } = await get(dashboard(), '/api/me');
    expect(body).toEqual({
      identity: 'static-operator',
      role: 'admin',
      capabilities: [
        'annotate',
        'audit.read',
        'credentials.read',
        'filter.write',
        'launch',
        'policy.write',
        'run.control',
        'settings.write',
      ],
      environments: null,
      auth_mode: 'static',
    });
  });

  test('2 unknown modes and roles refuse to start', () => {
    expect(() => dashboard({ env: { DASH_AUTH_MODE: 'none' } })).toThrow(/DASH_AUTH_MODE/);
    expect(() => dashboard({ env: { DASH_STATIC_OPERATOR_ROLE: 'root' } })).toThrow(/ROLE/);
    expect(() => dashboard({ env: { DASH_OIDC_ROLE_MAP: '{' } })).toThrow(/JSON/);
  });

  test('69 static mode on a routable host refuses to start', async () => {
    await expect(
      startDashboard({
        config: readDashboardConfig({ DASH_DEV_MODE: '1', XDG_CONFIG_HOME: folder }),
        host: '0.0.0.0',
        port: 0,
        databaseFile: ':memory:',
        migrationsDir: MIGRATIONS,
        platform: {},
        clock: { now: () => NOW },
        ids: { uuid: () => 'u', hex: () => 'h' },
        log: { info() {}, warn() {}, error() {} },
      }),
    ).rejects.toThrow(/DASH_HOST/);
  });

  test('76 our variable names win over the reference names (OD-009)', () => {
    const config = readDashboardConfig({
      XDG_CONFIG_HOME: folder,
      KNEO_URL: 'http://theirs',
      PLATFORM_URL: 'http://ours',
      KNEO_API_KEY: 'k',
      PLATFORM_API_KEY: '',
      KNEO_DASH_DEV_MODE: 'true',
    });
    expect(config.defaultConnection).toMatchObject({ url: 'http://ours', apiKey: 'k' });
    expect(config.devMode).toBe(true);
  });

  test('14/64 database addresses are read; foreign ones refuse (OD-014)', () => {
    const file = (url: string) =>
      readDashboardConfig({ XDG_CONFIG_HOME: folder, DASH_DB_URL: url }).databaseFile;
    expect(file('sqlite:////data/d.db')).toBe('/data/d.db');
    expect(file('sqlite:///d.db')).toBe(path.resolve('d.db'));
    expect(file(':memory:')).toBe(':memory:');
    expect(file('')).toBeUndefined();
    expect(() => file('mysql://x')).toThrow(/DASH_DB_URL/);
    expect(file('postgres://me:secret@db.example/dash')).toBeUndefined();
  });
});

describe('probes and pipeline', () => {
  test('3-5 probes (OD-024, OD-025, OD-026)', async () => {
    const to = dashboard();
    expect(await get(to, '/api/livez')).toMatchObject({ status: 200, body: { status: 'ok' } });
    expect((await get(to, '/api/readyz')).body).toEqual({
      status: 'ready',
      checks: { store: true, recovery_mode: false },
    });
    await to.deps.db.destroy();
    expect((await get(to, '/api/livez')).status).toBe(200);
    expect(await get(to, '/api/readyz')).toMatchObject({
      status: 503,
      body: { status: 'not_ready', checks: { store: false, recovery_mode: false } },
    });
    expect(await get(to, '/api/healthz')).toMatchObject({
      status: 200,
      body: {
        live: true,
        ready: false,
        checks: { store: false, recovery_mode: false, oidc: 'disabled' },
      },
    });
  });

  test('6-7 every answer has a request id, the security headers and no-store (OD-153)', async () => {
    const to = dashboard();
    for (const url of ['/api/me', '/api/nothing', '/api/runs?limit=0', '/api/audit-log']) {
      const { headers, body, status } = await get(to, url, { 'x-request-id': 'mine' });
      expect(headers['x-request-id']).toMatch(/^bff-[0-9a-f]{32}$/);
      if (status >= 400) expect(body.request_id).toBe(headers['x-request-id']);
      expect(headers).toMatchObject({
        'x-frame-options': 'DENY',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
      });
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
      expect(headers['permissions-policy']).toContain('camera=()');
    }
  });

  test('8 the guard looks at Host and Origin, for a change else at Referer (decisions 45)', async () => {
    const to = dashboard({ env: { DASH_ALLOWED_HOSTS: 'h , other' } });
    const post = (headers: Record<string, string>) =>
      send(to, 'POST', '/api/saved-filters', { name: 'n' }, { host: 'h:1', ...headers });
    expect(await post({ origin: 'http://evil' })).toMatchObject({
      status: 403,
      body: { code: 'forbidden' },
    });
    expect((await post({ referer: 'http://evil/x' })).status).toBe(403);
    expect((await post({})).status).toBe(201);
    expect((await post({ origin: 'https://h:1' })).status).toBe(201);
    expect((await get(to, '/api/me', { referer: 'http://evil/x' })).status).toBe(200);
    expect((await get(to, '/api/me', { origin: 'http://evil' })).status).toBe(403);
    expect(await get(to, '/api/me', { host: 'evil:1' })).toMatchObject({
      status: 403,
      body: { code: 'forbidden' },
    });
    expect((await get(to, '/api/livez', { host: 'evil:1' })).status).toBe(200);
  });

  test('9 unknown path 404, wrong method 405 with Allow (OD-056, OD-155)', async () => {
    const to = dashboard();
    expect(await get(to, '/api/none')).toMatchObject({ status: 404, body: { code: 'not_found' } });
    const wrong = await ask(to, 'DELETE', '/api/runs');
    expect(wrong).toMatchObject({ status: 405, body: { code: 'method_not_allowed' } });
    expect(wrong.headers['allow']).toBe('GET');
  });

  test('10 unknown query parameters and body fields are ignored', async () => {
    const to = dashboard();
    platform.on('GET /v1/runs', { body: runPage([]) });
    expect((await get(to, '/api/runs?colour=red')).status).toBe(200);
    const made = await send(to, 'POST', '/api/saved-filters', { name: 'n', colour: 'red' });
    expect(made.status).toBe(201);
  });

  test('11-12 limits and malformed JSON are 422 request_invalid (OD-056, OD-139, OD-157)', async () => {
    const to = dashboard();
    platform.on('GET /v1/runs/*/trace', { body: { events: [], total: 0 } });
    const over = await get(to, '/api/runs?limit=201');
    expect(over).toMatchObject({ status: 422, body: { code: 'request_invalid' } });
    expect(over.body.details.errors[0].loc).toEqual(['query', 'limit']);
    expect((await get(to, '/api/runs/r/trace?limit=500')).status).toBe(200);
    expect((await get(to, '/api/runs/r/trace?limit=501')).status).toBe(422);
    expect((await get(to, '/api/audit-log?limit=501')).status).toBe(422);
    const broken = await ask(to, 'POST', '/api/saved-filters', {
      headers: { 'content-type': 'application/json' },
      payload: '{',
    });
    expect(broken).toMatchObject({ status: 422, body: { code: 'request_invalid' } });
  });

  test('13 a viewer is refused before validation and leaves one denied row (OD-142, OD-154)', async () => {
    const to = dashboard({ env: { DASH_STATIC_OPERATOR_ROLE: 'viewer' } });
    expect((await send(to, 'POST', '/api/launch/run', {})).status).toBe(403);
    const rows = await to.deps.db.selectFrom('audit_log').selectAll().execute();
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({
      action: 'launch',
      target: '/api/launch/run',
      outcome: 'denied',
    });
  });

  test('72 a body over the cap is 413; an empty JSON body is no body', async () => {
    const to = dashboard();
    const big = await ask(to, 'POST', '/api/saved-filters', {
      headers: { 'content-type': 'application/json' },
      payload: JSON.stringify({ name: 'x'.repeat(1_200_000) }),
    });
    expect(big).toMatchObject({ status: 413, body: { code: 'payload_too_large' } });
    expect(big.body.details.max_body_bytes).toBe(1_114_112);
    expect(big.headers['x-frame-options']).toBe('DENY');
    platform.on('POST /v1/runs/*/cancel', { body: run({ status: 'cancelled' }) });
    const empty = await ask(to, 'POST', '/api/runs/r1/cancel', {
      headers: { 'content-type': 'application/json' },
    });
    expect(empty.status).toBe(200);
  });

  test('a required key is demanded where an operator is needed, not by probes', async () => {
    const to = dashboard({ requireKey: 'k'.repeat(40) });
    expect((await get(to, '/api/livez')).status).toBe(200);
    expect((await get(to, '/api/me')).status).toBe(401);
    const withKey = await get(to, '/api/me', { authorization: `Bearer ${'k'.repeat(40)}` });
    expect(withKey.status).toBe(200);
  });
});

describe('platform failures', () => {
  test('14 an unreachable platform is 504 upstream_error, but health answers', async () => {
    const to = dashboard({ platform: { url: 'http://127.0.0.1:1', apiKey: 'k' } });
    expect(await get(to, '/api/runs')).toMatchObject({
      status: 504,
      body: { code: 'upstream_error' },
    });
    expect((await get(to, '/api/health')).body).toEqual({
      service: 'run-platform',
      version: '',
      address: 'http://127.0.0.1:1',
      probes: { livez: false, readyz: false, healthz: false },
      subsystems: [],
    });
  });

  test('15-16 no platform 503; a refused key is 502, never 401', async () => {
    expect(await get(dashboard({ platform: {} }), '/api/runs')).toMatchObject({
      status: 503,
      body: { code: 'platform_not_configured' },
    });
    platform.on('GET /v1/runs', failure(401, 'unauthorized'));
    expect(await get(dashboard(), '/api/runs')).toMatchObject({
      status: 502,
      body: { code: 'platform_unauthorized' },
    });
  });

  test('17-18 the text of a 5xx stays inside; a 404 carries the platform request id', async () => {
    platform.on('GET /v1/runs', { status: 500, text: 'SQL secret' });
    const to = dashboard();
    const inner = await get(to, '/api/runs');
    expect(inner).toMatchObject({ status: 500, body: { code: 'upstream_error' } });
    expect(JSON.stringify(inner.body)).not.toContain('SQL');
    platform.on('GET /v1/runs/*', failure(404, 'not_found'));
    const missing = await get(to, '/api/runs/nope');
    expect(missing).toMatchObject({
      status: 404,
      body: { code: 'not_found', request_id: 'platform-request' },
    });
    expect(missing.headers['x-request-id']).toMatch(/^bff-/);
  });

  test('19 Retry-After reaches body and header', async () => {
    platform.on('GET /v1/runs', {
      ...failure(503, 'queue_full'),
      headers: { 'retry-after': '40' },
    });
    const answer = await get(dashboard(), '/api/runs');
    expect(answer).toMatchObject({ status: 503, body: { code: 'queue_full', retry_after: 40 } });
    expect(answer.headers['retry-after']).toBe('40');
  });
});
