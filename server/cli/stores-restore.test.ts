import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Cli, createCli, GREETER } from '../../test/support/cli.ts';

const LONG = { timeout: 120_000 };

let cli: Cli;
let data: string;
let kept: string;
let target: string;
beforeEach(() => {
  cli = createCli();
  data = path.join(cli.folder, 'data');
  kept = path.join(cli.folder, 'kept');
  target = path.join(cli.folder, 'new', 'data');
});
afterEach(() => cli.dispose());

const restore = (from = kept, to = target) =>
  cli.run(['stores', 'restore', '--from', from, '--data', to, '--json']);

async function backedUp(): Promise<string> {
  const spec = cli.write('g.yaml', GREETER);
  const made = await cli.run(['run', spec, '--input', 'one', '--data', data, '--json']);
  expect(made.code, made.stderr).toBe(0);
  const backup = await cli.run(['store', 'backup', '--data', data, '--to', kept, '--json']);
  expect(backup.code, backup.stderr).toBe(0);
  return made.json.run_id;
}

/** Nothing is left beside or in the place. */
function nothingMade(): void {
  const parent = path.dirname(target);
  expect(existsSync(parent) ? readdirSync(parent) : []).toEqual([]);
}

test('a backup becomes a data folder of its own, and stays as it is', LONG, async () => {
  const runId = await backedUp();
  const before = readFileSync(path.join(kept, 'platform.db'));
  const made = await restore();
  expect(made.code, made.stderr).toBe(0);
  expect(made.json).toMatchObject({ folder: target, stores: [{ name: 'platform' }] });
  expect(statSync(target).mode & 0o77).toBe(0);
  const { json } = await cli.run(['runs', 'list', '--data', target, '--json']);
  expect(json.runs).toMatchObject([{ run_id: runId }]);
  expect(readFileSync(path.join(kept, 'platform.db')).equals(before)).toBe(true);
});

test('what cannot be restored is refused, and nothing is left of it', LONG, async () => {
  expect((await restore()).stderr).toContain('There are no stores in');
  await backedUp();
  expect((await restore(kept, path.join(kept, 'in'))).stderr).toContain('outside of the backup');
  expect((await restore(kept, data)).stderr).toContain('Give --data a new or an empty folder');
  nothingMade();

  const store = new BetterSqlite3(path.join(kept, 'platform.db'));
  store.exec(
    "INSERT INTO schema_migrations (version, name, sha256, applied_at) VALUES (999, 'later', 'x', 'now')",
  );
  store.close();
  expect((await restore()).stderr).toContain('Restore it with the newer program');
  nothingMade();
});

test('a damaged store of a backup is found before anything stands in the place', LONG, async () => {
  await backedUp();
  const file = path.join(kept, 'platform.db');
  const store = new BetterSqlite3(file);
  const page = store
    .prepare("SELECT rootpage FROM sqlite_master WHERE name = 'runs'")
    .pluck()
    .get();
  store.close();
  const bytes = readFileSync(file);
  bytes.fill(0x5a, (Number(page) - 1) * 4096, Number(page) * 4096);
  writeFileSync(file, bytes);
  const refused = await restore();
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toMatch(/is damaged/);
  nothingMade();
});

test(
  'a backup says what it does not hold: stores that are databases of their own',
  LONG,
  async () => {
    await backedUp();
    mkdirSync(path.join(data, 'studio'), { recursive: true });
    writeFileSync(path.join(data, 'studio', 'studio.db'), 'left from before');
    const to = path.join(cli.folder, 'second');
    const env = { STUDIO_DB_URL: 'postgres://me:secret@127.0.0.1:9/x' };
    const made = await cli.run(['stores', 'backup', '--data', data, '--to', to, '--json'], env);
    expect(made.code, made.stderr).toBe(0);
    expect(made.json).toMatchObject({ external: ['studio'], stores: [{ name: 'platform' }] });
    const told = await cli.run(['stores', 'backup', '--data', data, '--to', `${to}2`], env);
    expect(told.stderr).toContain('The state of the studio is in a database of its own');
    const alone = { ...env, SERV_DATABASE_URL: env.STUDIO_DB_URL };
    writeFileSync(path.join(data, 'studio', 'analysis-keyring.json'), '{}');
    const files = ['stores', 'backup', '--data', data, '--to', `${to}3`, '--json'];
    const beside = await cli.run(files, alone);
    expect(beside.json, beside.stderr).toMatchObject({
      stores: [],
      external: ['platform', 'studio'],
    });
    expect(existsSync(path.join(`${to}3`, 'studio', 'analysis-keyring.json'))).toBe(true);
    const list = await cli.run(['stores', 'list', '--data', data, '--json'], env);
    expect(list.json.stores.map(({ name }: { name: string }) => name)).toEqual(['platform']);
  },
);
