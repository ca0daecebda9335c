// What authors run from the studio, as the dashboard of the same installation writes it down
// (docs/decisions/0030).
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestDashboard } from '../support/dashboard-app.ts';
import { type Loose, startOpenPlatform, type TestPlatform } from '../support/platform.ts';
import { type StudioUnderTest, startStudioUnderTest } from '../support/studio-app.ts';

const P = '/api/projects/default';
const SPEC = 'version: v1\nagent:\n  name: desk\n  system_prompt: Answer.\n';

let platform: TestPlatform;
let dashboard: Awaited<ReturnType<typeof startTestDashboard>>;
let studio: StudioUnderTest;
let folder: string;
let draft: { ref: string; revision: string };
let artifact: Loose;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'acts-'));
  platform = await startOpenPlatform();
  dashboard = await startTestDashboard(
    { url: platform.url, apiKey: 'any' },
    { databaseFile: path.join(folder, 'dashboard.db') },
  );
  studio = await startStudioUnderTest(platform.url, { tellDashboard: dashboard.tell });
  draft = (await studio.call('POST', `${P}/drafts`, { name: 'desk', kind: 'spec', text: SPEC }))
    .body;
  const made = await studio.call('POST', `${P}/artifacts`, {
    base: { path: draft.ref, revision: draft.revision },
    alias: 'default',
  });
  artifact = made.body;
});
afterAll(async () => {
  await studio.dispose();
  await dashboard.stop();
  await platform.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function ask(method: string, at: string, body?: object): Promise<Loose> {
  const answer = await fetch(`${dashboard.url}/api${at}`, {
    method,
    ...(body === undefined
      ? {}
      : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  return answer.json();
}
const audit = async (runId: string): Promise<Loose[]> =>
  (await ask('GET', `/audit-log?target=${runId}`)).entries;
const launches = async (): Promise<Loose[]> => (await ask('GET', '/launch/history')).entries;

const runArtifact = () =>
  studio.call('POST', `${P}/test-runs`, { artifact_id: artifact.id, input: 'hello' });
const runDraft = () =>
  studio.call('POST', `${P}/draft-runs`, {
    alias: 'default',
    draft: { path: draft.ref, revision: draft.revision },
    text: SPEC,
    input: 'hello',
  });

test('a run of an artifact leaves its launch and its row in the operators’ audit', async () => {
  const started = await runArtifact();
  expect(started.status, started.text).toBe(202);
  const runId = started.body.platform_run_id;
  const source = {
    kind: 'artifact',
    project_id: 'default',
    artifact_id: artifact.id,
    draft_ref: draft.ref,
    revision: artifact.revision,
  };
  expect(await audit(runId)).toMatchObject([
    {
      action: 'launch.run',
      operator: 'static-operator',
      outcome: 'ok',
      environment: 'dev',
      details: { source, via: 'studio' },
    },
  ]);
  const [launch] = await launches();
  expect(launch).toMatchObject({
    run_id: runId,
    label: 'desk',
    environment: 'dev',
    source,
    via: 'studio',
  });
  expect(launch?.digest).toMatch(/^sha256:[0-9a-f]{64}$/);

  await studio.call('POST', `${P}/test-runs/${started.body.id}/cancel`);
  expect((await audit(runId)).map(({ action, outcome }) => [action, outcome])).toEqual([
    ['run.cancel', 'ok'],
    ['launch.run', 'ok'],
  ]);
});

test('a run of a draft is its author’s rehearsal and leaves nothing, but in production', async () => {
  const before = (await launches()).length;
  const rehearsed = await runDraft();
  expect(rehearsed.status, rehearsed.text).toBe(202);
  expect(await audit(rehearsed.body.platform_run_id)).toEqual([]);
  expect(await launches()).toHaveLength(before);

  const { version } = await ask('PUT', '/settings/connections/dev', {
    version: 0,
    production: true,
  });
  const live = await runDraft();
  expect(await audit(live.body.platform_run_id)).toMatchObject([
    {
      action: 'launch.run',
      environment: 'dev',
      details: { source: { kind: 'draft', ref: draft.ref, revision: draft.revision } },
    },
  ]);
  expect(await launches()).toHaveLength(before + 1);
  await fetch(`${dashboard.url}/api/settings/connections/dev?version=${version}`, {
    method: 'DELETE',
  });
});

test('a person of the studio is never taken for an operator of that name', async () => {
  await dashboard.tell({
    action: 'launch.run',
    outcome: 'ok',
    who: { subject: 'static-operator', name: 'Ada' },
    platform: `${platform.url}/`,
    environment: 'dev',
    run_id: 'run-of-ada',
    source: { kind: 'artifact', project_id: 'p', artifact_id: 'a', draft_ref: 'd', revision: 'r' },
    spec: null,
  });
  expect(await audit('run-of-ada')).toMatchObject([
    { operator: 'studio:static-operator', details: { name: 'Ada', via: 'studio' } },
  ]);
});

test('what runs on a platform that the dashboard does not show is none of its own', async () => {
  const before = (await launches()).length;
  await dashboard.tell({
    action: 'launch.run',
    outcome: 'ok',
    who: null,
    platform: 'https://platform.example',
    environment: 'dev',
    run_id: 'elsewhere',
    source: { kind: 'artifact', project_id: 'p', artifact_id: 'a', draft_ref: 'd', revision: 'r' },
    spec: null,
  });
  expect(await audit('elsewhere')).toEqual([]);
  expect(await launches()).toHaveLength(before);
});

test('a platform that refuses leaves the try in the audit, and no launch', async () => {
  const before = (await launches()).length;
  await ask('PUT', '/policies/dev', { enabled: true, require_guardrails: true });
  const refused = await runArtifact();
  expect(refused.status, refused.text).toBeGreaterThanOrEqual(400);
  const { entries } = await ask('GET', '/audit-log?outcome=error');
  expect(entries).toMatchObject([
    { action: 'launch.run', environment: 'dev', target: null, details: { via: 'studio' } },
  ]);
  expect(await launches()).toHaveLength(before);
  await ask('PUT', '/policies/dev', { enabled: false });
});

test('a run starts, and is told why it did not, though the dashboard cannot be told', async () => {
  const failing = await startStudioUnderTest(platform.url, {
    tellDashboard: () => Promise.reject(new Error('the disk is full')),
  });
  try {
    const made = await failing.call('POST', `${P}/drafts`, {
      ...{ name: 'desk', kind: 'spec', text: SPEC },
    });
    const path = made.body.ref;
    const { revision } = made.body;
    const { body } = await failing.call('POST', `${P}/artifacts`, {
      ...{ base: { path, revision }, alias: 'default' },
    });
    const runOf = () =>
      failing.call('POST', `${P}/test-runs`, { artifact_id: body.id, input: 'hello' });
    const started = await runOf();
    expect(started.status, started.text).toBe(202);
    const draftRun = await failing.call('POST', `${P}/draft-runs`, {
      ...{ alias: 'default', draft: { path, revision }, text: SPEC, input: 'hello' },
    });
    expect(draftRun.status, draftRun.text).toBe(202);
    await ask('PUT', '/policies/dev', { enabled: true, require_guardrails: true });
    const refused = await runOf();
    expect(refused.body.code, refused.text).toBe((await runArtifact()).body.code);
    expect(refused.status, refused.text).toBeLessThan(500);
  } finally {
    await ask('PUT', '/policies/dev', { enabled: false });
    await failing.dispose();
  }
});

test('a run that cannot be written down starts all the same', async () => {
  await dashboard.stop();
  const started = await runArtifact();
  expect(started.status, started.text).toBe(202);
});
