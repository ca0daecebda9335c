// What the dashboard makes of the platform's answers about one run, and how it asks (dashboard.md 9, 11).
import { expect, test } from 'vitest';
import {
  dashboard,
  freshDashboards,
  get,
  platform,
  run,
  runPage,
  send,
} from '../support/dashboard-world.ts';
import type { Loose } from '../support/platform.ts';

freshDashboards();

test('chain and session list their runs, the oldest first (OD-100, OD-108)', async () => {
  platform.on('GET /v1/runs/*', { body: run({ session_id: 's1' }) });
  platform.on('GET /v1/runs', {
    body: runPage([run({ id: 'r0', run_id: 'r0' }), run()], 3),
  });
  const to = dashboard();
  const { body: chain } = await get(to, '/api/runs/r1/chain');
  expect(chain).toEqual({
    available: true,
    session_id: 's1',
    runs: [
      {
        spec_name: 'flow',
        run_id: 'r0',
        status: 'completed',
        workflow_name: 'flow',
        created_age: '1h',
        current: false,
      },
      {
        spec_name: 'flow',
        run_id: 'r1',
        status: 'completed',
        workflow_name: 'flow',
        created_age: '1h',
        current: true,
      },
    ],
    total: 3,
    truncated: true,
  });
  expect(platform.calls.at(-1)?.query).toMatchObject({
    session_id: 's1',
    sort_by: 'created_at',
    sort_order: 'asc',
  });
  const { body: session } = await get(to, '/api/sessions/s1');
  expect(session).toMatchObject({ session_id: 's1', total: 3, truncated: true });
  expect(
    session.runs.map(({ run_id, current }: Record<string, unknown>) => [run_id, current]),
  ).toEqual([
    ['r0', false],
    ['r1', false],
  ]);
});

test('a session tells what was said in its runs, cut, with their use and price', async () => {
  const long = `first line\n${'x'.repeat(3_000)}`;
  const usage = { input_tokens: 400, output_tokens: 600, total_tokens: 1_000 };
  platform.on('GET /v1/runs', {
    body: runPage(
      [
        run({ input_text: ' hello ', output_text: long, metadata: { usage } }),
        run({
          id: 'r2',
          run_id: 'r2',
          status: 'failed',
          output_text: '',
          error: { message: 'no' },
        }),
      ],
      2,
    ),
  });
  const { body } = await get(dashboard(), '/api/sessions/s1');
  const [first, second] = body.runs;
  expect(first).toMatchObject({ input_excerpt: 'hello', error_excerpt: null });
  expect(first.output_excerpt).toMatch(/^first line\nx+…$/);
  expect(first.output_excerpt.length).toBeLessThan(1_600);
  expect(first.usage).toMatchObject({ total_tokens: 1_000, cost_usd: null });
  expect(second).toMatchObject({ output_excerpt: null, error_excerpt: 'no', status: 'failed' });
});

test('an event of the trace tells the tokens of its call, where it knows them', async () => {
  const used = { usage: { input_tokens: 4, output_tokens: 6, total_tokens: 10 } };
  platform.on('GET /v1/runs/*/trace', {
    body: {
      events: [
        { type: 'run_completed', timestamp: '2026-01-01T00:00:00Z', metadata: used },
        { type: 'run_completed', timestamp: '2026-01-01T00:00:01Z', metadata: { usage: 'much' } },
      ],
      total: 2,
    },
  });
  const { body } = await get(dashboard(), '/api/runs/r1/trace');
  expect(body.rows[0].tokens).toEqual({ input: 4, output: 6, total: 10 });
  expect(body.rows[1]).not.toHaveProperty('tokens');
});

test('policy report, recovery and replay of a run (OD-103, OD-104, OD-105)', async () => {
  platform.on('GET /v1/runs/*/policy-report', {
    body: {
      valid: false,
      report: {
        version: 'v1',
        summary: { agent_count: 1 },
        human_review: { required: true, missing: true },
        diagnostics: [{ code: 'W_X', message: 'm', severity: 'warning', path: 'a' }],
      },
    },
  });
  platform.on('GET /v1/runs/*/recovery', {
    body: { run_id: 'r1', status: 'failed', checkpoint_count: 2, visited_nodes: ['a'] },
  });
  platform.on('GET /v1/runs/*/replay', {
    body: { run_id: 'r1', timeline: [{ sequence: 1, type: 'run_started' }, { node_id: 'a' }] },
  });
  const to = dashboard();
  expect((await get(to, '/api/runs/r1/policy-report')).body).toMatchObject({
    available: true,
    valid: false,
    version: 'v1',
    summary: { agent_count: 1 },
    diagnostics: [{ code: 'W_X', message: 'm', severity: 'warning' }],
  });
  expect((await get(to, '/api/runs/r1/recovery')).body).toMatchObject({
    run_id: 'r1',
    status: 'failed',
    visited_nodes: ['a'],
    recoverable: true,
  });
  expect((await get(to, '/api/runs/r1/replay')).body).toMatchObject({
    timeline: [
      { sequence: 1, label: 'run_started', node: null },
      { sequence: null, label: '(step)', node: 'a' },
    ],
  });
  platform.on('GET /v1/runs/*/recovery', { body: { run_id: 'r1', status: 'queued' } });
  expect((await get(to, '/api/runs/r1/recovery')).body.recoverable).toBe(false);
});

test('a continue has its key and tells what came of it (OD-099, OD-109, OD-160)', async () => {
  platform.on('POST /v1/runs/*/continue', {
    body: run({ status: 'blocked', continuation_id: 'c2' }),
  });
  platform.on('POST /v1/human-tasks/*/resume', { body: { run_id: 'r1', status: 'completed' } });
  const to = dashboard();
  const answer = await send(to, 'POST', '/api/runs/r1/continue', undefined, {
    'idempotency-key': 'mine',
  });
  expect(answer.body).toEqual({
    action: 'continue',
    run_id: 'r1',
    status: 'blocked',
    new_run_id: null,
    continuation_id: 'c2',
    idempotency_key: 'mine',
  });
  const headers = { 'idempotency-key': 'answer' };
  const resumed = await send(
    to,
    'POST',
    '/api/human-tasks/c2/resume',
    { decision: 'approved' },
    headers,
  );
  expect(resumed.body.idempotency_key).toBe('answer');
  expect(platform.calls.map((call) => call.headers['idempotency-key'])).toEqual(['mine', 'answer']);
});

test('the platform is asked under /v1 with the key of the dashboard, and no answer shows it (OD-002, OD-145)', async () => {
  platform.on('GET /v1/runs', { body: runPage([run()]) });
  platform.on('GET /v1/runs/*', { body: run() });
  platform.on('GET /v1/human-tasks', { body: { tasks: [], total: 0 } });
  platform.on('POST /v1/specs/explain', { body: { summary: {} } });
  const to = dashboard();
  const answers = [
    ...(await Promise.all(
      [
        'runs',
        'runs/r1',
        'overview',
        'health',
        'human-tasks',
        'policies',
        'credentials',
        'spend',
      ].map((view) => get(to, `/api/${view}`, { authorization: 'Bearer of-the-caller' })),
    )),
    await send(to, 'POST', '/api/launch/load', { spec: {} }),
  ];
  expect(platform.calls.length).toBeGreaterThan(12);
  for (const call of platform.calls) {
    expect(call.path).toMatch(/^\/v1\//);
    expect(call.headers.authorization).toBe('Bearer secret-platform-key');
  }
  expect(JSON.stringify(answers)).not.toContain('secret-platform-key');
});

test('an environment is no facet of the runs: it chooses the connection (OD-112)', async () => {
  platform.on('GET /v1/runs', { body: runPage([]) });
  const { body, status } = await get(dashboard(), '/api/runs?environment=prod&env=dev');
  expect([status, body.unsupported_filters]).toEqual([200, []]);
  expect(platform.calls[0]?.query).not.toHaveProperty('environment');
  expect(platform.calls[0]?.query).not.toHaveProperty('env');
});

test('checkpoints of a run come as labels, from platforms that know no labels too (OD-041)', async () => {
  platform.on('GET /v1/runs/*', { body: run() });
  platform.on('GET /v1/runs/*/trace', { body: { events: [] } });
  const rows = [{ sequence: 1, type: 'step', step_id: 's', state: { large: 'x' } }];
  platform.on('GET /v1/runs/*/checkpoints', { body: { checkpoints: rows } });
  const to = dashboard();
  const asked = () =>
    platform.calls.flatMap(({ path, query }) => (path.endsWith('/checkpoints') ? [query] : []));
  const expected = [{ sequence: 1, type: 'step', node: 's', age: expect.any(String) }];
  expect((await get(to, '/api/runs/r1')).body.checkpoints).toEqual(expected);
  const words = { sort_by: 'sequence', sort_order: 'asc', limit: '100' };
  expect(asked()).toEqual([{ states: 'false', ...words }]);
  platform.on('GET /v1/runs/*/checkpoints', ({ query }) =>
    'states' in query ? { status: 422, body: { error: {} } } : { body: { checkpoints: rows } },
  );
  expect((await get(to, '/api/runs/r1')).body.checkpoints).toEqual(expected);
  expect(asked().slice(1)).toEqual([{ states: 'false', ...words }, words]);
});

test('runs that somebody only watches come in brief, from platforms that know no brief runs whole (OD-040)', async () => {
  const brief = { run_id: 'r2', status: 'completed', created_at: '2026-01-01T00:00:00Z' };
  platform.on('GET /v1/runs', ({ headers }) => {
    const isBrief = headers['x-specwright-brief-runs'] === 'running,completed';
    const failed = run({ status: 'failed' });
    const rest = isBrief ? [] : [run({ status: 'completed' })];
    return {
      body: { ...runPage([failed, ...rest]), total: 2, ...(isBrief ? { brief: [brief] } : {}) },
    };
  });
  const to = dashboard();
  const { status, body } = await get(to, '/api/runs?brief=completed,running,no%0Astatus');
  expect(status).toBe(200);
  expect(body).toMatchObject({
    count: 2,
    total: 2,
    brief: [{ run_id: 'r2', status: 'completed' }],
  });
  expect(body.rows.map(({ status: of }: Loose) => of)).toEqual(['failed']);
  const whole = (await get(to, '/api/runs')).body;
  expect(whole.rows.map(({ status: of }: Loose) => of)).toEqual(['failed', 'completed']);
  expect(whole).not.toHaveProperty('brief');
});
