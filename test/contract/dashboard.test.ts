import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { InjectOptions } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readDashboardConfig } from '../../server/dashboard/config.ts';
import { buildDashboard, type DashboardApp } from '../../server/dashboard/service.ts';
import { toTimestamp } from '../../server/kernel/timestamp.ts';
import { type FakePlatform, failure, startFakePlatform } from '../support/fake-platform.ts';

const MIGRATIONS = fileURLToPath(new URL('../../migrations/dashboard', import.meta.url));
const NOW = Date.parse('2026-11-21T12:00:00Z');
const HOUR = 3_600_000;

let platform: FakePlatform;
let folder: string;
const open: DashboardApp[] = [];
let now = NOW;

beforeEach(async () => {
  now = NOW;
  platform = await startFakePlatform();
  folder = mkdtempSync(path.join(tmpdir(), 'dash-'));
});
afterEach(async () => {
  for (const dashboard of open.splice(0)) await dashboard.close();
  await platform.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Setup {
  env?: Record<string, string>;
  platform?: { url?: string; apiKey?: string };
  databaseFile?: string;
  spaDir?: string;
  requireKey?: string;
}

function dashboard(setup: Setup = {}): DashboardApp {
  let n = 0;
  const built = buildDashboard({
    config: readDashboardConfig({
      DASH_DEV_MODE: '1',
      XDG_CONFIG_HOME: folder,
      ...setup.env,
    }),
    host: '127.0.0.1',
    port: 0,
    databaseFile: setup.databaseFile ?? ':memory:',
    migrationsDir: MIGRATIONS,
    platform: setup.platform ?? { url: platform.url, apiKey: 'secret-platform-key' },
    ...(setup.spaDir === undefined ? {} : { spaDir: setup.spaDir }),
    ...(setup.requireKey === undefined ? {} : { requireKeys: [setup.requireKey] }),
    clock: { now: () => now },
    ids: {
      uuid: () => `00000000-0000-4000-8000-${String(++n).padStart(12, '0')}`,
      hex: () => (++n).toString(16).padStart(32, '0'),
    },
    log: { info() {}, warn() {}, error() {} },
    checkResponses: true,
  });
  open.push(built);
  return built;
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of a wire test are read as JSON, unchecked
type Loose = any;

async function ask(to: DashboardApp, method: string, url: string, options: InjectOptions = {}) {
  const response = await to.app.fastify.inject({
    method: method as 'GET',
    url,
    ...options,
  });
  const text = response.body;
  const body: unknown = text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text;
  return { status: response.statusCode, headers: response.headers, body: body as Loose };
}
const get = (to: DashboardApp, url: string, headers: Record<string, string> = {}) =>
  ask(to, 'GET', url, { headers });
const send = (
  to: DashboardApp,
  method: string,
  url: string,
  payload?: unknown,
  headers: Record<string, string> = {},
) =>
  ask(to, method, url, {
    headers,
    ...(payload === undefined ? {} : { payload: payload as object }),
  });

const run = (extra: Record<string, unknown> = {}) => ({
  id: 'r1',
  run_id: 'r1',
  status: 'completed',
  workflow_name: 'flow',
  workflow_kind: 'workflow',
  agent_name: 'agent',
  updated_at: toTimestamp(NOW - 61_000),
  created_at: toTimestamp(NOW - HOUR),
  error: null,
  ...extra,
});
const runPage = (runs: unknown[], total = runs.length) => ({
  runs,
  count: runs.length,
  total,
  window: 10_000,
  limit: 50,
  offset: 0,
});

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

  test('2 unknown modes and roles refuse to start (OD-010)', () => {
    expect(() => dashboard({ env: { DASH_AUTH_MODE: 'none' } })).toThrow(/DASH_AUTH_MODE/);
    expect(() => dashboard({ env: { DASH_STATIC_OPERATOR_ROLE: 'root' } })).toThrow(/ROLE/);
    expect(() => dashboard({ env: { DASH_OIDC_ROLE_MAP: '{' } })).toThrow(/JSON/);
  });

  test('69 static mode on a routable host refuses to start', () => {
    expect(() =>
      buildDashboard({
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
    ).toThrow(/DASH_HOST/);
  });

  test('76 our variable names win over the reference names', () => {
    const config = readDashboardConfig({
      XDG_CONFIG_HOME: folder,
      KNEO_URL: 'http://theirs',
      PLATFORM_URL: 'http://ours',
      KNEO_API_KEY: 'k',
      PLATFORM_API_KEY: '',
      KNEO_DASH_DEV_MODE: 'true',
    });
    expect(config.default_connection).toMatchObject({ url: 'http://ours', apiKey: 'k' });
    expect(config.dev_mode).toBe(true);
  });

  test('14/64 database addresses are read; foreign ones refuse (OD-014)', () => {
    const file = (url: string) =>
      readDashboardConfig({ XDG_CONFIG_HOME: folder, DASH_DB_URL: url }).database_file;
    expect(file('sqlite:////data/d.db')).toBe('/data/d.db');
    expect(file('sqlite:///d.db')).toBe(path.resolve('d.db'));
    expect(file(':memory:')).toBe(':memory:');
    expect(file('')).toBeUndefined();
    expect(() => file('mysql://x')).toThrow(/DASH_DB_URL/);
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

  test('6-7 every answer has a request id, the security headers and no-store', async () => {
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

  test('9 unknown path 404, wrong method 405 with Allow', async () => {
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

  test('11-12 limits and malformed JSON are 422 request_invalid', async () => {
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

  test('13 a viewer is refused before validation and leaves one denied row (OD-142)', async () => {
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

describe('runs', () => {
  test('20 rows have every key (OD-040, OD-095)', async () => {
    platform.on('GET /v1/runs', { body: runPage([run({ metadata: {} })]) });
    const { body } = await get(dashboard(), '/api/runs');
    expect(body).toMatchObject({
      count: 1,
      total: 1,
      window: 10_000,
      unsupported_filters: [],
    });
    expect(body.rows[0]).toMatchObject({
      run_id: 'r1',
      status: 'completed',
      current_node_id: null,
      current_step_index: null,
      updated_age: '1m',
      blocked: false,
      has_error: false,
      stuck: false,
      stuck_reason: null,
      usage: null,
    });
    expect(platform.calls[0]?.query).toEqual({
      limit: '50',
      offset: '0',
      sort_by: 'updated_at',
      sort_order: 'desc',
    });
    expect(platform.calls[0]?.headers.authorization).toBe('Bearer secret-platform-key');
  });

  const graphSpec = (model: unknown) => ({
    agent: { name: 'desk' },
    workflow: { type: 'graph', name: 'gate', nodes: { a: { kind: 'agent', ref: 'one' } } },
    components: { agents: { one: { name: 'one', ...(model === null ? {} : { model }) } } },
  });

  test('a row says what went in and came out, its own name, and where an offline answer stands (OD-040)', async () => {
    const frozen_spec = { base: graphSpec(null) };
    const rows = [
      run({
        workflow_name: null,
        input_text: ` a\n${'long '.repeat(200)}`,
        error: { message: 'E_X at workflow: no', type: 'SpecCompilationError' },
        status: 'failed',
        metadata: { frozen_spec, environment: 'prod' },
      }),
      run({ output_text: 'done', visited_nodes: ['a'], metadata: { frozen_spec } }),
      run({
        workflow_name: 'graph-workflow',
        visited_nodes: ['a'],
        session_id: 'studio-7',
        metadata: { frozen_spec: { base: graphSpec({ provider: 'openai', name: 'x' }) } },
      }),
      run({ workflow_name: 'sequential-workflow', metadata: { spec_path: 'specs/desk.v2.yaml' } }),
      run({ metadata: { model_warning: 'No key: the offline runtime answers. Set K.' } }),
    ];
    platform.on('GET /v1/runs', { body: runPage(rows) });
    const { body } = await get(dashboard(), '/api/runs?workflow_name=gate');
    expect(platform.calls.at(-1)?.query).toMatchObject({ workflow_name: 'gate' });
    expect(body.rows[0]).toMatchObject({
      spec_name: 'gate',
      environment: 'prod',
      output_preview: null,
      error_preview: 'E_X at workflow: no',
      offline: false,
    });
    expect(body.rows[0].input_preview).toMatch(/^a long long .*…$/);
    expect(body.rows[0].input_preview.length).toBeLessThan(250);
    expect(body.rows[1]).toMatchObject({ output_preview: 'done', offline: true });
    expect(body.rows[2]).toMatchObject({
      spec_name: 'gate',
      session_id: 'studio-7',
      offline: false,
    });
    expect(body.rows[3]).toMatchObject({ spec_name: 'desk.v2', offline: false });
    expect(body.rows[4]).toMatchObject({ spec_name: 'flow', offline: true });
  });

  test('21-22 facets degrade tier by tier; a bad time is forwarded (OD-110, OD-111)', async () => {
    const known = new Set(['status', 'limit', 'offset', 'sort_by', 'sort_order']);
    platform.on('GET /v1/runs', ({ query }) => {
      const unknown = Object.keys(query).filter((name) => !known.has(name));
      return unknown.length > 0
        ? failure(422, 'unknown_query_parameters', { unknown })
        : { body: runPage([]) };
    });
    const to = dashboard();
    const both = await get(to, '/api/runs?q=a&workflow_kind=workflow&status=failed');
    expect(both.body.unsupported_filters).toEqual(['q', 'workflow_kind']);
    expect(platform.calls).toHaveLength(3);
    known.add('workflow_kind');
    const one = await get(to, '/api/runs?q=a&workflow_kind=workflow');
    expect(one.body.unsupported_filters).toEqual(['q']);
    platform.on('GET /v1/runs', failure(422, 'invalid_timestamp', { param: 'created_after' }));
    expect(await get(to, '/api/runs?created_after=soon')).toMatchObject({
      status: 422,
      body: { code: 'invalid_timestamp' },
    });
  });

  test('a sort goes to the platform as it is; without one the newest change comes first', async () => {
    const orders: unknown[] = [];
    platform.on('GET /v1/runs', ({ query }) => {
      orders.push([query['sort_by'], query['sort_order']]);
      return { body: runPage([]) };
    });
    const to = dashboard();
    await get(to, '/api/runs?limit=7');
    await get(to, '/api/runs?sort_by=usage.total_tokens');
    await get(to, '/api/runs?sort_by=created_at&sort_order=asc');
    expect(orders).toEqual([
      ['updated_at', 'desc'],
      ['usage.total_tokens', 'desc'],
      ['created_at', 'asc'],
    ]);
  });

  test('23 stuck_only scans at most five pages of 200 (OD-113)', async () => {
    const old = toTimestamp(NOW - 600_000);
    platform.on('GET /v1/runs', ({ query }) => ({
      body: runPage(
        Array.from({ length: 200 }, (_, index) =>
          run({ id: `r${query['offset']}-${index}`, status: 'running', updated_at: old }),
        ),
        5000,
      ),
    }));
    const { body } = await get(dashboard(), '/api/runs?stuck_only=true&limit=3&offset=7');
    expect(platform.calls).toHaveLength(5);
    expect(body).toMatchObject({ count: 1000, total: 1000, limit: 200, offset: 0, window: 1000 });
  });

  test('24 stuck thresholds (OD-051)', async () => {
    const stuckOf = async (item: Record<string, unknown>) => {
      platform.on('GET /v1/runs', { body: runPage([run(item)]) });
      const { body } = await get(to, '/api/runs');
      return body.rows[0].stuck;
    };
    const to = dashboard();
    const running = (seconds: number) => ({
      status: 'running',
      updated_at: toTimestamp(NOW - seconds * 1000),
    });
    expect(await stuckOf(running(120))).toBe(true);
    expect(await stuckOf(running(119))).toBe(false);
    const blocked = (seconds: number) => ({ status: 'blocked', deadline_at: NOW / 1000 + seconds });
    expect(await stuckOf(blocked(300))).toBe(true);
    expect(await stuckOf(blocked(301))).toBe(false);
    expect(await stuckOf(blocked(-5))).toBe(true);
  });

  test('26 error-summary is no run id; most failing first (OD-096, OD-114)', async () => {
    platform.on('GET /v1/runs', {
      body: runPage(
        ['a', 'b', 'b', 'b', 'b'].map((name, i) => run({ id: `r${i}`, workflow_name: name })),
        9,
      ),
    });
    const { body } = await get(dashboard(), '/api/runs/error-summary');
    expect(body).toEqual({
      groups: [
        {
          workflow_kind: 'workflow',
          workflow_name: 'b',
          count: 4,
          sample_run_ids: ['r1', 'r2', 'r3'],
        },
        { workflow_kind: 'workflow', workflow_name: 'a', count: 1, sample_run_ids: ['r0'] },
      ],
      total_failed: 9,
      scanned: 5,
    });
    expect(platform.calls[0]?.query).toMatchObject({ status: 'failed', limit: '200' });
  });

  test('27-28 detail survives missing parts, not failing ones (OD-041, OD-097)', async () => {
    platform.on('GET /v1/runs/*', {
      body: run({
        id: undefined,
        input_text: 'key [REDACTED]',
        error: { message: 'broke', type: 'X' },
        visited_steps: ['a'],
      }),
    });
    const to = dashboard();
    const detail = await get(to, '/api/runs/r1');
    expect(detail.body).toMatchObject({
      run_id: 'r1',
      input_redacted: true,
      error: 'broke',
      path: ['a'],
      is_terminal: true,
      trace: [],
      checkpoints: [],
      trace_complete: null,
      trace_dropped: null,
    });
    platform.on('GET /v1/runs/*/checkpoints', {
      ...failure(503, 'store_unavailable'),
      headers: { 'retry-after': '60' },
    });
    expect((await get(to, '/api/runs/r1')).status).toBe(503);
  });

  test('29-30 durations and usage (OD-038, OD-042)', async () => {
    const at = (ms: number) => toTimestamp(NOW + ms);
    platform.on('GET /v1/runs/*', {
      body: run({ usage: { total_tokens: 1500, input_tokens: 'x' } }),
    });
    platform.on('GET /v1/runs/*/trace', {
      body: {
        events: [
          { type: 'run_started', timestamp: at(0), span_id: 's1', agent_name: 'a' },
          { type: 'run_completed', timestamp: at(250.9), span_id: 's1', model_name: 'm' },
          { type: 'x_completed', timestamp: at(9), metadata: { duration_ms: 7 }, tool_name: 't' },
          { type: 'guardrail_checked', timestamp: at(9), step_id: 'g' },
          { type: 'human_intervention_requested', timestamp: at(9) },
        ],
        complete: true,
        dropped: 0,
      },
    });
    const to = dashboard();
    const { body } = await get(to, '/api/runs/r1');
    expect(body.trace.map((event: Loose) => [event.kind, event.duration_ms])).toEqual([
      ['node', 0],
      ['llm', 250],
      ['tool', 7],
      ['policy', 0],
      ['human', 0],
    ]);
    expect(body.trace_complete).toBe(true);
    expect(body.trace_dropped).toBe(false);
    expect(body.usage).toEqual({
      input_tokens: null,
      output_tokens: null,
      total_tokens: 1500,
      cost_usd: null,
      cost_approximate: false,
      currency: 'USD',
    });
    await send(to, 'PUT', '/api/settings/pricing', { blended_per_1k: 0.01, version: 0 });
    const priced = await get(to, '/api/runs/r1');
    expect(priced.body.usage).toMatchObject({ cost_usd: 0.015, cost_approximate: true });
  });

  test('31-32 graph and policy report degrade; chain needs a session (OD-119, OD-120)', async () => {
    const to = dashboard();
    expect((await get(to, '/api/runs/x/graph')).body).toEqual({
      available: false,
      nodes: [],
      edges: [],
      current: null,
    });
    expect((await get(to, '/api/runs/x/policy-report')).body).toMatchObject({
      available: false,
      valid: true,
      version: '',
    });
    for (const view of ['chain', 'replay', 'recovery']) {
      expect((await get(to, `/api/runs/x/${view}`)).status).toBe(404);
    }
    platform.on('GET /v1/runs/*', { body: run({ session_id: null }) });
    expect((await get(to, '/api/runs/r1/chain')).body).toEqual({
      available: false,
      session_id: null,
      runs: [],
      total: null,
      truncated: false,
    });
    platform.on('GET /v1/runs', { body: runPage([]) });
    expect((await get(to, '/api/sessions/none')).body).toMatchObject({ available: true, runs: [] });
    platform.on('GET /v1/runs', failure(422, 'unknown_query_parameters'));
    expect((await get(to, '/api/sessions/s')).body).toMatchObject({
      available: false,
      session_id: 's',
    });
  });

  test('33 diff entries have all four keys; 0, false and empty are kept (OD-101)', async () => {
    platform.on('GET /v1/runs/*/checkpoints/diff', {
      body: {
        added: [{ path: 'a', value: { x: 1 } }, { value: 1 }],
        removed: [],
        changed: [
          { path: 'b', before: 1, after: 0 },
          { field: 'c', from: true, to: false },
          { name: 'd', old: 'x', new: '' },
        ],
        change_count: 5,
        truncated: true,
        from_checkpoint: { sequence: 3 },
        to_checkpoint: { sequence: 4 },
      },
    });
    const to = dashboard();
    const { body } = await get(to, '/api/runs/r1/checkpoints/diff');
    expect(body).toEqual({
      added: [{ key: 'a', value: '{"x":1}', from_value: null, to_value: null }],
      removed: [],
      changed: [
        { key: 'b', value: null, from_value: '1', to_value: '0' },
        { key: 'c', value: null, from_value: 'true', to_value: 'false' },
        { key: 'd', value: null, from_value: 'x', to_value: '' },
      ],
      change_count: 5,
      from_sequence: 3,
      to_sequence: 4,
      truncated: true,
    });
    await get(to, '/api/runs/r1/checkpoints/diff?from_sequence=1&to_sequence=2');
    expect(platform.calls.at(-1)?.query).toEqual({ from_sequence: '1', to_sequence: '2' });
  });

  test('34-35 actions echo their key and are audited (OD-098, OD-109, OD-115, OD-117)', async () => {
    platform.on('POST /v1/runs/*/cancel', { body: run({ status: 'completed' }) });
    platform.on('POST /v1/runs/*/continue', failure(409, 'run_state_conflict', { run_id: 'r1' }));
    const to = dashboard();
    const cancelled = await send(to, 'POST', '/api/runs/r1/cancel');
    expect(cancelled.body).toMatchObject({
      action: 'cancel',
      status: 'completed',
      new_run_id: null,
    });
    expect(cancelled.body.idempotency_key).toMatch(/^dash-[0-9a-f]{32}$/);
    expect(platform.calls[0]?.headers['idempotency-key']).toBe(cancelled.body.idempotency_key);
    const keyed = await send(to, 'POST', '/api/runs/r1/cancel', undefined, {
      'idempotency-key': '  mine ',
    });
    expect(keyed.body.idempotency_key).toBe('mine');
    expect(
      await send(to, 'POST', '/api/runs/r1/cancel', undefined, {
        'idempotency-key': 'k'.repeat(257),
      }),
    ).toMatchObject({ status: 400, body: { code: 'invalid_idempotency_key' } });
    expect(await send(to, 'POST', '/api/runs/r1/continue')).toMatchObject({
      status: 409,
      body: { code: 'run_state_conflict' },
    });
    const { body } = await get(to, '/api/audit-log');
    expect(body.entries.map((row: Loose) => [row.action, row.outcome]).sort()).toEqual([
      ['run.cancel', 'ok'],
      ['run.cancel', 'ok'],
      ['run.continue', 'error'],
    ]);
  });

  test('36 a code-less conflict of a keyed call is one of the key', async () => {
    platform.on('POST /v1/runs', { status: 409, text: 'busy' });
    expect(
      await send(dashboard(), 'POST', '/api/launch/run', { spec: {}, input_text: '' }),
    ).toMatchObject({ status: 409, body: { code: 'idempotency_key_conflict' } });
  });
});

describe('trace stream', () => {
  async function read(to: DashboardApp, url: string, signal?: AbortSignal) {
    const { url: base } = await to.app.listen('127.0.0.1', 0);
    const response = await fetch(`${base}${url}`, signal === undefined ? {} : { signal });
    return response;
  }

  test('60 frames equal the events, end with {}, an unknown run is a frame (OD-107, OD-148)', async () => {
    platform.on('GET /v1/runs/*/trace', ({ query }) => ({
      body: {
        events:
          query['offset'] === '0'
            ? [{ type: 'run_started', timestamp: toTimestamp(NOW), step_id: 's' }]
            : [],
        total: 1,
        window: 10_000,
      },
    }));
    platform.on('GET /v1/runs/r1', { body: run() });
    const to = dashboard();
    const response = await read(to, '/api/runs/r1/trace/stream?env=any');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('x-accel-buffering')).toBe('no');
    expect(response.headers.get('x-frame-options')).toBe('DENY');
    expect(response.headers.get('x-request-id')).toMatch(/^bff-/);
    const text = await response.text();
    const frames = text.split('\r\n\r\n').filter((frame) => frame !== '');
    expect(frames[0]).toMatch(/^event: trace\r\ndata: \{"ts":"2026-11-21T12:00:00/);
    expect(frames.at(-1)).toBe('event: end\r\ndata: {}');
    expect(to.deps.streams.active()).toBe(0);
  });

  test('60 an unknown run ends in a stream_error frame', async () => {
    platform.on('GET /v1/runs/*/trace', failure(404, 'not_found'));
    const text = await (await read(dashboard(), '/api/runs/x/trace/stream')).text();
    expect(text).toMatch(/^event: stream_error\r\ndata: \{"code":"not_found"/);
  });

  test('61 the sixth stream is refused with Retry-After; leaving frees the slot (OD-149, OD-150)', async () => {
    platform.on('GET /v1/runs/*/trace', { body: { events: [], total: 0, window: 10_000 } });
    platform.on('GET /v1/runs/*', { body: run({ status: 'blocked' }) });
    const to = dashboard({ env: { DASH_SSE_MAX_STREAMS_PER_OPERATOR: '2' } });
    const { url } = await to.app.listen('127.0.0.1', 0);
    const stream = `${url}/api/runs/r1/trace/stream`;
    const leave = [new AbortController(), new AbortController()];
    await Promise.all(leave.map(({ signal }) => fetch(stream, { signal })));
    const third = await fetch(stream);
    expect(third.status).toBe(503);
    expect(third.headers.get('retry-after')).toBe('5');
    expect(await third.json()).toMatchObject({ code: 'service_unavailable', retry_after: 5 });
    leave[0]?.abort();
    await expect.poll(() => to.deps.streams.active()).toBe(1);
    leave[1]?.abort();
    await expect.poll(() => to.deps.streams.active()).toBe(0);
  });
});

describe('human tasks', () => {
  const task = (extra: Record<string, unknown> = {}) => ({
    id: 'c1',
    run_id: 'r1',
    workflow_name: 'flow',
    workflow_kind: 'graph',
    pending_human_request_id: 'q1',
    pending_human_request: { id: 'q1', type: 'approval', prompt: ' ', title: 'Check' },
    expires_at: NOW / 1000 + 300,
    ...extra,
  });

  test('37 the queue is by expiry; near and escalated are derived (OD-046, OD-052, OD-078)', async () => {
    platform.on('GET /v1/human-tasks', {
      body: {
        tasks: [
          task(),
          task({ id: 'c2', expires_at: NOW / 1000 - 1 }),
          task({
            id: 'c3',
            expires_at: null,
            pending_human_request: { id: 'q', prompt: 'P', escalated_at: 5 },
          }),
          task({ id: 'c4', expires_at: NOW / 1000 + 301 }),
        ],
        total: 4,
      },
    });
    const { body } = await get(dashboard(), '/api/human-tasks');
    expect(platform.calls[0]?.query).toEqual({
      sort_by: 'expires_at',
      sort_order: 'asc',
      limit: '50',
      offset: '0',
    });
    expect(
      body.rows.map((row: Loose) => [
        row.continuation_id,
        row.request_summary,
        row.status,
        row.deadline_age,
        row.near_deadline,
      ]),
    ).toEqual([
      ['c1', 'Check', 'pending', 'in 5m', true],
      ['c2', 'Check', 'pending', 'overdue', true],
      ['c3', 'P', 'escalated', '—', false],
      ['c4', 'Check', 'pending', 'in 5m', false],
    ]);
    expect(body.rows[0].request_id).toBe('q1');
  });

  test('the detail shows request and conversation (OD-047, OD-079, RP-015)', async () => {
    platform.on('GET /v1/human-tasks/*', {
      body: {
        continuation_id: 'c1',
        request: {
          id: 'q1',
          type: 'selection',
          prompt: 'Which?',
          options: ['a', 1, 'b'],
          context: { input_text: 'waits', order: { id: 7 }, note: 'urgent' },
          response_role: 'assistant',
        },
        messages: [{ sender: 'user', text: 'hi' }, { content: 'x' }],
      },
    });
    const { body } = await get(dashboard(), '/api/human-tasks/c1');
    expect(body).toMatchObject({
      continuation_id: 'c1',
      request_summary: 'Which?',
      request_id: 'q1',
      run_id: null,
      workflow_name: '',
      status: 'pending',
      options: ['a', 'b'],
      input_text: 'waits',
      context: { input_text: 'waits', order: { id: 7 }, note: 'urgent' },
      response_role: 'assistant',
      messages: [
        { role: 'user', content: 'hi', at: null },
        { role: '—', content: 'x', at: null },
      ],
    });
  });

  test('38-39 decisions: missing is ours, expired keeps its details, tags are minted (OD-080 to OD-083)', async () => {
    const to = dashboard();
    expect((await send(to, 'POST', '/api/human-tasks/c1/resume', {})).status).toBe(422);
    expect(platform.calls).toHaveLength(0);
    platform.on(
      'POST /v1/human-tasks/*/resume',
      failure(409, 'human_task_expired', { continuation_id: 'c1', expires_at: 12.5 }),
    );
    expect(
      await send(to, 'POST', '/api/human-tasks/c1/resume', { decision: 'approved' }),
    ).toMatchObject({
      status: 409,
      body: {
        code: 'human_task_expired',
        details: { continuation_id: 'c1', expires_at: 12.5 },
      },
    });
    platform.on('POST /v1/human-tasks/*/resume', { body: { run_id: 'r1', status: 'completed' } });
    const done = await send(to, 'POST', '/api/human-tasks/c1/resume', {
      decision: 'selected',
      selected_option: 'a',
      content: null,
    });
    expect(done.body).toMatchObject({ continuation_id: 'c1', status: 'completed', run_id: 'r1' });
    const sent = platform.calls.at(-1)?.body as Record<string, unknown>;
    expect(sent).toMatchObject({ decision: 'selected', selected_option: 'a' });
    expect(sent['request_id']).toMatch(/^dash-[0-9a-f]{32}$/);
    expect('content' in sent).toBe(false);
  });
});

describe('launch', () => {
  const deployable = () => {
    platform.on('POST /v1/specs/validate', { body: { valid: true, diagnostics: [] } });
    platform.on('POST /v1/specs/compile', { body: { ok: true, diagnostics: [] } });
    platform.on('POST /v1/specs/policy-report', {
      body: { valid: true, report: { diagnostics: [] } },
    });
  };

  test('40 the body environment must be the active one', async () => {
    const to = dashboard();
    const mixed = await send(
      to,
      'POST',
      '/api/launch/load',
      { spec: {}, environment: 'dev' },
      { 'x-kneo-env': 'prod' },
    );
    expect(mixed).toMatchObject({ status: 400, body: { code: 'bad_request' } });
    platform.on('POST /v1/specs/explain', { body: { summary: { a: 1 } } });
    const ok = await send(to, 'POST', '/api/launch/load', { spec: {}, environment: 'dev' });
    expect(ok.body).toEqual({ summary: { a: 1 } });
    expect(platform.calls.at(-1)?.body).toEqual({ spec: {} });
  });

  test('41 an invalid spec is a verdict (OD-086)', async () => {
    deployable();
    const bad = { code: 'E_X', message: 'no agent', severity: 'error' };
    platform.on('POST /v1/specs/validate', { body: { valid: false, diagnostics: [bad] } });
    platform.on('POST /v1/specs/compile', failure(400, 'spec_invalid', { diagnostics: [bad] }));
    const { status, body } = await send(dashboard(), 'POST', '/api/launch/deploy', { spec: {} });
    expect(status).toBe(200);
    expect(body).toMatchObject({ valid: false, compiled: false, policy_ok: true, ready: false });
    expect(body.diagnostics).toEqual([{ ...bad, source: 'validate' }]);
    expect(body.blocking).toHaveLength(3);
    expect(body.blocking.at(-1)).toBe('validate: no agent');
    expect(platform.calls.find((call) => call.path.endsWith('compile'))?.body).toEqual({
      spec: {},
      strict: true,
    });
  });

  test('42 a policy that blocks is a verdict, a missing file a refusal (OD-087)', async () => {
    deployable();
    const finding = { code: 'E_ENV_POLICY_GUARDRAILS', message: 'm', severity: 'error' };
    platform.on(
      'POST /v1/specs/compile',
      failure(403, 'environment_policy_blocked', { diagnostics: [finding] }),
    );
    const to = dashboard();
    const { body } = await send(to, 'POST', '/api/launch/deploy', { spec: {}, environment: 'p' });
    expect(body).toMatchObject({ valid: true, compiled: false, policy_ok: false, ready: false });
    expect(body.diagnostics[0]).toMatchObject({ source: 'policy', code: finding.code });
    platform.on('POST /v1/runs', failure(403, 'environment_policy_blocked'));
    expect(
      await send(to, 'POST', '/api/launch/run', { spec: {}, input_text: '', environment: 'p' }),
    ).toMatchObject({ status: 403, body: { code: 'environment_policy_blocked' } });
    const { body: log } = await get(to, '/api/audit-log');
    expect(log.entries[0]).toMatchObject({
      action: 'launch.run',
      outcome: 'error',
      target: null,
      environment: 'p',
    });
    platform.on('POST /v1/specs/validate', failure(400, 'invalid_request'));
    expect(await send(to, 'POST', '/api/launch/deploy', { spec_path: 'none.yaml' })).toMatchObject({
      status: 400,
      body: { code: 'invalid_request' },
    });
  });

  test('43-44 history keeps a digest, never the spec; a replay adds no row (OD-045, OD-089, OD-090)', async () => {
    platform.on('POST /v1/runs', { status: 202, body: { run_id: 'r9', status: 'queued' } });
    const to = dashboard();
    const spec = { agent: { name: 'helper' }, secret: 'hush' };
    const input = { spec, input_text: 'hi', environment: 'dev' };
    const first = await send(to, 'POST', '/api/launch/run', input);
    expect(first).toMatchObject({ status: 200, body: { run_id: 'r9', status: 'queued' } });
    expect(platform.calls[0]?.body).toEqual({
      input: 'hi',
      async_mode: true,
      spec,
      environment: 'dev',
    });
    await send(to, 'POST', '/api/launch/run', input);
    platform.on('POST /v1/runs', { body: { run_id: 'r10', status: 'completed' } });
    now += 1000;
    await send(to, 'POST', '/api/launch/run', { spec_path: 'a.yaml', input_text: '' });
    const { body } = await get(to, '/api/launch/history');
    expect(body.entries).toHaveLength(2);
    expect(body.entries[0]).toMatchObject({
      mode: 'path',
      label: 'a.yaml',
      digest: null,
      environment: null,
    });
    expect(body.entries[1]).toMatchObject({ mode: 'inline', label: 'helper', run_id: 'r9' });
    expect(body.entries[1].digest).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(JSON.stringify(body)).not.toContain('hush');
    const { body: log } = await get(to, '/api/audit-log');
    expect(log.entries.at(-1)).toMatchObject({ outcome: 'ok', target: 'r9', environment: 'dev' });
  });
});

describe('local state', () => {
  test('45-46 annotations (OD-030, OD-058 to OD-061)', async () => {
    const to = dashboard();
    const at = '/api/runs/r1/annotations';
    expect((await send(to, 'POST', at, { body: '' })).status).toBe(422);
    expect((await send(to, 'POST', at, { body: 'x'.repeat(10_001) })).status).toBe(422);
    const tags = (list: string[]) => send(to, 'POST', at, { body: 'x', tags: list });
    expect((await tags(Array.from({ length: 65 }, () => 't'))).status).toBe(422);
    expect((await tags(['t'.repeat(101)])).status).toBe(422);
    const made = await send(to, 'POST', at, { body: 'note', tags: ['a'], extra: 1 });
    expect(made).toMatchObject({
      status: 201,
      body: { run_id: 'r1', body: 'note', tags: ['a'], created_by: 'static-operator', version: 1 },
    });
    const row = `/api/annotations/${made.body.id}`;
    const changed = await send(to, 'PUT', row, { body: 'new', version: 1 });
    expect(changed.body).toMatchObject({ tags: [], version: 2 });
    expect(await send(to, 'PUT', row, { body: 'new', version: 1 })).toMatchObject({
      status: 409,
      body: { code: 'dashboard_state_conflict' },
    });
    expect((await send(to, 'PUT', row, { body: 'new', version: 0 })).status).toBe(422);
    expect((await send(to, 'PUT', '/api/annotations/no', { body: 'n', version: 1 })).status).toBe(
      404,
    );
    expect((await ask(to, 'DELETE', row)).status).toBe(422);
    expect((await ask(to, 'DELETE', `${row}?version=1`)).status).toBe(409);
    const gone = await ask(to, 'DELETE', `${row}?version=2`);
    expect(gone).toMatchObject({ status: 204, body: '' });
    expect((await get(to, at)).body).toEqual([]);
  });

  test('47 saved filters (OD-031, OD-062 to OD-065)', async () => {
    const to = dashboard();
    const blob = (bytes: number) => ({ k: 'x'.repeat(bytes - '{"k":""}'.length) });
    const make = (name: string, filters: unknown) =>
      send(to, 'POST', '/api/saved-filters', { name, filters });
    expect((await make('big', blob(16_385))).status).toBe(422);
    expect((await make('b', blob(16_384))).status).toBe(201);
    expect((await make('a', {})).status).toBe(201);
    expect((await make('a', {})).status).toBe(201);
    const { body } = await get(to, '/api/saved-filters');
    expect(body.map((row: Loose) => row.name)).toEqual(['a', 'a', 'b']);
  });

  test('48, 51, 52, 74 connections, grants and the active environment (OD-032, OD-126 to OD-128, OD-144)', async () => {
    platform.on('GET /v1/runs', { body: runPage([]) });
    platform.on('GET /v1/policies/environment', {
      body: { policies: { prod: {}, dev: { enabled: false } }, count: 2 },
    });
    platform.on('GET /v1/policies/environment/*', {
      body: { environment: 'x', policy: null, previous_policy: null },
    });
    const databaseFile = path.join(folder, 'd.db');
    const admin = dashboard({ databaseFile });
    const put = (env: string, body: object) =>
      send(admin, 'PUT', `/api/settings/connections/${env}`, body);
    expect((await get(admin, '/api/runs', { 'x-kneo-env': 'any' })).status).toBe(200);
    expect((await put('dev', { version: 0, profile: '' })).body).toMatchObject({
      env: 'dev',
      profile: null,
      label: '',
      version: 1,
    });
    expect((await put('dev', { version: 0 })).status).toBe(409);
    expect((await put('none', { version: 1 })).status).toBe(404);
    await put('prod', { version: 0 });
    expect(await get(admin, '/api/runs', { 'x-kneo-env': 'any' })).toMatchObject({
      status: 400,
      body: { code: 'bad_request' },
    });
    expect((await get(admin, '/api/runs?env=any')).status).toBe(400);
    expect((await get(admin, '/api/runs?env=any', { 'x-kneo-env': 'dev' })).status).toBe(200);
    expect((await get(admin, '/api/runs?env=dev')).status).toBe(200);
    const grants = await send(admin, 'PUT', '/api/settings/access/environments', {
      environments: { viewer: ['dev'] },
      version: 0,
    });
    expect(grants.body).toEqual({
      environments: { viewer: ['dev'] },
      is_default: false,
      version: 1,
    });
    const viewer = dashboard({ databaseFile, env: { DASH_STATIC_OPERATOR_ROLE: 'viewer' } });
    expect((await get(viewer, '/api/runs')).status).toBe(403);
    expect((await get(viewer, '/api/runs?env=prod')).status).toBe(403);
    expect((await get(viewer, '/api/runs?env=dev')).status).toBe(200);
    expect((await get(viewer, '/api/me')).body.environments).toEqual(['dev']);
    const visible = await get(viewer, '/api/settings/connections');
    expect(visible.body.map((row: Loose) => row.env)).toEqual(['dev']);
    expect((await get(viewer, '/api/policies/prod?env=dev')).status).toBe(403);
    expect((await get(viewer, '/api/policies?env=dev')).body.rows).toEqual([
      { environment: 'dev', enabled: false },
    ]);
    expect((await get(admin, '/api/runs?env=prod')).status).toBe(200);
    expect((await ask(admin, 'DELETE', '/api/settings/connections/dev?version=1')).status).toBe(
      204,
    );
  });

  test('49 the access map (OD-033, OD-121, OD-122)', async () => {
    const to = dashboard();
    const put = (capabilities: object, version = 0) =>
      send(to, 'PUT', '/api/settings/access', { capabilities, version });
    expect((await get(to, '/api/settings/access')).body).toMatchObject({
      is_default: true,
      version: 0,
    });
    expect((await put({ root: [] })).status).toBe(400);
    expect((await put({ admin: ['settings.write', 'fly'] })).status).toBe(400);
    expect((await put({ admin: ['launch'] })).status).toBe(400);
    const stored = await put({ admin: ['settings.write', 'audit.read'] });
    expect(stored.body).toEqual({
      capabilities: { viewer: [], operator: [], admin: ['audit.read', 'settings.write'] },
      is_default: false,
      version: 1,
    });
    expect((await send(to, 'POST', '/api/launch/load', {})).status).toBe(403);
    expect((await put({ admin: ['settings.write'] })).status).toBe(409);
    expect((await put({ admin: ['settings.write'] }, 1)).body.version).toBe(2);
  });

  test('53 prices (OD-037, OD-131, OD-132)', async () => {
    const to = dashboard();
    const put = (body: object) => send(to, 'PUT', '/api/settings/pricing', body);
    expect(await put({ blended_per_1k: -1, version: 0 })).toMatchObject({
      status: 400,
      body: { code: 'bad_request' },
    });
    expect((await put({ blended_per_1k: 'Infinity', version: 0 })).status).toBe(400);
    const huge = await ask(to, 'PUT', '/api/settings/pricing', {
      headers: { 'content-type': 'application/json' },
      payload: '{"blended_per_1k":1e999,"version":0}',
    });
    expect(huge.status).toBe(400);
    expect((await put({ blended_per_1k: 'x', version: 0 })).status).toBe(422);
    expect((await put({ blended_per_1k: 0, version: 0 })).body).toEqual({
      blended_per_1k: 0,
      currency: 'USD',
      is_default: false,
      version: 1,
    });
    expect((await put({ version: 1 })).body.blended_per_1k).toBeNull();
    expect((await put({ version: 1 })).status).toBe(409);
  });

  test('preferences belong to the operator and are audited (OD-036, OD-129, OD-130)', async () => {
    const to = dashboard();
    expect((await get(to, '/api/settings/preferences')).body).toEqual({
      preferences: {},
      is_default: true,
      version: 0,
    });
    await send(to, 'PUT', '/api/settings/preferences', {
      preferences: { theme: 'dark' },
      version: 0,
    });
    expect((await get(to, '/api/settings/preferences')).body).toMatchObject({
      preferences: { theme: 'dark' },
      version: 1,
    });
    const { body } = await get(to, '/api/audit-log');
    expect(body.entries[0]).toMatchObject({
      action: 'settings.preferences.put',
      target: 'static-operator',
    });
  });

  test('54 spend (OD-039, OD-133 to OD-137)', async () => {
    const to = dashboard();
    expect(await get(to, '/api/spend?window=1y')).toMatchObject({
      status: 400,
      body: { code: 'bad_request' },
    });
    platform.on('GET /v1/runs', {
      body: runPage(
        Array.from({ length: 200 }, (_, i) =>
          run({ metadata: { usage: { total_tokens: i === 0 ? -5 : 10 } } }),
        ),
        1001,
      ),
    });
    expect((await get(to, '/api/spend')).body).toEqual({
      window: '7d',
      total_cost_usd: null,
      currency: 'USD',
      counted: 1000,
      scanned: 1000,
      total: 1001,
      truncated: true,
      priced: false,
      approximate: false,
    });
    await send(to, 'PUT', '/api/settings/pricing', {
      blended_per_1k: 1,
      currency: 'EUR',
      version: 0,
    });
    expect((await get(to, '/api/spend?window=24h')).body).toMatchObject({
      total_cost_usd: 9.95,
      currency: 'EUR',
      priced: true,
      approximate: true,
    });
  });

  test('55 policies: full replace, textual diff, preview persists nothing (OD-091 to OD-094)', async () => {
    const stored = { enabled: true, blocked_diagnostic_codes: ['A', 'B'], custom: 1 };
    platform.on('GET /v1/policies/environment/*', {
      body: { environment: 'e', policy: stored, previous_policy: null },
    });
    platform.on('PUT /v1/policies/environment/*', ({ body }) => ({
      body: { environment: 'e', policy: body, previous_policy: stored },
    }));
    platform.on('POST /v1/policies/environment/*/preview', {
      body: { affected_run_ids: ['r1', 'r2'] },
    });
    const to = dashboard();
    const preview = await send(to, 'POST', '/api/policies/e/preview', {
      require_guardrails: true,
      blocked_diagnostic_codes: [],
    });
    expect(preview.body).toMatchObject({ affected_run_ids: ['r1', 'r2'], affected_count: 2 });
    expect(preview.body.diff).toContainEqual({
      key: 'blocked_diagnostic_codes',
      before: 'A, B',
      after: '(none)',
    });
    expect(platform.calls.some((call) => call.method === 'PUT')).toBe(false);
    const put = await send(to, 'PUT', '/api/policies/e', {
      enabled: false,
      fail_on_warnings: 'yes',
    });
    expect(Object.keys(put.body.policy)).toHaveLength(7);
    expect(put.body.policy).toMatchObject({ enabled: false, fail_on_warnings: true });
    expect(put.body.diff[0]).toEqual({ key: 'enabled', before: 'true', after: 'false' });
  });

  test('56 credentials never carry a value (OD-048, OD-074)', async () => {
    platform.on('GET /v1/security/credentials', {
      body: {
        inventory: {
          providers: { openai: { env_var: 'OPENAI_API_KEY', present: true, value: 'sk-1' } },
          service_tokens: { SERV: { name: 'service:SERV', present: false } },
        },
      },
    });
    const { body } = await get(dashboard(), '/api/credentials');
    expect(body).toMatchObject({ present_count: 1, missing_count: 1 });
    expect(body.sections.map((row: Loose) => row.section)).toEqual(['providers', 'service_tokens']);
    expect(body.sections[0].entries[0]).toMatchObject({ name: 'openai', status: 'present' });
    expect(JSON.stringify(body)).not.toMatch(/value|sk-1/);
  });

  test('62 in recovery only the five paths answer', async () => {
    const to = dashboard();
    await to.deps.db
      .insertInto('recovery')
      .values({ id: 1, entered_at: toTimestamp(NOW), reason: 'test' })
      .execute();
    expect((await get(to, '/api/livez')).status).toBe(200);
    expect((await get(to, '/api/readyz')).status).toBe(503);
    expect((await get(to, '/api/healthz')).status).toBe(200);
    for (const url of ['/api/me', '/api/runs', '/api/settings/access']) {
      expect(await get(to, url)).toMatchObject({
        status: 503,
        body: { code: 'service_unavailable' },
      });
    }
    expect((await send(to, 'POST', '/api/logout')).status).toBe(503);
  });

  describe('63 a store that was put back is locked down at start', () => {
    const sidecar = () => `${path.join(folder, 'd.db')}.generation`;
    const restart = async (before?: () => void): Promise<boolean> => {
      for (const one of open.splice(0)) await one.close();
      before?.();
      const to = dashboard({ databaseFile: path.join(folder, 'd.db') });
      return (await get(to, '/api/healthz')).body.checks.recovery_mode;
    };

    test('a first start and plain restarts count up in the store and beside it', async () => {
      for (const n of [1, 2, 3]) {
        expect(await restart()).toBe(false);
        expect(readFileSync(sidecar(), 'utf8')).toBe(`${n}\n`);
        const row = await open[0]?.deps.db
          .selectFrom('config')
          .select('value')
          .where('namespace', '=', 'meta')
          .where('key', '=', 'db_generation')
          .executeTakeFirst();
        expect(row).toEqual({ value: `{"n":${n}}` });
      }
      expect(statSync(sidecar()).mode & 0o777).toBe(0o600);
    });

    test.each([
      ['an older file', () => writeFileSync(sidecar(), '7\n')],
      ['no file beside it', () => rmSync(sidecar())],
      ['no counter in the file', () => writeFileSync(sidecar(), 'x')],
      ['a counter of nothing', () => writeFileSync(sidecar(), '0')],
    ])('%s', async (_what, spoil) => {
      await restart();
      expect(await restart(spoil)).toBe(true);
      expect(await restart()).toBe(true);
      const map = await open[0]?.deps.db
        .selectFrom('config')
        .select(['value', 'version'])
        .where('namespace', '=', 'access')
        .execute();
      expect(map).toEqual([
        { value: '{"viewer":[],"operator":[],"admin":["settings.write"]}', version: 1 },
      ]);
    });

    test('a row that was lost', async () => {
      await restart();
      await open[0]?.deps.db.deleteFrom('config').execute();
      expect(await restart()).toBe(true);
    });

    test('a start that was killed between both counters is no restore', async () => {
      await restart();
      expect(await restart(() => renameSync(sidecar(), `${sidecar()}.new`))).toBe(false);
      expect(readFileSync(sidecar(), 'utf8')).toBe('2\n');
    });
  });

  test('71 a store that cannot be written changes no answer (OD-118)', async () => {
    platform.on('POST /v1/runs', { body: { run_id: 'r1', status: 'queued' } });
    const to = dashboard();
    await to.deps.db.schema.dropTable('audit_log').execute();
    await to.deps.db.schema.dropTable('launches').execute();
    const launched = await send(to, 'POST', '/api/launch/run', { spec: {}, input_text: '' });
    expect(launched).toMatchObject({ status: 200, body: { run_id: 'r1' } });
  });

  test('13, 73 static mode has no sign-in; signing out clears the cookie', async () => {
    const to = dashboard();
    expect((await get(to, '/api/login')).status).toBe(404);
    expect((await get(to, '/api/callback?code=x')).status).toBe(404);
    const out = await send(to, 'POST', '/api/logout');
    expect(out).toMatchObject({ status: 200, body: { status: 'logged_out' } });
    expect(out.headers['set-cookie']).toContain('dash_session=;');
  });
});

describe('overview, health, audit', () => {
  test('75 tiles are totals of the filtered lists; failures are not zeros (OD-075 to OD-077)', async () => {
    const totals: Record<string, number> = { running: 2, blocked: 1, failed: 3, '': 12 };
    platform.on('GET /v1/runs', ({ query }) => ({
      body: runPage([], totals[query['status'] ?? ''] ?? 0),
    }));
    platform.on('GET /v1/human-tasks', { body: { tasks: [], total: 1 } });
    platform.on('GET /v1/readyz', failure(503, 'not_ready'));
    const to = dashboard({ env: { DASH_GRAFANA_URL: 'http://g' } });
    const { body } = await get(to, '/api/overview');
    expect(body.tiles.map((tile: Loose) => [tile.key, tile.value, tile.tone])).toEqual([
      ['running', 2, 'info'],
      ['blocked', 1, 'warn'],
      ['failed', 3, 'error'],
      ['pending_hitl', 1, 'warn'],
      ['total', 12, 'neutral'],
    ]);
    expect(body).toMatchObject({ ready: false, error_rate: 0.25, grafana_url: 'http://g' });
    platform.on('GET /v1/human-tasks', failure(403, 'forbidden'));
    expect((await get(to, '/api/overview')).status).toBe(403);
  });

  test('health merges what failing probes say (OD-027)', async () => {
    platform.on('GET /v1/livez', {
      body: { ok: true, service: 'p', version: '1.2.0', metadata: { status: 'alive' } },
    });
    platform.on('GET /v1/readyz', {
      status: 503,
      body: {
        detail: {
          error: 'not_ready',
          message: 'm',
          metadata: {
            checks: {
              queue: { name: 'queue', ok: false, status: 'full' },
              api: { status: 'ready' },
            },
          },
        },
      },
    });
    platform.on('GET /v1/healthz', { body: { ok: true, metadata: { status: 'healthy' } } });
    const { body } = await get(dashboard(), '/api/health');
    expect(body).toEqual({
      service: 'p',
      version: '1.2.0',
      probes: { livez: true, readyz: false, healthz: true },
      subsystems: [
        { name: 'queue', ok: false, degraded: false, detail: 'full', checked_age: '—' },
        { name: 'api', ok: true, degraded: false, detail: 'ready', checked_age: '—' },
      ],
    });
  });

  test('the platform audit is newest first; empty filters are none (OD-043, OD-066)', async () => {
    platform.on('GET /v1/audit-events', {
      body: { events: [{ id: 'a', event_type: 'run.created', created_at: 't' }], total: 1 },
    });
    const { body } = await get(dashboard(), '/api/audit?event_type=&run_id=r1');
    expect(platform.calls[0]?.query).toEqual({
      run_id: 'r1',
      sort_by: 'created_at',
      sort_order: 'desc',
      limit: '50',
      offset: '0',
    });
    expect(body.rows[0]).toEqual({
      id: 'a',
      event_type: 'run.created',
      run_id: null,
      continuation_id: null,
      actor: null,
      created_at: 't',
      metadata: {},
    });
  });
});

describe('static UI and metrics', () => {
  test('66 metrics need a long token (OD-021 to OD-023)', async () => {
    expect((await get(dashboard(), '/metrics')).status).toBe(404);
    const token = 't'.repeat(32);
    const to = dashboard({ env: { DASH_METRICS_TOKEN: token } });
    const refused = await get(to, '/metrics');
    expect(refused.status).toBe(401);
    expect(refused.headers['www-authenticate']).toBe('Bearer');
    await get(to, '/api/me');
    await get(to, '/api/none');
    const { body } = await get(to, '/metrics', { authorization: `Bearer ${token}` });
    expect(body).toContain('dash_build_info{version=');
    expect(body).toContain(
      'dash_http_requests_total{method="GET",route="/api/me",status_class="2xx"} 1',
    );
    expect(body).toContain('route="__unmatched__",status_class="4xx"');
    expect(body).toContain('dash_store_rows{table="audit_log"} 0');
    expect(body).toContain('dash_store_reachable 1');
    expect(body).not.toContain('dash_store_state_bytes');
  });

  test('67 deep links get the index, nothing leaves the folder, /api never falls through (OD-001, OD-004)', async () => {
    const ui = path.join(folder, 'ui');
    mkdirSync(path.join(ui, 'assets'), { recursive: true });
    writeFileSync(path.join(ui, 'index.html'), '<html>ui</html>');
    writeFileSync(path.join(ui, 'assets', 'x.js'), 'x');
    writeFileSync(path.join(folder, 'secret.txt'), 'hush');
    const to = dashboard({ spaDir: ui });
    const deep = await get(to, '/runs/abc');
    expect(deep).toMatchObject({ status: 200, body: '<html>ui</html>' });
    expect(deep.headers['cache-control']).toBe('no-cache');
    expect((await get(to, '/..%2fsecret.txt')).body).toBe('<html>ui</html>');
    const asset = await get(to, '/assets/x.js');
    expect(asset.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect((await get(to, '/assets/none.js')).status).toBe(404);
    expect((await get(to, '/api/none')).body).toMatchObject({ code: 'not_found' });
    expect((await get(to, '/api/launch/load')).status).toBe(405);
    expect((await send(to, 'POST', '/runs', {})).status).toBe(405);
  });

  test('without a built UI only /api is served', async () => {
    expect((await get(dashboard({ spaDir: folder }), '/')).status).toBe(404);
  });
});
