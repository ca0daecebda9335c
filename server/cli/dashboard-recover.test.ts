import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Cli, createCli } from '../../test/support/cli.ts';
import { readDashboardConfig } from '../dashboard/config.ts';
import { startDashboard } from '../dashboard/service.ts';
import type { DashboardTables } from '../store/dashboard-tables.ts';
import { openDatabase } from '../store/open-database.ts';

const MIGRATIONS = path.resolve(import.meta.dirname, '../../migrations/dashboard');
const MAP = '{"viewer":[],"operator":["run.control"],"admin":["settings.write","launch"]}';

let cli: Cli;
let file: string;

beforeEach(() => {
  cli = createCli();
  file = path.join(cli.folder, 'data', 'dashboard.db');
});
afterEach(() => cli.dispose());

const recover = (...words: string[]) =>
  cli.run(['dashboard', 'recover', '--data', path.dirname(file), ...words]);

/** A start of the service that ends at once. */
async function serveOnce(): Promise<void> {
  const dashboard = await startDashboard({
    config: readDashboardConfig({ DASH_DEV_MODE: '1', XDG_CONFIG_HOME: cli.folder }),
    host: '127.0.0.1',
    port: 0,
    databaseFile: file,
    migrationsDir: MIGRATIONS,
    platform: { url: 'http://127.0.0.1:9' },
    clock: { now: () => Date.now() },
    ids: { uuid: () => crypto.randomUUID(), hex: () => crypto.randomUUID().replaceAll('-', '') },
    log: { info() {}, warn() {}, error() {} },
  });
  await dashboard.stop();
}

async function inStore<T>(
  look: (db: ReturnType<typeof openDatabase<DashboardTables>>['db']) => Promise<T>,
) {
  const store = openDatabase<DashboardTables>({
    name: 'dashboard',
    file,
    migrations: MIGRATIONS,
    now: () => Date.now(),
  });
  try {
    return await look(store.db);
  } finally {
    store.close();
  }
}

const settings = (namespace: string) =>
  inStore((db) =>
    db
      .selectFrom('config')
      .select(['key', 'value', 'version'])
      .where('namespace', '=', namespace)
      .orderBy('key')
      .execute(),
  );

async function addConnection(value: string): Promise<void> {
  const at = '2026-11-21T00:00:00.000000Z';
  await inStore((db) =>
    db
      .insertInto('config')
      .values({
        ...{ namespace: 'connections', key: 'prod', value, version: 1 },
        ...{ created_by: 'ada', created_at: at, updated_at: at },
      })
      .execute(),
  );
}

const LOCKED = [
  {
    key: 'default',
    value: '{"viewer":[],"operator":[],"admin":["settings.write"]}',
    version: 1,
  },
];

test('recover locks down once, --status is a gate with exit 3 (OD-007, contract/dashboard.md 16)', async () => {
  expect(await recover('--status')).toMatchObject({ code: 0, stdout: '', stderr: '' });
  await inStore((db) =>
    db
      .insertInto('sessions')
      .values({
        ...{ id: 's', operator_identity: 'ada', role: 'admin', map_version: 0 },
        ...{ created_at: 'x', expires_at: 'x', last_seen_at: 'x' },
      })
      .execute(),
  );
  expect((await recover('--reason', 'disk lost')).code).toBe(0);
  expect((await recover('--reason', 'another')).code).toBe(0);
  const status = await recover('--status');
  expect([status.code, status.stdout]).toEqual([3, '']);
  expect(status.stderr).toMatch(/^specwright: in recovery since \S+: disk lost\n$/);
  expect(await settings('access')).toEqual(LOCKED);
  expect(await inStore((db) => db.selectFrom('sessions').selectAll().execute())).toEqual([]);
}, 60_000);

test('a store that was put back is found by --status, and only --reconcile leads out', async () => {
  await serveOnce();
  await addConnection('{"profile":null,"label":"P"}');
  rmSync(`${file}.generation`);
  expect((await recover('--status')).code).toBe(3);
  cli.write('map.json', MAP);
  const out = await recover('--reconcile', '--access-map', 'map.json', '--keep-connections');
  expect(out).toMatchObject({ code: 0, stdout: 'The dashboard is out of recovery.\n' });
  expect(existsSync(`${file}.generation`)).toBe(true);
  await serveOnce();
  expect((await recover('--status')).code).toBe(0);
  expect(await settings('access')).toEqual([
    {
      key: 'default',
      value: '{"viewer":[],"operator":["run.control"],"admin":["launch","settings.write"]}',
      version: 2,
    },
  ]);
  expect(await settings('connections')).toHaveLength(1);
}, 60_000);

test('--connections replaces what is stored', async () => {
  await addConnection('{"profile":null,"label":"P"}');
  await recover();
  cli.write('map.json', MAP);
  cli.write('connections.json', '{"dev":{"profile":"","label":"D"},"qa":{"profile":"q"}}');
  const words = ['--reconcile', '--access-map', 'map.json', '--connections', 'connections.json'];
  expect((await recover(...words)).code).toBe(0);
  expect(await settings('connections')).toEqual([
    { key: 'dev', value: '{"profile":null,"label":"D"}', version: 1 },
    { key: 'qa', value: '{"profile":"q","label":""}', version: 1 },
  ]);
}, 60_000);

test('what cannot be vouched for keeps the lock: exit 1', async () => {
  await addConnection('{"profile":7}');
  await recover();
  cli.write('map.json', MAP);
  cli.write('bad-role.json', '{"boss":["launch"],"admin":["settings.write"]}');
  cli.write('no-admin.json', '{"admin":["launch"]}');
  cli.write('not.json', '{');
  cli.write('bad.json', '{"dev":{"label":"x","profile":3}}');
  const cases = [
    ['bad-role.json', '--keep-connections'],
    ['no-admin.json', '--keep-connections'],
    ['not.json', '--keep-connections'],
    ['absent.json', '--keep-connections'],
    ['map.json', '--connections', 'bad.json'],
    ['map.json', '--keep-connections'],
  ];
  for (const [map = '', ...more] of cases) {
    const { code, stderr } = await recover('--reconcile', '--access-map', map, ...more);
    expect([map, code, stderr.startsWith('✗ ')]).toEqual([map, 1, true]);
  }
  expect((await recover('--status')).code).toBe(3);
  expect(await settings('access')).toEqual(LOCKED);
  expect(await settings('connections')).toHaveLength(1);
}, 120_000);

test('words that do not go together: exit 2; nothing to reconcile: exit 1', async () => {
  for (const words of [
    ['--reconcile'],
    ['--reconcile', '--access-map', 'm'],
    ['--reconcile', '--access-map', 'm', '--connections', 'c', '--keep-connections'],
    ['--access-map', 'm'],
    ['--keep-connections'],
    ['--status', '--reason', 'x'],
    ['--status', '--reconcile', '--access-map', 'm', '--keep-connections'],
  ]) {
    expect([words, (await recover(...words)).code]).toEqual([words, 2]);
  }
  cli.write('map.json', MAP);
  const out = await recover('--reconcile', '--access-map', 'map.json', '--keep-connections');
  expect(out.code).toBe(1);
  expect(out.stderr).toContain('not in recovery');
}, 120_000);
