// `specwright serve` as a person uses it: secrets through dashboard and studio, then every byte of
// its home folder (stores, studio state, recordings, logs) and of what it printed.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Cli, createCli } from '../support/cli.ts';
import { type ModelServer, startModelServer } from '../support/model-server.ts';
import { leaksIn, planted, plants } from '../support/planted-secrets.ts';
import type { Loose } from '../support/platform.ts';
import { type Served, serve } from '../support/served.ts';

const DOORS = 'Launch Prompt Model Human Draft Test Fail Refused Query Key'.split(' ');
const P = '/api/projects/default';
const MODEL = { provider: 'openai', name: 'gpt-9' };
const DRAFT = `version: v1
agent:
  name: desk
  system_prompt: Answer.
  model: {provider: openai, name: gpt-9}
`;

let model: ModelServer;
let cli: Cli;
let served: Served;
beforeAll(async () => {
  model = await startModelServer();
});
afterEach(() => cli.dispose());
afterAll(() => model.stop());

async function ask(url: string, body?: unknown): Promise<{ status: number; body: Loose }> {
  const response = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { ...cli.credential(), 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text };
}

const dashboard = (route: string, body?: unknown) => ask(served.ready.dashboard + route, body);
const studio = (route: string, body?: unknown) => ask(served.ready.studio + P + route, body);

async function ended(runId: string, status: string): Promise<Loose> {
  const read = async () => (await ask(`${served.ready.platform}/v1/runs/${runId}`)).body;
  await expect.poll(async () => (await read()).status, { timeout: 30_000 }).toBe(status);
  return read();
}

function launchSpec(): Loose {
  const [, , , name] = plants('Name').secrets;
  return {
    version: 'v1',
    agent: { name: `password: ${name}` },
    workflow: {
      type: 'sequential',
      name: 'desk',
      steps: [
        { id: 'first', kind: 'agent', ref: 'clerk' },
        { id: 'check', kind: 'human', ref: 'boss' },
      ],
    },
    components: {
      agents: { clerk: { name: 'clerk', system_prompt: planted('Prompt'), model: MODEL } },
      humans: { boss: { description: 'Well?', request_type: 'freeform' } },
    },
  };
}

async function launchAndAnswer(): Promise<void> {
  const spec = launchSpec();
  const made = await dashboard('/api/launch/run', { spec, input_text: planted('Launch') });
  expect(made.status).toBe(200);
  const run = await ended(made.body.run_id, 'blocked');
  const task = (await ask(`${served.ready.platform}/v1/human-tasks/${run.continuation_id}`)).body;
  const answer = await dashboard(`/api/human-tasks/${run.continuation_id}/resume`, {
    request_id: task.request.id,
    decision: 'provided',
    content: planted('Human'),
  });
  expect(answer.status).toBe(200);
  await ended(made.body.run_id, 'completed');
  expect((await dashboard('/api/launch/history')).status).toBe(200);
}

/** An artifact's run with a recording, and one of the text in the editor. */
async function studioRuns(): Promise<void> {
  const made = await studio('/drafts', { name: 'desk', kind: 'spec', text: DRAFT });
  const draft = { path: made.body.ref, revision: made.body.revision };
  const buffer = { alias: 'default', draft, text: DRAFT };
  const own = await studio('/draft-runs', { ...buffer, input: planted('Draft') });
  expect(own.status).toBe(202);
  await ended(own.body.platform_run_id, 'completed');

  const artifact = await studio('/artifacts', { base: draft, alias: 'default' });
  expect(artifact.status).toBe(201);
  const test = await studio('/test-runs', {
    artifact_id: artifact.body.id,
    input: planted('Test'),
    recording: { mode: 'record', name: 'talk' },
  });
  expect(test.status).toBe(202);
  await ended(test.body.platform_run_id, 'completed');

  model.answerWith(() => ({ fault: { kind: 'status', status: 400, message: planted('Fail') } }));
  const failed = await studio('/draft-runs', { ...buffer, input: planted('Fail') });
  await ended(failed.body.platform_run_id, 'failed');
}

/** What is refused is told in logs and audits. */
async function refusals(): Promise<void> {
  const word = encodeURIComponent(planted('Query'));
  for (const route of [`/api/runs?search=${word}`, `/api/runs/${word}`, `/api/nothing?q=${word}`]) {
    await dashboard(route);
  }
  await ask(`${served.ready.platform}/v1/runs?search=${word}`);
  await ask(`${served.ready.studio}/api/projects/${word}`);
  const text = planted('Refused');
  const refused = [
    await dashboard('/api/launch/run', { spec: { version: text }, input_text: text }),
    await dashboard('/api/launch/run', { spec_path: `${text}.yaml`, input_text: text }),
    await studio('/drafts', { name: text, kind: text, text }),
    await studio('/test-runs', { artifact_id: text, input: text }),
    await studio('/draft-runs', {
      alias: 'default',
      draft: { path: 'x.yaml', revision: 'seen' },
      text: `${DRAFT}workflow: ${JSON.stringify(text)}\n`,
      input: text,
    }),
  ];
  for (const { status } of refused) expect(status).toBeGreaterThanOrEqual(400);
}

test('no file of a data folder and no line of a log holds what dashboard and studio were told', {
  timeout: 120_000,
}, async () => {
  cli = createCli();
  const [key = ''] = plants('Key').secrets;
  Object.assign(cli.env, { OPENAI_BASE_URL: model.baseUrl('openai'), OPENAI_API_KEY: key });
  served = await serve(cli);
  model.answerWith(() => ({ text: planted('Model') }));
  await launchAndAnswer();
  await studioRuns();
  await refusals();
  expect(await served.stop()).toBe(0);

  const data = path.join(cli.folder, 'state/specwright');
  for (const name of ['platform.db', 'dashboard.db', 'studio/studio.db', 'logs/services.log']) {
    expect(existsSync(path.join(data, name)), name).toBe(true);
  }
  expect(leaksIn(cli.folder, DOORS)).toEqual([]);
  // Names are how runs are found (SECURITY.md): the run keeps them, the launch history does not.
  const named = leaksIn(cli.folder, ['Name']).map((leak) => leak.split(':')[0]);
  expect(named).toEqual(['state/specwright/platform.db']);
  const recording = path.join(cli.folder, 'work/.studio/recordings/talk.jsonl');
  expect(readFileSync(recording, 'utf8')).toContain('[REDACTED]');
  const printed = DOORS.flatMap((door) => plants(door).secrets);
  expect(printed.filter((secret) => served.log().includes(secret))).toEqual([]);
});
