import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunningService } from '../../server/kernel/running-service.ts';
import { startTestDashboard } from '../support/dashboard-app.ts';
import { type Loose, startTestPlatform, type TestPlatform } from '../support/platform.ts';
import { humanSpec } from '../support/specs.ts';

const SPEC = humanSpec();

let platform: TestPlatform;
const dashboards: RunningService[] = [];

async function dashboard(apiKey: string): Promise<string> {
  const service = await startTestDashboard({ url: platform.url, apiKey });
  dashboards.push(service);
  return `${service.url}/api`;
}

let admin: string;
let operator: string;
beforeAll(async () => {
  platform = await startTestPlatform();
  admin = await dashboard('admin-key');
  operator = await dashboard('operator-key');
});
afterAll(async () => {
  for (const service of dashboards) await service.stop();
  await platform.stop();
});

async function ask(url: string, method = 'GET', body?: unknown, key?: string) {
  const response = await fetch(url, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const parsed: Loose = await response.json();
  return { status: response.status, body: parsed };
}

async function launchBlocked(): Promise<Loose> {
  const started = await ask(`${admin}/launch/run`, 'POST', { spec: SPEC, input_text: 'hello' });
  expect(started.status).toBe(200);
  await platform.waitFor(started.body.run_id, 'blocked');
  return (await ask(`${admin}/runs/${started.body.run_id}`)).body;
}

test('28/68 load, deploy, run, watch, answer, read (OD-028, OD-053, OD-102, OD-106, OD-152)', async () => {
  const load = await ask(`${admin}/launch/load`, 'POST', { spec: SPEC });
  expect(load.body.summary.root_agent).toBeDefined();
  const deploy = await ask(`${admin}/launch/deploy`, 'POST', { spec: SPEC });
  expect(deploy.body).toMatchObject({ valid: true, compiled: true, policy_ok: true, ready: true });
  const run = await launchBlocked();
  expect(run).toMatchObject({ status: 'blocked', is_terminal: false, workflow_name: 'gate' });
  expect(run.path[0]).toBe('draft');
  expect(run.checkpoints.length).toBeGreaterThan(1);

  const list = await ask(`${admin}/runs?status=blocked`);
  expect(list.body.rows.map((row: Loose) => row.run_id)).toContain(run.run_id);
  expect(list.body.unsupported_filters).toEqual([]);
  const tasks = await ask(`${admin}/human-tasks`);
  const task = tasks.body.rows.find((row: Loose) => row.run_id === run.run_id);
  expect(task).toMatchObject({
    status: 'pending',
    near_deadline: true,
    input_preview: expect.stringContaining('hello'),
  });
  expect(task.request_summary).not.toBe('—');

  const stream = await fetch(`${admin}/runs/${run.run_id}/trace/stream`);
  const text = stream.text();
  const answered = await ask(`${admin}/human-tasks/${task.continuation_id}/resume`, 'POST', {
    decision: 'edited',
    content: 'better',
    request_id: task.request_id,
  });
  expect(answered.body).toMatchObject({ status: 'completed', run_id: run.run_id });
  const frames = (await text).split('\r\n\r\n').filter((frame) => frame.startsWith('event'));
  expect(frames.at(-1)).toBe('event: end\r\ndata: {}');
  const types = frames.slice(0, -1).map((frame) => JSON.parse(frame.split('data: ')[1]!).type);
  expect(types).toContain('human_intervention_requested');
  expect(types.at(-1)).toBe('workflow_completed');

  const paged = await ask(`${admin}/runs/${run.run_id}/trace?limit=500`);
  expect(paged.body.total).toBe(types.length);
  expect(paged.body).toMatchObject({ complete: true, dropped: false });
  const done = (await ask(`${admin}/runs/${run.run_id}`)).body;
  expect(done).toMatchObject({ status: 'completed', is_terminal: true, error: null });
  const graph = await ask(`${admin}/runs/${run.run_id}/graph`);
  expect(graph.body.nodes.map((node: Loose) => [node.id, node.visited])).toEqual([
    ['draft', true],
    ['check', true],
    ['close', true],
  ]);
  for (const view of ['policy-report', 'recovery', 'replay', 'checkpoints/diff', 'chain']) {
    expect((await ask(`${admin}/runs/${run.run_id}/${view}`)).status, view).toBe(200);
  }
  const audit = await ask(`${admin}/audit?run_id=${run.run_id}`);
  expect(audit.body.rows.map((row: Loose) => row.event_type)).toContain('run.created');
});

test('34 cancel of a terminal run is a no-op; continue of it is a conflict (OD-116)', async () => {
  const run = await launchBlocked();
  const url = `${admin}/runs/${run.run_id}`;
  expect((await ask(`${url}/cancel`, 'POST')).body).toMatchObject({ status: 'cancelled' });
  expect((await ask(`${url}/cancel`, 'POST')).body).toMatchObject({
    action: 'cancel',
    status: 'cancelled',
  });
  expect(await ask(`${url}/continue`, 'POST')).toMatchObject({
    status: 409,
    body: { code: 'run_state_conflict' },
  });
});

test('36 one key, one run; another payload is a conflict (OD-088, OD-117)', async () => {
  const input = { spec: SPEC, input_text: 'one' };
  const first = await ask(`${admin}/launch/run`, 'POST', input, 'launch-key');
  const again = await ask(`${admin}/launch/run`, 'POST', input, 'launch-key');
  expect(again.body.run_id).toBe(first.body.run_id);
  const other = { spec: SPEC, input_text: 'two' };
  expect(await ask(`${admin}/launch/run`, 'POST', other, 'launch-key')).toMatchObject({
    status: 409,
    body: { code: 'idempotency_key_conflict' },
  });
});

test('38-39 a bad decision is the platform’s 422; a minted tag is accepted', async () => {
  const { continuation_id: id } = await launchBlocked();
  const url = `${admin}/human-tasks/${id}/resume`;
  expect((await ask(url, 'POST', { decision: 'maybe' })).status).toBe(422);
  expect((await ask(url, 'POST', { decision: 'approved' })).body.status).toBe('completed');
  expect((await ask(`${admin}/human-tasks/${id}`)).status).toBe(404);
});

test('41-42 invalid and blocked specs are verdicts; bad paths are refusals', async () => {
  const broken = { version: 'v1', agent: { name: 'a' }, workflow: { type: 'graph', nodes: {} } };
  const invalid = await ask(`${admin}/launch/deploy`, 'POST', { spec: broken });
  expect(invalid.status).toBe(200);
  expect(invalid.body).toMatchObject({ valid: false, compiled: false, ready: false });
  expect(invalid.body.blocking.length).toBeGreaterThan(1);
  await ask(`${admin}/policies/strict`, 'PUT', { require_guardrails: true });
  const blocked = await ask(`${admin}/launch/deploy`, 'POST', {
    spec: SPEC,
    environment: 'strict',
  });
  expect(blocked.body).toMatchObject({ valid: true, policy_ok: false, ready: false });
  expect(blocked.body.diagnostics.map((item: Loose) => item.code)).toContain(
    'E_ENV_POLICY_GUARDRAILS',
  );
  expect(
    await ask(`${admin}/launch/run`, 'POST', {
      spec: SPEC,
      environment: 'strict',
      input_text: '',
    }),
  ).toMatchObject({ status: 403, body: { code: 'environment_policy_blocked' } });
  const load = { spec: SPEC, environment: 'strict' };
  expect((await ask(`${admin}/launch/load`, 'POST', load)).status).toBe(200);
  const path = (spec_path: string) => ask(`${admin}/launch/deploy`, 'POST', { spec_path });
  expect(await path('missing.yaml')).toMatchObject({
    status: 400,
    body: { code: 'invalid_request' },
  });
  expect((await path('../x.yaml')).status).toBe(422);
  expect((await path('invoice-approval.yaml')).body.valid).toBe(true);
});

test('70 continue of a blocked approval needs human:write of the dashboard’s key', async () => {
  const run = await launchBlocked();
  expect(await ask(`${operator}/runs/${run.run_id}/continue`, 'POST')).toMatchObject({
    status: 403,
    body: { code: 'forbidden' },
  });
  const gone = await ask(`${admin}/runs/${run.run_id}/continue`, 'POST');
  expect(gone).toMatchObject({ status: 200, body: { action: 'continue', status: 'completed' } });
});

test('health, overview, credentials and spend read a real platform', async () => {
  const health = await ask(`${admin}/health`);
  expect(health.body).toMatchObject({
    service: 'run-platform',
    version: '1.2.0',
    probes: { livez: true, readyz: true, healthz: true },
  });
  expect(health.body.subsystems.length).toBeGreaterThan(3);
  const overview = await ask(`${admin}/overview`);
  expect(overview.body.ready).toBe(true);
  for (const tile of overview.body.tiles) expect(tile.value).not.toBeNull();
  const credentials = await ask(`${admin}/credentials`);
  expect(credentials.body.sections.map((row: Loose) => row.section)).toEqual([
    'providers',
    'extra',
    'service_tokens',
  ]);
  const spend = await ask(`${admin}/spend?window=24h`);
  expect(spend.body).toMatchObject({ truncated: false, total: spend.body.scanned });
  const usage = await ask(`${admin}/usage?window=24h&by=key`);
  expect(usage.body).toEqual({ available: true, rows: [], truncated: false });
  const empty = await ask(`${admin}/budgets`);
  expect(empty.body).toMatchObject({ available: true, prices: { currency: 'USD' }, budgets: [] });
  expect((await ask(`${admin}/runs/none/graph`)).body.available).toBe(false);
  expect((await ask(`${admin}/sessions/none`)).body.available).toBe(true);
});
