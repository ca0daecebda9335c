import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Cli, createCli, GREETER } from '../../test/support/cli.ts';
import { canMakeSmallDisk, makeSmallDisk } from '../../test/support/small-disk.ts';

let cli: Cli;
let data: string;
let target: string;
beforeEach(() => {
  cli = createCli();
  data = path.join(cli.folder, 'data');
  target = path.join(cli.folder, 'kept', 'backup');
});
afterEach(() => cli.dispose());

const backup = (to = target) => cli.run(['stores', 'backup', '--data', data, '--to', to, '--json']);
const run = async (input: string, folder = data) => {
  const made = await cli.run(['run', spec(), '--input', input, '--data', folder, '--json']);
  expect(made.code, made.stderr).toBe(0);
  return String(made.json.run_id);
};
const runsOf = async (folder: string): Promise<string[]> => {
  const { json } = await cli.run(['runs', 'list', '--data', folder, '--json']);
  return json.runs.map(({ run_id }: { run_id: string }) => run_id);
};
const spec = () =>
  existsSync(cli.file('g.yaml')) ? cli.file('g.yaml') : cli.write('g.yaml', GREETER);

/** A service over the data folder, ready. */
async function serve(folder: string) {
  const ports = ['gateway', 'platform', 'dashboard', 'studio'].flatMap((name) => [
    `--${name}-port`,
    '0',
  ]);
  const child = cli.start(['serve', '--data', folder, ...ports]);
  let printed = '';
  for await (const chunk of child.stdout ?? []) {
    printed += String(chunk);
    if (printed.includes('"ready":true')) break;
  }
  expect(printed).toContain('"ready":true');
  return child;
}

test('while services run and runs are made, a backup holds all that was answered before', {
  timeout: 180_000,
}, async () => {
  await serve(data);
  const before = [await run('one'), await run('two')];
  // What a project keeps in the data folder goes along, whatever it is called.
  mkdirSync(path.join(data, 'studio', 'work', 'logs'), { recursive: true });
  writeFileSync(path.join(data, 'studio', 'work', 'logs', 'x.lock'), 'a file of somebody');
  const [made, ...meanwhile] = await Promise.all([backup(), run('three'), run('four')]);
  expect(made.code, made.stderr).toBe(0);
  expect(made.json.stores.map(({ name }: { name: string }) => name)).toEqual([
    'platform',
    'dashboard',
    'studio',
  ]);
  expect(statSync(target).mode & 0o77).toBe(0);
  expect(statSync(path.join(target, 'platform.db')).mode & 0o77).toBe(0);
  const beside = readdirSync(target);
  for (const passing of [
    'instance.lock',
    'instance.json',
    'instance.key',
    'logs',
    'platform.db-wal',
  ])
    expect(beside).not.toContain(passing);
  expect(existsSync(path.join(target, 'studio', 'work', 'logs', 'x.lock'))).toBe(true);
  expect(readdirSync(path.dirname(target))).toEqual(['backup']);

  // It is a data folder: services open it, and it goes its own way.
  await serve(target);
  const kept = await runsOf(target);
  expect(kept).toEqual(expect.arrayContaining(before));
  const after = await run('five', target);
  expect(await runsOf(target)).toContain(after);
  const first = await runsOf(data);
  expect(first).toEqual(expect.arrayContaining([...before, ...meanwhile]));
  expect(first).not.toContain(after);
});

test('a target that cannot be is refused, and nothing is left of it', {
  timeout: 120_000,
}, async () => {
  expect((await backup()).stderr).toContain('There are no stores here yet');
  await run('one');
  expect((await backup(path.join(data, 'inside'))).stderr).toContain('would be lost with it');
  expect((await backup(data)).stderr).toContain('would be lost with it');
  expect((await backup(cli.file('.'))).stderr).toContain('Give --to a new or an empty folder');
  expect(existsSync(path.join(data, 'inside'))).toBe(false);
  mkdirSync(target, { recursive: true });
  expect(await backup()).toMatchObject({ code: 0 });
  expect((await backup()).stderr).toContain('holds something');
});

test.skipIf(!canMakeSmallDisk())(
  'a disk without room is told before anything is written',
  { timeout: 120_000 },
  async () => {
    await run('one');
    const disk = makeSmallDisk(4);
    if (disk === undefined) throw new Error('a small disk was made a moment ago');
    try {
      const refused = await backup(path.join(disk.folder, 'backup'));
      expect(refused.code).not.toBe(0);
      expect(refused.stderr).toContain('Nothing was written');
      expect(readdirSync(disk.folder).filter((entry) => entry !== 'lost+found')).toEqual([]);
    } finally {
      disk.remove();
    }
  },
);
