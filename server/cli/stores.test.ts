import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Cli, createCli } from '../../test/support/cli.ts';
import { openDatabase } from '../store/open-database.ts';
import { schemaOf } from '../store/store-copies.ts';

const MIGRATIONS = path.resolve(import.meta.dirname, '../../migrations');
const NAMES = ['platform', 'dashboard', 'studio'] as const;
type Name = (typeof NAMES)[number];

let cli: Cli;
let data: string;
beforeEach(() => {
  cli = createCli();
  data = path.join(cli.folder, 'data');
});
afterEach(() => cli.dispose());

const storeOf = (name: Name) =>
  path.join(data, ...(name === 'studio' ? ['studio'] : []), `${name}.db`);
const words = (...rest: string[]) => cli.run(['stores', ...rest, '--data', data, '--json']);
const newestOf = (name: Name) => readdirSync(path.join(MIGRATIONS, name)).length;

/** Stores as a version with one migration less of some of them left them. */
function makeEarlierStores(
  version: string,
  changed: readonly Name[] = ['platform', 'studio'],
): Record<Name, number> {
  const schemas = { platform: 0, dashboard: 0, studio: 0 };
  for (const name of NAMES) {
    const migrations = path.join(cli.folder, 'older', name);
    cpSync(path.join(MIGRATIONS, name), migrations, { recursive: true });
    const files = readdirSync(migrations).sort();
    if (changed.includes(name)) rmSync(path.join(migrations, String(files.pop())));
    mkdirSync(path.dirname(storeOf(name)), { recursive: true, mode: 0o700 });
    openDatabase({ name, file: storeOf(name), migrations, now: () => Date.now() }).close();
    schemas[name] = files.length;
  }
  const note = { versions: [{ version, started_at: '2026-11-01T00:00:00.000000+00:00', schemas }] };
  writeFileSync(path.join(data, 'program-versions.json'), JSON.stringify(note));
  return schemas;
}

/** A start of this version that serves everything, until something was done, and ends. */
async function serveOnce(meanwhile = async () => {}): Promise<void> {
  const ports = ['gateway', ...NAMES].flatMap((name) => [`--${name}-port`, '0']);
  const child = cli.start(['serve', '--data', data, ...ports]);
  let printed = '';
  for await (const chunk of child.stdout ?? []) {
    printed += String(chunk);
    if (printed.includes('"ready":true')) break;
  }
  expect(printed).toContain('"ready":true');
  await meanwhile();
  child.kill('SIGTERM');
  await once(child, 'exit');
}

describe('the stores go back to the version before', { timeout: 120_000 }, () => {
  test('after an update each store that changed is put back, the others stay, and this version updates them again', async () => {
    const earlier = makeEarlierStores('0.0.9');
    await serveOnce();
    const listed = await words('list');
    expect(listed.json).toMatchObject({
      earlier: { version: '0.0.9', stores: ['platform', 'studio'] },
    });
    const back = await words('back');
    expect(back).toMatchObject({ code: 0, json: { version: '0.0.9', locked: false } });
    for (const name of NAMES) expect(schemaOf(storeOf(name)), name).toBe(earlier[name]);
    for (const { name, kept } of back.json.stores) {
      expect(kept).toBe(`${storeOf(name)}.newer-v${newestOf(name)}`);
      expect(schemaOf(kept)).toBe(newestOf(name));
    }
    // Once more: everything is as that version left it.
    expect(await words('back')).toMatchObject({ code: 0, json: { stores: [] } });
    await serveOnce();
    for (const name of NAMES) expect(schemaOf(storeOf(name)), name).toBe(newestOf(name));
  });

  test('after a kill between two stores, the same word does the rest', async () => {
    makeEarlierStores('0.0.9');
    await serveOnce();
    renameSync(`${storeOf('platform')}.before-v${newestOf('platform')}`, storeOf('platform'));
    expect((await words('back')).json.stores).toMatchObject([{ name: 'studio' }]);
  });

  test('without a copy of every store nothing is changed, and it is said', async () => {
    makeEarlierStores('0.0.9');
    await serveOnce();
    rmSync(`${storeOf('studio')}.before-v${newestOf('studio')}`);
    const refused = await words('back', '--to', '0.0.9');
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain('There is no copy of the stores from version 0.0.9');
    expect(schemaOf(storeOf('platform'))).toBe(newestOf('platform'));
  });

  test('the dashboard goes on where rights are as they were, and is locked where they changed (OD-007)', async () => {
    const locked = async () => {
      const back = await words('back');
      const state = await cli.run(['dashboard', 'recover', '--data', data, '--status']);
      return [back.json.locked, state.code];
    };
    makeEarlierStores('0.0.9', ['dashboard']);
    await serveOnce();
    expect(await locked()).toEqual([false, 0]);
    await serveOnce();
    const dashboard = new BetterSqlite3(storeOf('dashboard'));
    dashboard
      .prepare(
        `INSERT INTO config (namespace, key, value, created_by, created_at, updated_at, version)
         VALUES ('access', 'default', '{}', 'somebody', '', '', 1)`,
      )
      .run();
    dashboard.close();
    expect(await locked()).toEqual([true, 3]);
  });

  test('stores are not put back under a service that runs; copies may be removed then', async () => {
    makeEarlierStores('0.0.9');
    await serveOnce(async () => {
      expect((await words('back')).stderr).toContain('Another Specwright');
      expect((await words('remove')).json.freed_bytes).toBeGreaterThan(0);
    });
    expect(existsSync(`${storeOf('studio')}.before-v${newestOf('studio')}`)).toBe(false);
    const shown = await cli.run(['stores', 'list', '--data', data]);
    expect(shown.stdout).toContain('in use');
    expect(shown.stdout).not.toContain('before an update');
  });
});
