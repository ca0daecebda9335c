// What the platform keeps of a run, through the dashboard: the same answers, its own rules.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readDashboardConfig } from '../../server/dashboard/config.ts';
import type { RunningService } from '../../server/kernel/running-service.ts';
import { startTestDashboard } from '../support/dashboard-app.ts';
import { type Loose, startTestPlatform, type TestPlatform } from '../support/platform.ts';
import { humanSpec } from '../support/specs.ts';

let platform: TestPlatform;
let dashboard: RunningService;
let runId: string;

beforeAll(async () => {
  platform = await startTestPlatform();
  dashboard = await startTestDashboard({ url: platform.url, apiKey: 'admin-key' });
  const started = await ask('POST', '/launch/run', { spec: humanSpec(), input_text: 'hello' });
  runId = started.body.run_id;
  await platform.waitFor(runId, 'blocked');
});
afterAll(async () => {
  await dashboard.stop();
  await platform.stop();
});

async function ask(method: string, path: string, body?: object, key?: string) {
  const answer = await fetch(`${dashboard.url}/api${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const read: Loose = await answer.json();
  return { status: answer.status, body: read };
}

const audit = async (): Promise<Loose[]> => (await ask('GET', '/audit-log')).body.entries;

test.each([
  ['record', ''],
  ['record/trace?limit=5&offset=1', '/trace?limit=5&offset=1'],
  ['record/replay', '/replay'],
  ['record/recovery', '/recovery'],
  ['record/items', '/items'],
  ['record/checkpoints?limit=1&sort_by=sequence', '/checkpoints?limit=1&sort_by=sequence'],
  ['rerun?checkpoint_sequence=1', '/rerun?checkpoint_sequence=1'],
])('%s is what the platform tells', async (own, upstream) => {
  const said = await fetch(`${platform.url}/v1/runs/${runId}${upstream}`, {
    headers: { authorization: 'Bearer admin-key' },
  });
  expect(await ask('GET', `/runs/${runId}/${own}`)).toEqual({
    status: 200,
    body: await said.json(),
  });
  const [name = ''] = own.split('?');
  const query = name === 'rerun' ? '?checkpoint_sequence=1' : '';
  expect((await ask('GET', `/runs/none/${name}${query}`)).body.code).toBe('not_found');
});

test('a run that begins at a checkpoint leaves its launch and its row in the audit', async () => {
  const body = { checkpoint_sequence: 1, edits: { input: 'again' }, async_mode: true };
  const first = await ask('POST', `/runs/${runId}/rerun`, body, 'one-key');
  expect(first).toMatchObject({ status: 200, body: { idempotency_key: 'one-key' } });
  const again = await ask('POST', `/runs/${runId}/rerun`, body, 'one-key');
  expect(again.body.run_id).toBe(first.body.run_id);
  expect(first.body.run_id).not.toBe(runId);
  const { entries } = (await ask('GET', '/launch/history')).body;
  expect(entries.filter((entry: Loose) => entry.run_id === first.body.run_id)).toMatchObject([
    { label: `run ${runId} again`, created_by: 'static-operator' },
  ]);
  expect(await audit()).toContainEqual(
    expect.objectContaining({ action: 'run.rerun', target: runId, outcome: 'ok' }),
  );
  expect((await ask('POST', '/runs/none/rerun', body)).status).toBe(404);
  expect(await audit()).toContainEqual(
    expect.objectContaining({ action: 'run.rerun', target: 'none', outcome: 'error' }),
  );
});

test('a viewer reads and starts nothing; the try is in the audit', async () => {
  const viewing = await startTestDashboard(
    { url: platform.url, apiKey: 'admin-key' },
    {
      config: readDashboardConfig({
        DASH_DEV_MODE: '1',
        DASH_STATIC_OPERATOR_ROLE: 'viewer',
        XDG_CONFIG_HOME: '/nonexistent',
      }),
    },
  );
  const at = `${viewing.url}/api/runs/${runId}`;
  expect((await fetch(`${at}/record`)).status).toBe(200);
  const refused = await fetch(`${at}/rerun`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ checkpoint_sequence: 1 }),
  });
  expect([refused.status, (await refused.json()).code]).toEqual([403, 'forbidden']);
  await viewing.stop();
});
