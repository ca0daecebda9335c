// Functions of a project travel with the run that was created with them (docs/code-bundles.md).
import {
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { openTrustedFolders } from '../../server/runtime/trusted-folders.ts';
import { type Loose, startTestPlatform, type TestPlatform } from '../support/platform.ts';
import { functionSpec } from '../support/platform-world.ts';
import { projectTree } from '../support/project-tree.ts';
import { checkedSpec, TINY } from '../support/specs.ts';
import { openStored } from '../support/stored.ts';

let p: TestPlatform;
afterEach(() => p.stop());

const says = (word: string): string => `export const it = (text: string) => '${word}';\n`;
const treeOf = (files: Readonly<Record<string, string>> = {}): string =>
  projectTree({ 'functions/work.ts': says('old'), ...files });

async function start(
  specRoot: string,
  more: Parameters<typeof startTestPlatform>[0] = {},
): Promise<void> {
  p = await startTestPlatform({ specRoot, trusted: true, ...more });
}

const run = async (spec: unknown = functionSpec('work.it'), more: Loose = {}): Promise<Loose> =>
  (await p.post('/v1/runs', { input: 'x', spec, ...more })).body;

async function answer(task: string): Promise<Loose> {
  const { body } = await p.get(`/v1/human-tasks/${task}`);
  const given = { request_id: body.request.id, decision: 'approved' };
  return p.post(`/v1/human-tasks/${task}/resume`, given);
}

async function stored<T>(sql: string, ...values: unknown[]): Promise<T[]> {
  const store = await openStored(p.file);
  const rows = store.prepare<unknown[], T>(sql).all(...values);
  await store.close();
  return rows;
}

async function change(sql: string): Promise<void> {
  const store = await openStored(p.file);
  store.exec(sql);
  await store.close();
}

const bundles = () => stored<Loose>('SELECT sha256 FROM code_bundles ORDER BY sha256');
const said = (body: Loose): string => JSON.stringify(body.output_text);

describe.each([false, true])('what was created runs (execution thread: %s)', (thread) => {
  test('a run that waits calls the functions that it was created with, a new one those of now', async () => {
    const root = treeOf();
    await start(root, { thread });
    const waits = await run(checkedSpec());
    expect(waits.status).toBe('blocked');
    writeFileSync(path.join(root, 'functions/work.ts'), says('new'));
    const resumed = await answer(waits.continuation_id);
    expect([resumed.status, resumed.body.run?.status ?? resumed.body.status]).toEqual([
      200,
      'completed',
    ]);
    expect((await p.get(`/v1/runs/${waits.run_id}`)).body.output_text).toBe('old');
    const fresh = await run();
    expect(said(fresh)).toContain('new');
    expect(await bundles()).toHaveLength(2);
  });
});

test('one row for each content, and none for runs that call no functions', async () => {
  await start(treeOf());
  await run(TINY);
  expect(await bundles()).toHaveLength(0);
  for (const _ of [1, 2]) expect((await run()).status).toBe('completed');
  const kept = await bundles();
  expect(kept).toHaveLength(1);
  const named = await stored<Loose>('SELECT code_bundle FROM runs ORDER BY created_at');
  expect(named.map(({ code_bundle }) => code_bundle)).toEqual([
    null,
    kept[0].sha256,
    kept[0].sha256,
  ]);
});

test('data, helpers and packages of the folder are there, hidden files are not', async () => {
  const root = treeOf({
    'functions/work.ts': `import { readFileSync, existsSync } from 'node:fs';
import { name } from './parts/name.ts';
import { twice } from 'twice';
const at = (file: string) => import.meta.dirname + '/' + file;
export const it = () =>
  [twice(name), readFileSync(at('data/' + 'list.txt'), 'utf8'), existsSync(at('.env'))].join(' ');
`,
    'functions/parts/name.ts': "export const name = 'a';\n",
    'functions/data/list.txt': 'listed',
    'functions/.env': 'PASSWORD=1',
    'functions/node_modules/twice/package.json': '{"type": "module", "exports": "./index.js"}',
    'functions/node_modules/twice/index.js': 'export const twice = (text) => text + text;\n',
  });
  await start(root);
  const body = await run();
  expect(said(body)).toContain('aa listed false');
});

test('a rerun calls the functions of now', async () => {
  const root = treeOf();
  await start(root);
  const { run_id } = await run();
  writeFileSync(path.join(root, 'functions/work.ts'), says('new'));
  const { body } = await p.get(`/v1/runs/${run_id}/checkpoints`);
  const first = body.checkpoints[0].sequence;
  const again = await p.post(`/v1/runs/${run_id}/rerun`, { checkpoint_sequence: first });
  expect([again.status, said(again.body)]).toEqual([200, expect.stringContaining('new')]);
});

test('trust in the folder that is taken back is taken from runs that wait, too', async () => {
  const root = treeOf();
  const places = projectTree({});
  const trustFile = path.join(places, 'trusted.json');
  const trusted = openTrustedFolders(trustFile);
  trusted.add(root, 'now');
  const projects = { trustFile, placesFile: path.join(places, 'places.json'), base: places };
  await start(root, { trusted: false, projects });
  const waits = await run(checkedSpec());
  trusted.remove(root);
  const refused = await answer(waits.continuation_id);
  expect([refused.status, refused.body.detail.message]).toEqual([
    400,
    expect.stringContaining('not trusted'),
  ]);
  trusted.add(root, 'now');
  expect((await answer(waits.continuation_id)).status).toBe(200);
});

describe('what cannot be taken along', () => {
  test.each([
    ['more than the setting allows', 'functions/big.txt', 'x'.repeat(1_100_000)],
    ['a file above 8 MiB', 'functions/big.txt', 'x'.repeat(8_400_000)],
  ])('%s is refused, and nothing is left of the run', async (_what, name, text) => {
    const root = treeOf({ [name]: text });
    await start(root, { env: { SERV_CODE_MAX_MB: text.length > 8e6 ? '64' : '1' } });
    const refused = await p.post('/v1/runs', { input: 'x', spec: functionSpec('work.it') });
    expect([refused.status, refused.body.detail.error]).toEqual([422, 'code_too_large']);
    expect(refused.body.detail.message).toContain('functions/big.txt');
    expect((await p.get('/v1/runs')).body.total).toBe(0);
    rmSync(path.join(root, name));
    expect((await run()).status).toBe('completed');
  });

  test('a link that leads out is refused by name, one within is followed', async () => {
    const root = treeOf({ 'secret.txt': 's', 'functions/parts/a.ts': "export const a = 'in';\n" });
    symlinkSync(path.join(root, 'functions/parts'), path.join(root, 'functions/same'));
    symlinkSync(path.join(root, 'functions'), path.join(root, 'functions/parts/loop'));
    writeFileSync(
      path.join(root, 'functions/work.ts'),
      "import { a } from './same/a.ts';\nexport const it = () => a;\n",
    );
    await start(root);
    expect(said(await run())).toContain('in');
    symlinkSync(path.join(root, 'secret.txt'), path.join(root, 'functions/out.txt'));
    const refused = await p.post('/v1/runs', { input: 'x', spec: functionSpec('work.it') });
    expect([refused.status, refused.body.detail.error]).toEqual([400, 'invalid_request']);
    expect(refused.body.detail.message).toContain('functions/out.txt is a link');
  });
});

test('a row that was tampered with is refused, and the run stays as it is', async () => {
  const root = treeOf();
  const file = path.join(projectTree({}), 'platform.db');
  await start(root, { file });
  const waits = await run(checkedSpec());
  await p.stop();
  await start(root, { file });
  await change("UPDATE code_bundles SET content = 'x'");
  const refused = await answer(waits.continuation_id);
  expect([refused.status, refused.body.detail.error]).toEqual([500, 'code_unusable']);
  expect(refused.body.detail.message).toContain('changed in the store');
  expect((await p.get(`/v1/runs/${waits.run_id}`)).body.status).toBe('blocked');
});

test('what no run needs leaves with retention, from the store and from the disk', async () => {
  const root = treeOf();
  const file = path.join(projectTree({}), 'platform.db');
  await start(root, { file, env: { SERV_RETENTION_RUNS_DAYS: '1' } });
  await run();
  writeFileSync(path.join(root, 'functions/work.ts'), says('new'));
  const waits = await run(checkedSpec({ timeout_seconds: 1_000_000 }));
  await run();
  expect(await bundles()).toHaveLength(2);
  await change('UPDATE code_bundles SET used_at = used_at - 7200');
  await p.service.retain({ dryRun: false });
  expect(await bundles()).toHaveLength(2);
  p.clock.skewMs = 2 * 86_400_000;
  await p.service.retain({ dryRun: false });
  const [kept, ...others] = await bundles();
  expect(others).toEqual([]);
  expect((await answer(waits.continuation_id)).status).toBe(200);
  expect(readdirSync(`${file}.code`)).toContain(kept.sha256);
});

test('an unpacked folder that is not whole, or not as it was, is made anew', async () => {
  const root = treeOf();
  const file = path.join(projectTree({}), 'platform.db');
  await start(root, { file });
  await run();
  const [{ sha256 }] = await bundles();
  const folder = path.join(`${file}.code`, sha256);
  const half = path.join(`${file}.code`, '.00000000-0000-4000-8000-000000000000.new');
  mkdirSync(half);
  utimesSync(half, 1, 1);
  await p.stop();
  writeFileSync(path.join(folder, 'functions/work.ts'), says('forged'));
  await start(root, { file });
  expect(said(await run())).toContain('old');
  rmSync(folder, { recursive: true });
  expect(said(await run())).toContain('old');
  expect(existsSync(folder)).toBe(true);
});

test.each([
  [{ SERV_CODE_KEY_FILE: '/nowhere/team.key' }, /SERV_CODE_KEY_FILE/],
  [{ SERV_CODE_SIGNERS: 'me' }, /SERV_CODE_SIGNERS/],
])('a setting that cannot be used stops the start: %s', async (env, message) => {
  await start(treeOf());
  await expect(startTestPlatform({ env })).rejects.toThrow(message);
});
