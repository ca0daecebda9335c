// What holds for every operation of the dashboard: the tables of dashboard.md 4, 6 and 7.
import { readFileSync, statSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { DASHBOARD_ERRORS } from '../../server/contract/dashboard/errors.ts';
import type { Route } from '../../server/contract/route.ts';
import { readDashboardConfig } from '../../server/dashboard/config.ts';
import { onPostgres } from '../support/chosen-store.ts';
import {
  clock,
  dashboard,
  folder,
  freshDashboards,
  get,
  platform,
  run,
  send,
} from '../support/dashboard-world.ts';
import type { Loose } from '../support/platform.ts';

freshDashboards();

const page = readFileSync(new URL('../../docs/contract/dashboard.md', import.meta.url), 'utf8');
const section = (from: string, to: string) => page.slice(page.indexOf(from), page.indexOf(to));

const isRoute = (value: unknown): value is Route =>
  typeof value === 'object' && value !== null && 'service' in value && 'responses' in value;
const ROUTES = Object.values(
  import.meta.glob<Record<string, unknown>>('../../server/contract/dashboard/*.ts', {
    eager: true,
  }),
).flatMap((module) => Object.values(module).filter(isRoute));

describe('settings', () => {
  test('the port and the limits of a service without settings (OD-003, OD-161)', () => {
    expect(readDashboardConfig({ XDG_CONFIG_HOME: folder })).toMatchObject({
      host: '127.0.0.1',
      port: 8090,
      sseMaxStreams: 5,
      sseSendTimeout: 30,
      stuckRunning: 120,
      stuckBlocked: 300,
    });
  });

  test('no other origin may ask, unless it is listed (OD-017)', async () => {
    const from = (to: ReturnType<typeof dashboard>, origin: string) =>
      send(to, 'POST', '/api/saved-filters', { name: 'n' }, { host: 'localhost:1', origin });
    const closed = dashboard();
    expect((await from(closed, 'http://other.example')).status).toBe(403);
    const listed = dashboard({ env: { DASH_CORS_ORIGINS: '["http://other.example"]' } });
    expect((await from(listed, 'http://other.example')).status).toBe(201);
    expect((await from(listed, 'http://third.example')).status).toBe(403);
  });
});

describe('who may do what', () => {
  /** Rows of dashboard.md 6: capability and who has it. */
  const rows = [
    ...section('## 6. ', 'Everything else needs only').matchAll(
      /^\| `([a-z.]+)` \|[^|]*\| *(x?) *\| *(x?) *\| *(x?) *\|/gm,
    ),
  ];

  test('every gated operation is refused to a role without its capability (OD-059, OD-063, OD-093, OD-142, OD-154)', async () => {
    expect(rows).toHaveLength(8);
    const gated = ROUTES.filter(({ access }) => rows.some(([, name]) => name === access));
    expect(new Set(gated.map(({ access }) => access)).size).toBe(8);
    const nonsense = { headers: { 'content-type': 'application/json' }, body: '{"zzz":1}' };
    for (const [at, role] of ['viewer', 'operator', 'admin'].entries()) {
      const to = dashboard({ env: { DASH_STATIC_OPERATOR_ROLE: role } });
      const { url } = await to.app.listen('127.0.0.1', 0);
      for (const { access, id, method, path: route } of gated) {
        const allowed = rows.find(([, name]) => name === access)?.[at + 2] === 'x';
        const address = `${url}/api${route.replace(/\{\w+\}/g, 'none')}`;
        const answer = await fetch(address, { method, ...(method === 'GET' ? {} : nonsense) });
        await answer.arrayBuffer();
        expect([role, id, answer.status !== 403]).toEqual([role, id, allowed]);
      }
    }
  });

  test('grants: none are no limit, an admin has every environment, roles are the known ones (OD-034, OD-035, OD-124, OD-125)', async () => {
    const to = dashboard();
    const at = '/api/settings/access/environments';
    expect((await get(to, at)).body).toEqual({ environments: {}, is_default: true, version: 0 });
    const put = (environments: object, version: number) =>
      send(to, 'PUT', at, { environments, version });
    expect(await put({ root: [] }, 0)).toMatchObject({
      status: 400,
      body: { code: 'bad_request' },
    });
    expect((await put({ admin: ['dev'], viewer: ['prod', 'dev'] }, 0)).body).toEqual({
      environments: { admin: ['dev'], viewer: ['dev', 'prod'] },
      is_default: false,
      version: 1,
    });
    expect(await put({}, 0)).toMatchObject({
      status: 409,
      body: { code: 'dashboard_state_conflict' },
    });
    expect((await get(to, '/api/me')).body.environments).toBeNull();
    platform.on('GET /v1/policies/environment/*', {
      body: { environment: 'prod', policy: {}, previous_policy: null },
    });
    expect((await get(to, '/api/policies/prod', { 'x-kneo-env': 'prod' })).status).toBe(200);
    expect((await put({}, 1)).body).toEqual({ environments: {}, is_default: false, version: 2 });
  });

  test('lists of an access map and of grants have bounds, and a refusal names what is too long (OD-122, OD-125)', async () => {
    const to = dashboard();
    const names = (count: number) => Array.from({ length: count }, (_, i) => `env-${i}`);
    const grants = (list: unknown, version = 0) =>
      send(to, 'PUT', '/api/settings/access/environments', {
        environments: { viewer: list },
        version,
      });
    const capabilities = (list: unknown) =>
      send(to, 'PUT', '/api/settings/access', {
        capabilities: { admin: ['settings.write'], viewer: list },
        version: 0,
      });
    const refused = [
      [await grants(names(1001)), 'body.environments.viewer: List should have at most 1000 items'],
      [
        await grants(['ok', 'e'.repeat(129)]),
        'body.environments.viewer.1: String should have at most 128 characters',
      ],
      [
        await capabilities(names(60_000)),
        'body.capabilities.viewer: List should have at most 1000 items',
      ],
      [
        await capabilities(['c'.repeat(129)]),
        'body.capabilities.viewer.0: String should have at most 128 characters',
      ],
    ] as const;
    for (const [answer, message] of refused) {
      expect(answer).toMatchObject({ status: 422, body: { code: 'request_invalid', message } });
    }
    for (const path of ['/api/settings/access', '/api/settings/access/environments']) {
      expect((await get(to, path)).body).toMatchObject({ is_default: true, version: 0 });
    }
    const most = [...names(999), 'e'.repeat(128)];
    expect((await grants(most)).body.environments.viewer).toHaveLength(1000);
    expect(await grants(0, 1)).toMatchObject({ status: 422, body: { code: 'request_invalid' } });
  });

  test('a launch into an environment that is not granted is refused (OD-084)', async () => {
    const databaseFile = path.join(folder, 'd.db');
    const admin = dashboard({ databaseFile });
    await send(admin, 'PUT', '/api/settings/access', {
      capabilities: { operator: ['launch'], admin: ['settings.write'] },
      version: 0,
    });
    await send(admin, 'PUT', '/api/settings/access/environments', {
      environments: { operator: ['dev'] },
      version: 0,
    });
    platform.on('POST /v1/specs/explain', { body: { summary: {} } });
    const to = dashboard({ databaseFile, env: { DASH_STATIC_OPERATOR_ROLE: 'operator' } });
    const load = (environment: string) =>
      send(
        to,
        'POST',
        '/api/launch/load',
        { spec: {}, environment },
        { 'x-kneo-env': environment },
      );
    expect((await load('dev')).status).toBe(200);
    expect((await load('prod')).status).toBe(403);
  });

  test('the log of the dashboard: newest first, a limit, for those who may read it (OD-044, OD-067)', async () => {
    const to = dashboard();
    platform.on('POST /v1/runs/*/cancel', { body: run({ status: 'cancelled' }) });
    for (const id of ['r1', 'r2', 'r3']) {
      clock.now += 1000;
      await send(to, 'POST', `/api/runs/${id}/cancel`, undefined, { 'x-kneo-env': 'dev' });
    }
    const { body } = await get(to, '/api/audit-log?limit=2');
    expect(body.entries.map((entry: Loose) => entry.target)).toEqual(['r3', 'r2']);
    expect(Object.keys(body.entries[0]).sort()).toEqual(
      ['action', 'created_at', 'environment', 'id', 'operator', 'outcome', 'target'].sort(),
    );
    expect(body.entries[0]).toMatchObject({ operator: 'static-operator', environment: 'dev' });
    const viewer = dashboard({ env: { DASH_STATIC_OPERATOR_ROLE: 'operator' } });
    expect((await get(viewer, '/api/audit-log')).status).toBe(403);
  });
});

test('every code of the contract is one that the dashboard has, with its status (OD-159)', () => {
  const table = [
    ...section('## 4. Errors', 'Platform error mapping').matchAll(
      /^\| (\d{3}) \|([^|]*)\|([^|]*)\|/gm,
    ),
  ];
  const known = new Map(
    Object.entries(DASHBOARD_ERRORS).map(([code, { status }]) => [code, status]),
  );
  const codes = table.flatMap(([, status, names = '', when = '']) =>
    [...`${names} ${names.includes('code') ? when : ''}`.matchAll(/`([a-z_]+)`/g)].map(
      ([, name = '']) => [name, Number(status)] as const,
    ),
  );
  expect(codes.length).toBeGreaterThan(25);
  const NOT_CODES = ['retry_after'];
  const missing = codes.filter(([name]) => !known.has(name) && !NOT_CODES.includes(name));
  expect(missing).toEqual([]);
  const first = codes.filter(([name], n) => codes.findIndex(([other]) => other === name) === n);
  const differing = first.filter(([name, status]) => known.has(name) && known.get(name) !== status);
  expect(differing).toEqual([]);
});

test.skipIf(onPostgres)(
  'metrics tell the bytes of a store that is a file, its rows and its sessions (OD-021, OD-022, OD-023)',
  async () => {
    const token = 't'.repeat(32);
    const databaseFile = path.join(folder, 'd.db');
    const to = dashboard({ databaseFile, env: { DASH_METRICS_TOKEN: token } });
    const session = (id: string, expires_at: string) => ({
      ...{ id, operator_identity: 'i', role: 'admin', map_version: 0 },
      ...{ created_at: expires_at, last_seen_at: expires_at, expires_at },
    });
    await to.deps.db
      .insertInto('sessions')
      .values([
        session('live', '2999-01-01T00:00:00.000000+00:00'),
        session('over', '2001-01-01T00:00:00.000000+00:00'),
      ])
      .execute();
    const value = async (series: string) => {
      const { body } = await get(to, '/metrics', { authorization: `Bearer ${token}` });
      return Number(
        body
          .split('\n')
          .find((line: string) => line.startsWith(`${series} `))
          ?.split(' ')[1],
      );
    };
    // What the system says of the file and of both beside it, which are there while it is open.
    const sizes = ['', '-wal', '-shm'].map((suffix) => statSync(`${databaseFile}${suffix}`).size);
    expect(Math.min(...sizes)).toBeGreaterThan(0);
    const total = sizes.reduce((sum, size) => sum + size, 0);
    expect(await value('dash_store_state_bytes')).toBe(total);
    expect(await value('dash_sessions_active')).toBe(1);
    expect(await value('dash_store_rows{table="launches"}')).toBe(0);
    platform.on('POST /v1/runs', { body: { run_id: 'r1', status: 'queued' } });
    await send(to, 'POST', '/api/launch/run', { spec: {}, input_text: '' });
    expect(await value('dash_store_rows{table="launches"}')).toBe(1);
    expect(await value('dash_store_rows{table="audit_log"}')).toBe(1);
    expect(await value('dash_store_state_bytes')).toBeGreaterThan(total);
  },
);

test('a reader that stalls is cut off after its time; one that reads is not (OD-151)', {
  timeout: 70_000,
}, async () => {
  const node = 'n'.repeat(60_000);
  platform.on('GET /v1/runs/*/trace', ({ query }) => ({
    body: {
      events: Array.from({ length: 100 }, () => ({ type: 'step', step_id: node })),
      total: Number(query['offset']) + 200,
      window: 10_000,
    },
  }));
  platform.on('GET /v1/runs/*', { body: run({ status: 'running' }) });
  const to = dashboard({ env: { DASH_SSE_SEND_TIMEOUT_SECONDS: '1' } });
  const { url } = await to.app.listen('127.0.0.1', 0);
  const port = Number(new URL(url).port);
  const open = () => {
    const socket = net.connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(`GET /api/runs/r1/trace/stream HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
    return socket;
  };
  const stalled = open();
  stalled.pause();
  await expect.poll(() => to.deps.streams.active()).toBe(1);
  await expect.poll(() => to.deps.streams.active(), { timeout: 30_000 }).toBe(0);
  stalled.destroy();
  const reading = open();
  let bytes = 0;
  reading.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  await expect.poll(() => bytes, { timeout: 30_000 }).toBeGreaterThan(0);
  await new Promise((resolve) => setTimeout(resolve, 2500));
  expect([to.deps.streams.active(), reading.readableEnded]).toEqual([1, false]);
  reading.destroy();
});
