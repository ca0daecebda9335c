// Trust given in the window (decisions 8, 19): each project's own code, and nobody else's.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTrustedProjects } from '../../server/runtime/trusted-projects.ts';
import { startTestPlatform, type TestPlatform } from '../support/platform.ts';
import { type StudioUnderTest, startStudioUnderTest } from '../support/studio-app.ts';

const SPEC = `version: v1
agent:
  name: desk
workflow:
  name: pipe
  type: sequential
  steps:
    - {id: work, kind: function, ref: work}
    - {id: again, kind: function, ref: work}
components:
  functions:
    work: {implementation: desk.work}
`;

let folder: string;
let platform: TestPlatform;
let studio: StudioUnderTest;
let other: { id: string; folder: string };

function writeCode(root: string, answer: string): void {
  mkdirSync(path.join(root, 'functions'), { recursive: true });
  const code = `export const work = (text: string) => '${answer}: ' + text;`;
  writeFileSync(path.join(root, 'functions', 'desk.ts'), code);
}

const trustPath = (id: string) => `/api/projects/${id}/trust`;

async function runIn(id: string) {
  const draft = { path: 'x.yaml', revision: 'seen' };
  const body = { alias: 'default', draft, text: SPEC, input: 'hello' };
  const started = await studio.call('POST', `/api/projects/${id}/draft-runs`, body);
  if (started.status !== 202) return started.body;
  const url = `/v1/runs/${started.body.platform_run_id}`;
  await expect
    .poll(async () => (await platform.get(url)).body.status, { timeout: 20_000 })
    .toMatch(/completed|failed/);
  return (await platform.get(url)).body;
}

const findingOf = (refused: { details: { stages: { detail: { diagnostics: unknown[] } }[] } }) =>
  refused.details.stages.at(-1)?.detail.diagnostics.at(-1);

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'trust-'));
  const base = path.join(folder, 'projects');
  const defaultRoot = path.join(folder, 'default');
  mkdirSync(defaultRoot);
  writeCode(defaultRoot, 'default');
  const trustFile = path.join(folder, 'trusted-projects.json');
  platform = await startTestPlatform({
    specRoot: folder,
    trusted: false,
    thread: true,
    projects: { trustFile, defaultRoot, base },
  });
  studio = await startStudioUnderTest(platform.url, {
    platform: { url: platform.url, apiKey: 'admin-key' },
    workspaceBase: base,
    projectRoot: defaultRoot,
    trusted: false,
    codeTrust: { answers: openTrustedProjects(trustFile), defaultTrusted: false },
  });
  const made = await studio.call('POST', '/api/projects', { name: 'Second' });
  const view = await studio.call('GET', trustPath(made.body.id));
  other = { id: made.body.id, folder: view.body.folder };
  writeCode(other.folder, 'second');
});
afterAll(async () => {
  await studio.dispose();
  await platform.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('an untrusted folder runs no code; trust is given once, for that folder, and taken back', async () => {
  const before = await studio.call('GET', trustPath('default'));
  expect(before.body).toEqual({
    state: 'untrusted',
    by: null,
    folder: path.join(folder, 'default'),
  });
  expect((await runIn('default')).code).toBe('spec_capability_refused');

  const given = await studio.call('PUT', trustPath('default'));
  expect(given.body).toMatchObject({ state: 'trusted', by: 'window' });
  const bindings = await studio.call('GET', '/api/projects/default/bindings');
  expect(bindings.body[0].capability_policy).toBe('local');
  expect(await runIn('default')).toMatchObject({
    status: 'completed',
    output_text: 'default: default: hello',
  });
  // The other project is another folder.
  expect((await studio.call('GET', trustPath(other.id))).body.state).toBe('untrusted');
  expect((await runIn(other.id)).code).toBe('spec_capability_refused');

  await studio.call('PUT', trustPath(other.id));
  expect(await runIn(other.id)).toMatchObject({ output_text: 'second: second: hello' });
  expect(await runIn('default')).toMatchObject({ output_text: 'default: default: hello' });

  const taken = await studio.call('DELETE', trustPath('default'));
  expect(taken.body).toMatchObject({ state: 'untrusted', by: null });
  expect((await runIn('default')).code).toBe('spec_capability_refused');
  expect(await runIn(other.id)).toMatchObject({ output_text: 'second: second: hello' });
  await studio.restart();
  expect(await runIn(other.id)).toMatchObject({ output_text: 'second: second: hello' });
});

test('a missing function is told with the file to make', async () => {
  await studio.call('PUT', trustPath(other.id));
  rmSync(path.join(other.folder, 'functions', 'desk.ts'));
  expect(findingOf(await runIn(other.id))).toMatchObject({
    code: 'E_HANDLER_NOT_FOUND',
    message: "There is no code for 'desk.work': functions/desk.ts is not in the project's folder.",
    suggestion: 'Make functions/desk.ts there, with an export named work.',
  });
  writeCode(other.folder, 'again');
  expect(await runIn(other.id)).toMatchObject({ output_text: 'again: again: hello' });
});

test('a run goes on with the code of its own project: again from a checkpoint too', async () => {
  await studio.call('PUT', trustPath(other.id));
  const first = await runIn(other.id);
  const { checkpoints } = (await platform.get(`/v1/runs/${first.run_id}/checkpoints`)).body;
  const rerun = await platform.post(`/v1/runs/${first.run_id}/rerun`, {
    checkpoint_sequence: checkpoints[0].sequence,
    edits: {},
  });
  expect(rerun.body.status).toBe('completed');
  const record = (await platform.get(`/v1/runs/${rerun.body.run_id}`)).body;
  expect(record.metadata.caller_metadata.authoring.project_id).toBe(other.id);
});

test('a shared studio and a platform of somebody else offer no trust', async () => {
  const shared = await startStudioUnderTest(platform.url, {
    platform: { url: platform.url, embedded: false },
    codeTrust: { answers: openTrustedProjects(path.join(folder, 'none')), defaultTrusted: false },
  });
  expect((await shared.call('GET', trustPath('default'))).body).toEqual({
    state: 'unavailable',
    by: null,
    folder: null,
  });
  expect((await shared.call('PUT', trustPath('default'))).body.code).toBe('trust_unavailable');
  await shared.dispose();
});
