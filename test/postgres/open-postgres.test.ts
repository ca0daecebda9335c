// What every service relies on when its store is an external database.
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import {
  DATABASE_SETTINGS,
  databaseAddress,
  type ExternalDatabase,
  externalDatabase,
} from '../../server/contract/database.ts';
import { readSettings } from '../../server/contract/settings.ts';
import { isStoreBusy } from '../../server/kernel/store-busy.ts';
import type { DashboardTables } from '../../server/store/dashboard-tables.ts';
import { migratePostgres } from '../../server/store/migrate-postgres.ts';
import { postgresMigrations } from '../../server/store/migration-files.ts';
import { type ExternalStore, openPostgres } from '../../server/store/open-postgres.ts';
import { openPool } from '../../server/store/postgres-pool.ts';
import { databasesOf } from '../support/postgres-server.ts';

const MIGRATIONS = fileURLToPath(new URL('../../migrations/dashboard', import.meta.url));
const GROUP = { title: 'a test', prefix: 'T_', alias: undefined, settings: DATABASE_SETTINGS };

const server = databasesOf(inject('postgres'));
const opened: ExternalStore<DashboardTables>[] = [];
let url: string;
let folder: string;

beforeEach(async () => {
  url = await server.createDatabase();
  folder = mkdtempSync(path.join(tmpdir(), 'postgres-test-'));
});
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
  await server.dropDatabase(url);
  rmSync(folder, { recursive: true, force: true });
});

function external(address = url, env: Record<string, string> = {}): ExternalDatabase {
  const read = externalDatabase(
    databaseAddress.schema.parse(address),
    readSettings(GROUP, { T_DATABASE_CONNECT_TIMEOUT_SECONDS: '2', ...env }),
  );
  if (read === undefined) throw new Error('no address');
  return read;
}

async function open(change: Partial<Parameters<typeof openPostgres>[0]> = {}) {
  const store = await openPostgres<DashboardTables>({
    ...{ name: 'dashboard', external: external(), migrations: MIGRATIONS, now: () => 0 },
    ...change,
  });
  opened.push(store);
  return store;
}

async function run(statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

const ledger = () => run('SELECT version, name, sha256 FROM schema_migrations ORDER BY version');

/** A folder of migrations that the test may change. */
function ownMigrations(): string {
  cpSync(
    path.join(path.dirname(MIGRATIONS), 'postgres', 'dashboard'),
    path.join(folder, 'postgres', 'dashboard'),
    {
      recursive: true,
    },
  );
  mkdirSync(path.join(folder, 'dashboard'));
  return path.join(folder, 'dashboard');
}

const annotation = (id: string, body: string) => ({
  ...{ id, run_id: 'r', body, tags: '[]', created_by: 'me', version: 1 },
  ...{ created_at: '2026-01-01T00:00:00.000000+00:00', updated_at: '2026-01-01' },
});

test.each(['advisory', 'rows'])(
  'nodes that start at once migrate once: locks are %s',
  async (locks) => {
    const at = external(url, { T_DATABASE_LOCKS: locks });
    const stores = await Promise.all(Array.from({ length: 6 }, () => open({ external: at })));
    expect(new Set(stores.map(({ schemaVersion }) => schemaVersion))).toEqual(new Set([3]));
    expect((await ledger()).map(({ version }) => version)).toEqual([1, 2, 3]);
  },
);

test.each([1, 2, 3, 4])(
  'a node that looks while another one makes the tables takes them for its own: after look %i',
  async (look) => {
    const pool = openPool(external(), () => undefined);
    let asked = 0;
    const connect = async () => {
      const client = await pool.connect();
      const query = client.query.bind(client) as (...words: unknown[]) => Promise<unknown>;
      const slow = async (...words: unknown[]) => {
        const answer = await query(...words);
        asked += 1;
        if (asked === look) await open();
        return answer;
      };
      return Object.assign(client, { query: slow });
    };
    const options = {
      store: 'dashboard',
      folder: postgresMigrations(MIGRATIONS),
      now: 'now',
      pooler: false,
    };
    try {
      const other = { connect } as unknown as typeof pool;
      expect(await migratePostgres(other, { ...options, locks: 'advisory' })).toBe(3);
    } finally {
      await pool.end();
    }
    expect((await ledger()).map(({ version }) => version)).toEqual([1, 2, 3]);
  },
);

test('a store that is there already is opened as it is, also without the right to make tables', async () => {
  await open();
  await run('REVOKE CREATE ON SCHEMA public FROM PUBLIC');
  const before = await ledger();
  await open();
  expect(await ledger()).toEqual(before);
});

test('a step that fails keeps nothing of any step, and the next start goes on', async () => {
  const migrations = ownMigrations();
  const broken = path.join(folder, 'postgres', 'dashboard', '0004_broken.sql');
  writeFileSync(broken, 'CREATE TABLE half (id BIGINT); SELECT no_such_function();');
  await expect(open({ migrations })).rejects.toMatchObject({ code: 'migration_failed' });
  expect(await run("SELECT 1 FROM pg_tables WHERE schemaname = 'public'")).toEqual([]);
  rmSync(broken);
  expect((await open({ migrations })).schemaVersion).toBe(3);
});

test('a newer store, an edited step and tables of others are refused, and nothing is written', async () => {
  const migrations = ownMigrations();
  await open({ migrations });
  const at = path.join(folder, 'postgres', 'dashboard');
  writeFileSync(path.join(at, '0002_launch_details.sql'), '-- something else');
  await expect(open({ migrations })).rejects.toMatchObject({ code: 'migration_edited' });
  rmSync(path.join(at, '0003_launch_runs.sql'));
  await expect(open({ migrations })).rejects.toMatchObject({ code: 'store_newer' });
  writeFileSync(path.join(at, '0001_initial.sql'), '-- of another service');
  await expect(open({ migrations })).rejects.toMatchObject({ code: 'store_corrupt' });
  await run('DROP TABLE schema_migrations');
  const tables = await run("SELECT tablename FROM pg_tables WHERE schemaname = 'public'");
  await expect(open()).rejects.toMatchObject({ code: 'store_corrupt' });
  expect(await run("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")).toEqual(tables);
});

test('texts come back as they were, U+0000 too, and are in the order of their characters', async () => {
  const { db } = await open();
  const bodies = ['a\0b', '\uFFFE0', '\uFFFE\0\uFFFE1', 'Zebra', 'apple', 'Äpfel', ''];
  for (const [index, body] of bodies.entries()) {
    await db
      .insertInto('annotations')
      .values(annotation(`n${index}`, body))
      .execute();
  }
  const rows = await db.selectFrom('annotations').selectAll().orderBy('id').execute();
  expect(rows.map(({ body }) => body)).toEqual(bodies);
  expect(rows[0]?.version).toBe(1);
  const ordered = await db.selectFrom('annotations').select('body').orderBy('body').execute();
  const words = ordered.map(({ body }) => body).filter((body) => /^\p{L}{3,}$/u.test(body));
  expect(words).toEqual(['Zebra', 'apple', 'Äpfel']);
  const found = await db
    .selectFrom('annotations')
    .select('id')
    .where('body', '=', 'a\0b')
    .execute();
  expect(found).toEqual([{ id: 'n0' }]);
});

test('tables that a restore gave to somebody else are told of, and whose they must be', async () => {
  await open();
  await run('REVOKE ALL ON ALL TABLES IN SCHEMA public FROM CURRENT_USER');
  await expect(open()).rejects.toMatchObject({
    code: 'store_denied',
    message: expect.stringContaining('owner of the database and of every table in it'),
  });
});

test('who cannot be reached or let in is told what to do, without the address', async () => {
  const { hostname, port, password } = new URL(url);
  const faults = [
    [url.replace(password, 'a-wrong-password'), 'store_denied'],
    [url.replace(/\/d_\w+/, '/no_such_database'), 'store_denied'],
    [url.replace(`:${port}`, ':1'), 'store_unreachable'],
    [url.replace('sslmode=disable', 'sslmode=require'), 'store_unreachable'],
  ] as const;
  for (const [address, code] of faults) {
    const fault: unknown = await open({ external: external(address) }).catch((error) => error);
    expect(fault).toMatchObject({ code });
    const words = String(fault);
    for (const secret of [password, 'a-wrong-password', hostname, 'd_']) {
      expect(words).not.toContain(secret);
    }
  }
});

test('a statement of a database that went away counts as busy, and the next one works again', async () => {
  const store = await open({ external: external(url, { T_DATABASE_POOL_MAX: '2' }) });
  const name = new URL(url).pathname.slice(1);
  const slow = store.db.selectNoFrom((eb) => eb.fn('pg_sleep', [eb.val(20)]).as('slept'));
  const waiting = slow.execute().catch((error: unknown) => error);
  await expect
    .poll(() =>
      run(
        "SELECT 1 FROM pg_stat_activity WHERE query LIKE '%pg_sleep(%' AND pid <> pg_backend_pid()",
      ),
    )
    .toHaveLength(1);
  await server.asOwner(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`,
  );
  expect(isStoreBusy(await waiting)).toBe(true);
  // The pool may hold a second connection, and not have heard yet that it is cut.
  const next = () => store.db.selectFrom('annotations').selectAll().execute();
  await expect.poll(() => next().catch(() => undefined)).toEqual([]);
});

test('a statement that takes too long ends', async () => {
  const at = external(url, { T_DATABASE_STATEMENT_TIMEOUT_SECONDS: '0.2' });
  const { db } = await open({ external: at });
  const slow = db.selectNoFrom((eb) => eb.fn('pg_sleep', [eb.val(20)]).as('slept'));
  await expect(slow.execute()).rejects.toMatchObject({ code: '57014' });
});
