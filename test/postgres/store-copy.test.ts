// A store goes from a file to PostgreSQL and back: nothing is lost, and a copy that is killed goes on.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import BetterSqlite3 from 'better-sqlite3';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { lockDataFolder } from '../../server/host/instance-lock.ts';
import { transferStore } from '../../server/host/store-transfer.ts';
import { sha256Hex } from '../../server/kernel/sha256.ts';
import { holdPostgres } from '../../server/store/hold-postgres.ts';
import { openDatabase } from '../../server/store/open-database.ts';
import { openPostgres } from '../../server/store/open-postgres.ts';
import { externalAt } from '../support/chosen-store.ts';
import { type Cli, createCli, GREETER } from '../support/cli.ts';
import { databasesOf } from '../support/postgres-server.ts';
import { dumpOf, fillByChance } from '../support/random-rows.ts';

const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url));
const FILES = { migrations: MIGRATIONS } as Parameters<typeof transferStore>[1]['files'];
const PLACES = {
  platform: 'platform.db',
  dashboard: 'dashboard.db',
  studio: path.join('studio', 'studio.db'),
} as const;
type Store = keyof typeof PLACES;

const server = databasesOf(inject('postgres'));
let folder: string;
let url: string;
let cli: Cli;

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'store-copy-'));
  url = await server.createDatabase();
  cli = createCli();
});
afterEach(async () => {
  cli.dispose();
  await server.dropDatabase(url);
  rmSync(folder, { recursive: true, force: true });
});

const place = (name: string, store: Store) => path.join(folder, name, PLACES[store]);
const copy = (store: Store, from: string, to: string) =>
  transferStore({ store, from, to }, { env: {}, files: FILES, now: () => Date.now() });
const inFolder = (name: string) => path.join(folder, name);

/** A store in a folder of its own, filled. */
function make(name: string, store: Store, fill: (sqlite: BetterSqlite3.Database) => void): void {
  const file = place(name, store);
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const migrations = path.join(MIGRATIONS, store);
  const opened = openDatabase({ name: store, file, migrations, now: () => 0 });
  fill(opened.sqlite);
  opened.close();
}

function dump(name: string, store: Store): Record<string, string[]> {
  const sqlite = new BetterSqlite3(place(name, store), { readonly: true });
  try {
    const { schema_migrations: _ledger, ...rest } = dumpOf(sqlite);
    return rest;
  } finally {
    sqlite.close();
  }
}

async function ask(statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

/** A row for each number, enough that a copy of them takes a while. */
const audits = (count: number) => (sqlite: BetterSqlite3.Database) =>
  sqlite.exec(`WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ${count})
    INSERT INTO audit (at, action, principal_id, outcome, detail)
    SELECT 'now', 'act ' || n, 'nobody', 'allowed', '{}' FROM n`);

/** All rules that PostgreSQL keeps of tables, and what it does by itself. */
const RULES = `SELECT conrelid::regclass::text AS place, conname, pg_get_constraintdef(oid) AS rule
  FROM pg_constraint WHERE connamespace = 'public'::regnamespace
  UNION ALL SELECT tgrelid::regclass::text, tgname, tgenabled::text FROM pg_trigger
  WHERE NOT tgisinternal ORDER BY 1, 2`;

async function openExternal(store: Store) {
  const external = externalAt(url);
  return openPostgres({
    ...{ name: store, external, migrations: path.join(MIGRATIONS, store), now: () => 0 },
  });
}

describe('a store of random rows is the same after a way to PostgreSQL and back', () => {
  for (const store of ['platform', 'dashboard', 'studio'] as const) {
    test.each([1, 2])(`${store} %i`, async (seed) => {
      await (await openExternal(store)).close();
      const rules = await ask(RULES);
      let filled = 0;
      make('one', store, (sqlite) => {
        filled = fillByChance(sqlite, seed, 40);
      });
      expect(filled).toBeGreaterThan({ platform: 600, dashboard: 150, studio: 800 }[store]);
      const there = await copy(store, inFolder('one'), url);
      expect(there.rows).toBe(filled);
      // What was lifted for the copy is there again.
      expect(await ask(RULES)).toEqual(rules);
      const back = await copy(store, url, inFolder('two'));
      expect(back.tables).toEqual(there.tables);
      const [before, after] = [dump('one', store), dump('two', store)];
      if (store === 'dashboard') {
        // The counter of starts, which says that nobody put the file back from a copy.
        const isCounter = (row: string) => row.includes('"db_generation"');
        expect(after['config']?.filter(isCounter)).toHaveLength(1);
        after['config'] = after['config']?.filter((row) => !isCounter(row)) ?? [];
      }
      // Each database indexes texts for itself, from the start.
      const plain = (row: string) => row.replace(/"indexed":"-?\d+n"/, '');
      if (store === 'platform') {
        expect(after['run_search']?.every((row) => row.includes('"indexed":"0n"'))).toBe(true);
        for (const dumped of [before, after]) {
          dumped['run_search'] = dumped['run_search']?.map(plain).sort() ?? [];
        }
      }
      expect(after).toEqual(before);
    });
  }
});

test('numbers go on after those that were given, also to rows that are gone', async () => {
  make('one', 'studio', (sqlite) => {
    fillByChance(sqlite, 4, 10);
    sqlite.exec(`DELETE FROM audit; DELETE FROM draft_version;
      UPDATE sqlite_sequence SET seq = 4000 WHERE name = 'draft_version'`);
    audits(3)(sqlite);
  });
  await copy('studio', inFolder('one'), url);
  const next = (table: string) =>
    ask(`SELECT nextval(pg_get_serial_sequence('${table}', 'id'))::int AS n`);
  expect(await next('draft_version')).toEqual([{ n: 4001 }]);
  expect(await next('audit')).toEqual([{ n: 4 }]);
  await copy('studio', url, inFolder('two'));
  const sqlite = new BetterSqlite3(place('two', 'studio'));
  const sequence = "SELECT seq FROM sqlite_sequence WHERE name = 'draft_version'";
  expect(sqlite.prepare(sequence).pluck().get()).toBe(4001);
  sqlite.close();
});

test('a platform that opens the copy has the runs of before, finds them and makes others', {
  timeout: 120_000,
}, async () => {
  const there = { SERV_DATABASE_URL: url };
  const data = ['--data', inFolder('one'), '--json'];
  const run = async (input: string, env: Record<string, string>) => {
    const spec = cli.write('g.yaml', GREETER);
    const made = await cli.run(['run', spec, '--input', input, ...data], env);
    expect(made.code, made.stderr).toBe(0);
    return String(made.json.run_id);
  };
  const listed = async (words: readonly string[]) => {
    const found = await cli.run(['runs', 'list', ...words, ...data], there);
    expect(found.code, found.stderr).toBe(0);
    return found.json.runs.map((one: { run_id: string }) => one.run_id);
  };
  const before = await run('a walrus sings', {});
  const order = ['--store', 'platform', '--from', inFolder('one'), '--to', 'env:SERV_DATABASE_URL'];
  const copied = await cli.run(['stores', 'copy', ...order], there);
  expect(copied.code, copied.stderr).toBe(0);
  expect(copied.stdout).toMatch(
    /✓ platform: \d+ tables, \d+ rows; counts and checksums are the same/,
  );
  const after = await run('another one', there);
  expect((await listed([])).sort()).toEqual([before, after].sort());
  const trace = await cli.run(['runs', 'trace', before, ...data], there);
  expect(trace.stdout).toContain('run_completed');
});

describe('a copy that is killed', () => {
  const ROWS = 40_000;
  const words = (from: string, to: string) => [
    ...['stores', 'copy', '--store', 'studio', '--from', from, '--to', to, '--json'],
  ];

  async function killed(from: string, to: string, isOnItsWay: () => Promise<boolean>) {
    const child = cli.start(words(from, to), { THERE: url });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    await expect.poll(isOnItsWay, { interval: 10 }).toBe(true);
    child.kill('SIGKILL');
    await ended;
  }

  test('on its way to PostgreSQL is served by nobody, and goes on', {
    timeout: 120_000,
  }, async () => {
    make('one', 'studio', audits(ROWS));
    const noted = async () => {
      const [found] = await ask("SELECT to_regclass('store_copy')::text AS there");
      if (found?.['there'] === null) return false;
      const notes = await ask("SELECT name FROM store_copy WHERE name = 'table audit'");
      return notes.length > 0;
    };
    await killed(inFolder('one'), 'env:THERE', noted);
    const [half] = await ask('SELECT count(*)::int AS n FROM audit');
    expect(half?.['n']).toBeGreaterThan(0);
    expect(half?.['n']).toBeLessThan(ROWS);
    await expect(openExternal('studio')).rejects.toMatchObject({ code: 'store_half_copied' });
    // Another source is no way to go on.
    make('other', 'studio', audits(2));
    await expect(copy('studio', inFolder('other'), url)).rejects.toThrow(
      /half a copy from another/,
    );
    const done = await cli.run(words(inFolder('one'), 'env:THERE'), { THERE: url });
    expect(done.code, done.stderr).toBe(0);
    expect(done.json.rows).toBe(ROWS);
    await (await openExternal('studio')).close();
    expect(await ask('SELECT count(*)::int AS n FROM audit')).toEqual([{ n: ROWS }]);
  });

  test('on its way back leaves nothing in the place, and goes on', {
    timeout: 120_000,
  }, async () => {
    make('one', 'studio', audits(ROWS));
    await copy('studio', inFolder('one'), url);
    const file = place('two', 'studio');
    const noted = async () => {
      if (!existsSync(`${file}.part`)) return false;
      const part = new BetterSqlite3(`${file}.part`, { readonly: true });
      try {
        return (
          part.prepare("SELECT 1 FROM store_copy WHERE name = 'table audit'").get() !== undefined
        );
      } catch {
        return false;
      } finally {
        part.close();
      }
    };
    await killed('env:THERE', inFolder('two'), noted);
    expect(existsSync(file)).toBe(false);
    const done = await cli.run(words('env:THERE', inFolder('two')), { THERE: url });
    expect(done.code, done.stderr).toBe(0);
    expect(dump('two', 'studio')).toEqual(dump('one', 'studio'));
    expect(readdirSync(path.dirname(file)).filter((name) => name.includes('.part'))).toEqual([]);
  });
});

describe('a copy is refused', () => {
  test('into a place that holds rows', async () => {
    make('one', 'studio', audits(2));
    make('two', 'studio', audits(1));
    await expect(copy('studio', inFolder('one'), inFolder('two'))).rejects.toThrow(/holds rows/);
    await copy('studio', inFolder('one'), url);
    await expect(copy('studio', inFolder('two'), url)).rejects.toThrow(/holds rows/);
    expect(await ask('SELECT count(*)::int AS n FROM audit')).toEqual([{ n: 2 }]);
    expect(dump('two', 'studio')['audit']).toHaveLength(1);
  });

  test('where source or target are at other migrations', async () => {
    make('one', 'studio', (sqlite) => {
      sqlite.exec('DELETE FROM schema_migrations WHERE version = 8');
    });
    await expect(copy('studio', inFolder('one'), url)).rejects.toThrow(/Start its service once/);
    make('two', 'studio', audits(1));
    await (await openExternal('studio')).close();
    await ask('DELETE FROM schema_migrations WHERE version = 8');
    await expect(copy('studio', inFolder('two'), url)).rejects.toThrow(/Start its service once/);
    expect(await ask('SELECT max(version) AS n FROM schema_migrations')).toEqual([{ n: 7 }]);
  });

  test('while a service serves from one of them, and where there is nothing to copy', async () => {
    make('one', 'studio', audits(1));
    await expect(copy('studio', inFolder('nowhere'), url)).rejects.toThrow(/no studio store/);
    await expect(copy('studio', url, inFolder('two'))).rejects.toThrow(/no studio store/);
    await expect(copy('studio', inFolder('one'), inFolder('one'))).rejects.toThrow(/the same/);
    const lock = lockDataFolder(inFolder('one'), 0, ['studio']);
    await expect(copy('studio', inFolder('one'), url)).rejects.toThrow(/uses the data folder/);
    lock.release();
    const hold = await holdPostgres('studio', externalAt(url));
    await expect(copy('studio', inFolder('one'), url)).rejects.toThrow(/in use by another process/);
    await hold.release();
  });

  test('in the end, when the source was changed meanwhile', { timeout: 60_000 }, async () => {
    make('one', 'studio', audits(3));
    await copy('studio', inFolder('one'), url);
    // As a stopped copy leaves it, with a source that went on.
    await ask(`CREATE TABLE store_copy AS SELECT 'source' AS name,
      '${sha256Hex(`folder ${inFolder('one')}`)}' AS value
      UNION ALL SELECT 'table audit', '{"rows":3,"isWhole":true,"position":["3"]}'`);
    await ask('ALTER TABLE store_copy ADD PRIMARY KEY (name)');
    make('one', 'studio', audits(1));
    await expect(copy('studio', inFolder('one'), url)).rejects.toMatchObject({
      code: 'copy_differs',
      message: expect.stringContaining('3 of 4 rows'),
    });
    await expect(openExternal('studio')).rejects.toMatchObject({ code: 'store_half_copied' });
  });
});
