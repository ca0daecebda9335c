import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunningService } from '../../server/kernel/running-service.ts';
import { startTestDashboard } from '../support/dashboard-app.ts';
import { type Loose, startTestPlatform, type TestPlatform } from '../support/platform.ts';

const spec = (implementation: string) => ({
  version: 'v1',
  agent: { name: 'desk' },
  workflow: {
    type: 'sequential',
    name: 'pipe',
    steps: ['read', 'send'].map((id) => ({ id, kind: 'function', ref: id })),
  },
  components: {
    functions: { read: { implementation: 'work.mark' }, send: { implementation } },
  },
});

let platform: TestPlatform;
let dashboard: RunningService;
beforeAll(async () => {
  const handlers = {
    'work.mark': ([input]: readonly unknown[]) => `<${String(input)}>`,
    'work.fails': () => {
      throw new Error('the address is wrong');
    },
  };
  platform = await startTestPlatform({ handlers });
  dashboard = await startTestDashboard({ url: platform.url, apiKey: 'admin-key' });
});
afterAll(async () => {
  await dashboard.stop();
  await platform.stop();
});

async function ask(path: string, body?: unknown) {
  const response = await fetch(`${dashboard.url}/api${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const parsed: Loose = await response.json();
  return { status: response.status, body: parsed };
}

test('a failed run is checked and goes on under a mended spec; the operators’ audit says who did it', async () => {
  await platform.post('/v1/runs', { input: 'a', spec: spec('work.fails') });
  const [run] = (await ask('/runs?status=failed')).body.rows;
  const url = `/runs/${run.run_id}/recover`;
  const check = await ask(`${url}/check`, { spec: spec('work.mark') });
  expect(check).toMatchObject({
    status: 200,
    body: { status: 'failed', masked: false, fit: { fits: true, repeats: 'send', kept: ['read'] } },
  });
  const wrong = await ask(`${url}/check`, { spec: { version: 'v1' } });
  expect(wrong).toMatchObject({ status: 400, body: { code: 'spec_invalid' } });
  const gone = await ask(url, {
    spec: {
      ...spec('work.mark'),
      workflow: { type: 'sequential', name: 'pipe', steps: [spec('work.mark').workflow.steps[0]] },
    },
  });
  expect(gone).toMatchObject({ status: 409, body: { code: 'run_state_conflict' } });
  expect(gone.body.message).toContain("stopped in 'send'");
  expect(await ask(url, { spec: spec('work.mark') })).toMatchObject({
    status: 200,
    body: { action: 'recover', run_id: run.run_id, status: 'completed', new_run_id: null },
  });
  const { entries } = (await ask('/audit-log')).body;
  expect(
    entries
      .filter(({ action }: Loose) => action === 'run.recover')
      .map(({ target, outcome }: Loose) => [target, outcome]),
  ).toEqual([
    [run.run_id, 'ok'],
    [run.run_id, 'error'],
  ]);
  const audit = (await ask(`/audit?run_id=${run.run_id}&event_type=run.recovered`)).body;
  expect(audit.total).toBe(1);
});
