// A node has the functions of a project, another one has not: runs take them along.
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { newKeyPair } from '../../server/bundles/keys.ts';
import { type Loose, startTestPlatform, type TestPlatform } from '../support/platform.ts';
import { functionSpec } from '../support/platform-world.ts';
import { projectTree } from '../support/project-tree.ts';
import { checkedSpec } from '../support/specs.ts';
import { openStored } from '../support/stored.ts';

const nodes: TestPlatform[] = [];
let database = '';
let turn = 0;
beforeEach(() => {
  turn += 1;
  database = `/code/${process.pid}/${turn}`;
});
afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.stop()));
});

const says = (word: string): string => `export const it = (text: string) => '${word}';\n`;
const SKILL = '---\nname: manners\ndescription: How to answer.\n---\nBe brief.\n';

async function node(
  specRoot: string,
  options: Parameters<typeof startTestPlatform>[0] = {},
): Promise<TestPlatform> {
  const env = {
    SERV_SWEEP_INTERVAL_SECONDS: '0',
    SERV_WORKER_IDLE_POLL_SECONDS: '0.2',
    // One worker never comes to its end.
    SERV_SHUTDOWN_TIMEOUT_SECONDS: '0',
  };
  const made = await startTestPlatform({
    ...options,
    database,
    specRoot,
    env: { ...env, ...options.env },
  });
  nodes.push(made);
  return made;
}

/** A node with the functions, whose only worker is busy for as long as the test lasts. */
async function home(
  root: string,
  env: Readonly<Record<string, string>> = {},
): Promise<TestPlatform> {
  const handlers = { 'work.hang': () => new Promise(() => undefined) };
  const made = await node(root, { trusted: true, env, handlers });
  const body = { input: 'x', spec: functionSpec('work.hang'), async_mode: true };
  const { run_id } = (await made.post('/v1/runs', body)).body;
  await made.waitFor(run_id, 'running');
  return made;
}

/** Another machine: an empty folder that nobody trusts. */
const away = (env: Readonly<Record<string, string>> = {}): Promise<TestPlatform> =>
  node(projectTree({}), { env });

const project = (): string =>
  projectTree({ 'functions/work.ts': says('old'), 'skills/manners/SKILL.md': SKILL });

async function queued(p: TestPlatform, spec: Loose = functionSpec('work.it')): Promise<string> {
  const answer = await p.post('/v1/runs', { input: 'x', spec, async_mode: true });
  expect(answer.status).toBe(202);
  return answer.body.run_id;
}

const keyIdOf = (p: TestPlatform): string =>
  String(p.logs.find(({ fields }) => 'key_id' in fields)?.fields['key_id']);

const answerOf = async (p: TestPlatform, task: string): Promise<Loose> => {
  const { body } = await p.get(`/v1/human-tasks/${task}`);
  return p.post(`/v1/human-tasks/${task}/resume`, {
    request_id: body.request.id,
    decision: 'approved',
  });
};

test('a run completes on a node without the folder, with the functions and skills of its creation', async () => {
  const root = project();
  const spec = {
    ...functionSpec('work.it'),
    agent: { name: 'desk', skills: ['manners'] },
    skills: { manners: { source: 'skills/manners' } },
  };
  const asked = await home(root);
  const id = await queued(asked, spec);
  rmSync(path.join(root, 'skills'), { recursive: true });
  writeFileSync(path.join(root, 'functions/work.ts'), says('new'));
  const works = await away({ SERV_CODE_SIGNERS: keyIdOf(asked) });
  const { body } = await works.waitFor(id, 'completed', 'failed');
  expect(body).toMatchObject({ status: 'completed', output_text: expect.stringContaining('old') });
  expect(existsSync(`${works.file}.code`)).toBe(true);
  // A rerun there has no folder to look in: it calls what the run took along.
  const { checkpoints } = (await works.get(`/v1/runs/${id}/checkpoints`)).body;
  const from = { checkpoint_sequence: checkpoints[0].sequence };
  expect(
    (
      await works.get(
        `/v1/runs/${id}/rerun?${new URLSearchParams({ checkpoint_sequence: String(from.checkpoint_sequence) })}`,
      )
    ).status,
  ).toBe(200);
  const again = await works.post(`/v1/runs/${id}/rerun`, from);
  expect([again.status, again.body.output_text]).toEqual([200, expect.stringContaining('old')]);
});

test('nodes that share a key trust each other', async () => {
  const key = path.join(projectTree({ key: newKeyPair().privateKey }), 'key');
  const asked = await home(project(), { SERV_CODE_KEY_FILE: key });
  const id = await queued(asked);
  const works = await away({ SERV_CODE_KEY_FILE: key });
  expect((await works.waitFor(id, 'completed', 'failed')).body.status).toBe('completed');
});

test('a node that only answers has the functions, one that only executes runs them for its caller', async () => {
  const asks = await node(project(), { trusted: true, role: 'api' });
  const first = { input: 'x', spec: functionSpec('work.it') };
  const stranger = await node(projectTree({}), { role: 'worker' });
  const refused = await asks.post('/v1/runs', first);
  expect([refused.status, refused.body.detail.error]).toEqual([403, 'code_not_trusted']);
  await stranger.service.stop();
  await node(projectTree({}), { role: 'worker', env: { SERV_CODE_SIGNERS: keyIdOf(asks) } });
  const answer = await asks.post('/v1/runs', first);
  expect([answer.status, answer.body.output_text]).toEqual([200, expect.stringContaining('old')]);
});

test('functions whose signer a node does not trust are not called, and who asked is told', async () => {
  const asked = await home(project());
  const waits = (await asked.post('/v1/runs', { input: 'x', spec: checkedSpec() })).body;
  const id = await queued(asked);
  const works = await away();
  const { body } = await works.waitFor(id, 'completed', 'failed');
  expect(body).toMatchObject({ status: 'failed', error: { type: 'CodeNotTrusted' } });
  expect(body.error.message).toContain(keyIdOf(asked));
  expect(body.error.message).toContain('SERV_CODE_SIGNERS');
  const refused = await answerOf(works, waits.continuation_id);
  expect([refused.status, refused.body.detail.error]).toEqual([403, 'code_not_trusted']);
  expect(existsSync(`${works.file}.code`)).toBe(false);
  // The run waits as before, and goes on where its functions are trusted.
  expect((await answerOf(asked, waits.continuation_id)).status).toBe(200);
});

test('a node that names other signers calls not even what it packed itself', async () => {
  const p = await node(project(), { trusted: true, env: { SERV_CODE_SIGNERS: 'a'.repeat(64) } });
  const refused = await p.post('/v1/runs', { input: 'x', spec: functionSpec('work.it') });
  expect([refused.status, refused.body.detail.error]).toEqual([403, 'code_not_trusted']);
});

test.each([
  [
    'bytes that were changed',
    "UPDATE code_bundles SET content = overlay(content placing 'x'::bytea from 200)",
  ],
  ['another key, by whoever can write to the database', ''],
])('a row that was tampered with is refused: %s', async (_what, statement) => {
  const asked = await home(project());
  const id = await queued(asked);
  const stored = await openStored(database);
  if (statement !== '') stored.exec(statement);
  else {
    // Signed by a stranger, and named by the run.
    const forged = await node(projectTree({ 'functions/work.ts': says('forged') }), {
      trusted: true,
    });
    const before = stored.prepare<[], Loose>('SELECT sha256 FROM code_bundles').all();
    await forged.post('/v1/runs', { input: 'x', spec: functionSpec('work.it') });
    await forged.service.stop();
    const [{ sha256 }] = stored
      .prepare<[], Loose>('SELECT sha256 FROM code_bundles')
      .all()
      .filter((row) => row.sha256 !== before[0].sha256);
    stored
      .prepare<[string, string]>('UPDATE runs SET code_bundle = ? WHERE id = ?')
      .run(sha256, id);
  }
  await stored.close();
  const works = await away({ SERV_CODE_SIGNERS: keyIdOf(asked) });
  const { body } = await works.waitFor(id, 'completed', 'failed');
  expect(body.status).toBe('failed');
  expect(body.error.type).toBe(statement === '' ? 'CodeNotTrusted' : 'CodeUnusable');
});
