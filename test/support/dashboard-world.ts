// The world that the dashboard's wire tests share.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { InjectOptions } from 'fastify';
import { Kysely } from 'kysely';
import { afterEach, beforeEach } from 'vitest';
import { readDashboardConfig } from '../../server/dashboard/config.ts';
import {
  type DashboardStore,
  openDashboardStore,
  openFileStore,
} from '../../server/dashboard/dashboard-store.ts';
import {
  buildDashboard,
  type DashboardApp,
  type DashboardOptions,
} from '../../server/dashboard/service.ts';
import type { Log } from '../../server/kernel/log.ts';
import { toTimestamp } from '../../server/kernel/timestamp.ts';
import type { DashboardTables } from '../../server/store/dashboard-tables.ts';
import { postgresDialect } from '../../server/store/postgres-dialect.ts';
import { openPool } from '../../server/store/postgres-pool.ts';
import type { StoreOptions } from '../../server/store/store-options.ts';
import { externalAt, onPostgres, TestDatabases } from './chosen-store.ts';
import { type FakePlatform, startFakePlatform } from './fake-platform.ts';
import type { Loose } from './platform.ts';

export const MIGRATIONS = fileURLToPath(new URL('../../migrations/dashboard', import.meta.url));
export const NOW = Date.parse('2026-11-21T12:00:00Z');
export const HOUR = 3_600_000;

export let platform: FakePlatform;
export let folder: string;
/** Those that the test opened; they are closed after it. */
export const open: DashboardApp[] = [];
/** The dashboards' clock. */
export const clock = { now: NOW };

const databases = new TestDatabases('dashboard');

/** Each test of the file that calls this gets a platform and a folder of its own. */
export function freshDashboards(): void {
  beforeEach(async () => {
    clock.now = NOW;
    platform = await startFakePlatform();
    folder = mkdtempSync(path.join(tmpdir(), 'dash-'));
  });
  afterEach(async () => {
    for (const dashboard of open.splice(0)) await dashboard.close();
    await databases.drop();
    await platform.close();
    rmSync(folder, { recursive: true, force: true });
  });
}

interface Setup {
  env?: Record<string, string>;
  platform?: { url?: string; apiKey?: string };
  databaseFile?: string;
  spaDir?: string;
  requireKey?: string;
  log?: Log;
}

/** The store of a dashboard; a database is opened by its first query, since tests build them at once. */
function storeOf(options: Omit<StoreOptions, 'external'>): DashboardStore {
  if (!onPostgres) return openFileStore(options);
  const url = databases.of(options.databaseFile);
  const migrated = async () => {
    const external = externalAt(await url);
    const opened = await openDashboardStore({ ...options, external });
    await opened.close();
    return openPool(external, () => undefined);
  };
  const opening = migrated();
  // Who asks the store hears of it.
  opening.catch(() => undefined);
  return {
    db: new Kysely<DashboardTables>({ dialect: postgresDialect(opening) }),
    kind: 'external',
    bytes: () => null,
    hasRoom: async () => true,
    async close() {
      const pool = await opening;
      if (!pool.ending) await pool.end();
    },
  };
}

export function dashboard(setup: Setup = {}): DashboardApp {
  let n = 0;
  const options: DashboardOptions = {
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
    clock: { now: () => clock.now },
    ids: {
      uuid: () => `00000000-0000-4000-8000-${String(++n).padStart(12, '0')}`,
      hex: () => (++n).toString(16).padStart(32, '0'),
    },
    log: setup.log ?? { info() {}, warn() {}, error() {} },
    checkResponses: true,
  };
  const built = buildDashboard(options, storeOf(options));
  open.push(built);
  return built;
}

export async function ask(
  to: DashboardApp,
  method: string,
  url: string,
  options: InjectOptions = {},
) {
  const response = await to.app.fastify.inject({
    method: method as 'GET',
    url,
    ...options,
  });
  const text = response.body;
  const body: unknown = text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text;
  return { status: response.statusCode, headers: response.headers, body: body as Loose };
}
export const get = (to: DashboardApp, url: string, headers: Record<string, string> = {}) =>
  ask(to, 'GET', url, { headers });
export const send = (
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

export const run = (extra: Record<string, unknown> = {}) => ({
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
export const runPage = (runs: unknown[], total = runs.length) => ({
  runs,
  count: runs.length,
  total,
  window: 10_000,
  limit: 50,
  offset: 0,
});
