import { describe, expect, test } from 'vitest';
import type { DashboardApp } from '../../server/dashboard/service.ts';
import { toTimestamp } from '../../server/kernel/timestamp.ts';
import {
  clock,
  dashboard,
  freshDashboards,
  get,
  NOW,
  platform,
  run,
  send,
} from '../support/dashboard-world.ts';
import { failure } from '../support/fake-platform.ts';
import type { Loose } from '../support/platform.ts';

freshDashboards();

describe('trace stream', () => {
  async function read(to: DashboardApp, url: string, signal?: AbortSignal) {
    const { url: base } = await to.app.listen('127.0.0.1', 0);
    const response = await fetch(`${base}${url}`, signal === undefined ? {} : { signal });
    return response;
  }

  test('60 frames equal the events, end with {}, an unknown run is a frame (OD-107, OD-148)', async () => {
    platform.on('GET /v1/runs/*/trace', ({ query }) => ({
      body: {
        events:
          query['offset'] === '0'
            ? [{ type: 'run_started', timestamp: toTimestamp(NOW), step_id: 's' }]
            : [],
        total: 1,
        window: 10_000,
      },
    }));
    platform.on('GET /v1/runs/r1', { body: run() });
    const to = dashboard();
    const response = await read(to, '/api/runs/r1/trace/stream?env=any');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('x-accel-buffering')).toBe('no');
    expect(response.headers.get('x-frame-options')).toBe('DENY');
    expect(response.headers.get('x-request-id')).toMatch(/^bff-/);
    const text = await response.text();
    const frames = text.split('\r\n\r\n').filter((frame) => frame !== '');
    expect(frames[0]).toMatch(/^event: trace\r\ndata: \{"ts":"2026-11-21T12:00:00/);
    expect(frames.at(-1)).toBe('event: end\r\ndata: {}');
    expect(to.deps.streams.active()).toBe(0);
  });

  test('60 an unknown run ends in a stream_error frame', async () => {
    platform.on('GET /v1/runs/*/trace', failure(404, 'not_found'));
    const text = await (await read(dashboard(), '/api/runs/x/trace/stream')).text();
    expect(text).toMatch(/^event: stream_error\r\ndata: \{"code":"not_found"/);
  });

  test('61 the sixth stream is refused with Retry-After; leaving frees the slot (OD-149, OD-150, OD-161)', async () => {
    platform.on('GET /v1/runs/*/trace', { body: { events: [], total: 0, window: 10_000 } });
    platform.on('GET /v1/runs/*', { body: run({ status: 'blocked' }) });
    const to = dashboard({ env: { DASH_SSE_MAX_STREAMS_PER_OPERATOR: '2' } });
    const { url } = await to.app.listen('127.0.0.1', 0);
    const stream = `${url}/api/runs/r1/trace/stream`;
    const leave = [new AbortController(), new AbortController()];
    // An answer that nobody holds is closed once its memory is collected.
    const held = await Promise.all(leave.map(({ signal }) => fetch(stream, { signal })));
    const third = await fetch(stream);
    expect(third.status).toBe(503);
    expect(third.headers.get('retry-after')).toBe('5');
    expect(await third.json()).toMatchObject({ code: 'service_unavailable', retry_after: 5 });
    leave[0]?.abort();
    await expect.poll(() => to.deps.streams.active()).toBe(1);
    leave[1]?.abort();
    await expect.poll(() => to.deps.streams.active()).toBe(0);
    expect(held.map(({ status }) => status)).toEqual([200, 200]);
  });
});

describe('human tasks', () => {
  const task = (extra: Record<string, unknown> = {}) => ({
    id: 'c1',
    run_id: 'r1',
    workflow_name: 'flow',
    workflow_kind: 'graph',
    pending_human_request_id: 'q1',
    pending_human_request: { id: 'q1', type: 'approval', prompt: ' ', title: 'Check' },
    expires_at: NOW / 1000 + 300,
    ...extra,
  });

  test('37 the queue is by expiry; near and escalated are derived (OD-046, OD-052, OD-078)', async () => {
    platform.on('GET /v1/human-tasks', {
      body: {
        tasks: [
          task(),
          task({ id: 'c2', expires_at: NOW / 1000 - 1 }),
          task({
            id: 'c3',
            expires_at: null,
            pending_human_request: { id: 'q', prompt: 'P', escalated_at: 5 },
          }),
          task({ id: 'c4', expires_at: NOW / 1000 + 301 }),
        ],
        total: 4,
      },
    });
    const { body } = await get(dashboard(), '/api/human-tasks');
    expect(platform.calls[0]?.query).toEqual({
      sort_by: 'expires_at',
      sort_order: 'asc',
      limit: '50',
      offset: '0',
    });
    expect(
      body.rows.map((row: Loose) => [
        row.continuation_id,
        row.request_summary,
        row.status,
        row.deadline_age,
        row.near_deadline,
      ]),
    ).toEqual([
      ['c1', 'Check', 'pending', 'in 5m', true],
      ['c2', 'Check', 'pending', 'overdue', true],
      ['c3', 'P', 'escalated', '—', false],
      ['c4', 'Check', 'pending', 'in 5m', false],
    ]);
    expect(body.rows[0].request_id).toBe('q1');
  });

  test('the detail shows request and conversation (OD-047, OD-079, RP-015)', async () => {
    platform.on('GET /v1/human-tasks/*', {
      body: {
        continuation_id: 'c1',
        request: {
          id: 'q1',
          type: 'selection',
          prompt: 'Which?',
          options: ['a', 1, 'b'],
          context: { input_text: 'waits', order: { id: 7 }, note: 'urgent' },
          response_role: 'assistant',
        },
        messages: [{ sender: 'user', text: 'hi' }, { content: 'x' }],
      },
    });
    const { body } = await get(dashboard(), '/api/human-tasks/c1');
    expect(body).toMatchObject({
      continuation_id: 'c1',
      request_summary: 'Which?',
      request_id: 'q1',
      run_id: null,
      workflow_name: '',
      status: 'pending',
      options: ['a', 'b'],
      input_text: 'waits',
      context: { input_text: 'waits', order: { id: 7 }, note: 'urgent' },
      response_role: 'assistant',
      messages: [
        { role: 'user', content: 'hi', at: null },
        { role: '—', content: 'x', at: null },
      ],
    });
  });

  test('38-39 decisions: missing is ours, expired keeps its details, tags are minted (OD-080 to OD-083, OD-156)', async () => {
    const to = dashboard();
    expect((await send(to, 'POST', '/api/human-tasks/c1/resume', {})).status).toBe(422);
    expect(platform.calls).toHaveLength(0);
    platform.on(
      'POST /v1/human-tasks/*/resume',
      failure(409, 'human_task_expired', { continuation_id: 'c1', expires_at: 12.5 }),
    );
    expect(
      await send(to, 'POST', '/api/human-tasks/c1/resume', { decision: 'approved' }),
    ).toMatchObject({
      status: 409,
      body: {
        code: 'human_task_expired',
        details: { continuation_id: 'c1', expires_at: 12.5 },
      },
    });
    platform.on('POST /v1/human-tasks/*/resume', { body: { run_id: 'r1', status: 'completed' } });
    const done = await send(to, 'POST', '/api/human-tasks/c1/resume', {
      decision: 'selected',
      selected_option: 'a',
      content: null,
    });
    expect(done.body).toMatchObject({ continuation_id: 'c1', status: 'completed', run_id: 'r1' });
    const sent = platform.calls.at(-1)?.body as Record<string, unknown>;
    expect(sent).toMatchObject({ decision: 'selected', selected_option: 'a' });
    expect(sent['request_id']).toMatch(/^dash-[0-9a-f]{32}$/);
    expect('content' in sent).toBe(false);
  });
});

describe('launch', () => {
  const deployable = () => {
    platform.on('POST /v1/specs/validate', { body: { valid: true, diagnostics: [] } });
    platform.on('POST /v1/specs/compile', { body: { ok: true, diagnostics: [] } });
    platform.on('POST /v1/specs/policy-report', {
      body: { valid: true, report: { diagnostics: [] } },
    });
  };

  test('40 the body environment must be the active one (OD-084)', async () => {
    const to = dashboard();
    const mixed = await send(
      to,
      'POST',
      '/api/launch/load',
      { spec: {}, environment: 'dev' },
      { 'x-kneo-env': 'prod' },
    );
    expect(mixed).toMatchObject({ status: 400, body: { code: 'bad_request' } });
    platform.on('POST /v1/specs/explain', { body: { summary: { a: 1 } } });
    const ok = await send(to, 'POST', '/api/launch/load', { spec: {}, environment: 'dev' });
    expect(ok.body).toEqual({ summary: { a: 1 } });
    expect(platform.calls.at(-1)?.body).toEqual({ spec: {} });
  });

  test('41 an invalid spec is a verdict (OD-086, OD-085)', async () => {
    deployable();
    const bad = { code: 'E_X', message: 'no agent', severity: 'error' };
    platform.on('POST /v1/specs/validate', { body: { valid: false, diagnostics: [bad] } });
    platform.on('POST /v1/specs/compile', failure(400, 'spec_invalid', { diagnostics: [bad] }));
    const { status, body } = await send(dashboard(), 'POST', '/api/launch/deploy', { spec: {} });
    expect(status).toBe(200);
    expect(body).toMatchObject({ valid: false, compiled: false, policy_ok: true, ready: false });
    expect(Object.keys(body).sort()).toEqual(
      ['blocking', 'compiled', 'diagnostics', 'policy_ok', 'ready', 'valid'].sort(),
    );
    const asked = platform.calls.map(({ path: to }) => to.replace('/v1/specs/', '')).sort();
    expect(asked).toEqual(['compile', 'policy-report', 'validate']);
    expect(body.diagnostics).toEqual([{ ...bad, source: 'validate' }]);
    expect(body.blocking).toHaveLength(3);
    expect(body.blocking.at(-1)).toBe('validate: no agent');
    expect(platform.calls.find((call) => call.path.endsWith('compile'))?.body).toEqual({
      spec: {},
      strict: true,
    });
  });

  test('42 a policy that blocks is a verdict, a missing file a refusal (OD-087, OD-154)', async () => {
    deployable();
    const finding = { code: 'E_ENV_POLICY_GUARDRAILS', message: 'm', severity: 'error' };
    platform.on(
      'POST /v1/specs/compile',
      failure(403, 'environment_policy_blocked', { diagnostics: [finding] }),
    );
    const to = dashboard();
    const { body } = await send(to, 'POST', '/api/launch/deploy', { spec: {}, environment: 'p' });
    expect(body).toMatchObject({ valid: true, compiled: false, policy_ok: false, ready: false });
    expect(body.diagnostics[0]).toMatchObject({ source: 'policy', code: finding.code });
    platform.on('POST /v1/runs', failure(403, 'environment_policy_blocked'));
    expect(
      await send(to, 'POST', '/api/launch/run', { spec: {}, input_text: '', environment: 'p' }),
    ).toMatchObject({ status: 403, body: { code: 'environment_policy_blocked' } });
    const { body: log } = await get(to, '/api/audit-log');
    expect(log.entries[0]).toMatchObject({
      action: 'launch.run',
      outcome: 'error',
      target: null,
      environment: 'p',
    });
    platform.on('POST /v1/specs/validate', failure(400, 'invalid_request'));
    expect(await send(to, 'POST', '/api/launch/deploy', { spec_path: 'none.yaml' })).toMatchObject({
      status: 400,
      body: { code: 'invalid_request' },
    });
  });

  test('43-44 history keeps a digest, never the spec; a replay adds no row (OD-045, OD-089, OD-090)', async () => {
    platform.on('POST /v1/runs', { status: 202, body: { run_id: 'r9', status: 'queued' } });
    const to = dashboard();
    const spec = { agent: { name: 'helper' }, secret: 'hush' };
    const input = { spec, input_text: 'hi', environment: 'dev' };
    const first = await send(to, 'POST', '/api/launch/run', input);
    expect(first).toMatchObject({ status: 200, body: { run_id: 'r9', status: 'queued' } });
    expect(platform.calls[0]?.body).toEqual({
      input: 'hi',
      async_mode: true,
      spec,
      environment: 'dev',
    });
    await send(to, 'POST', '/api/launch/run', input);
    platform.on('POST /v1/runs', { body: { run_id: 'r10', status: 'completed' } });
    clock.now += 1000;
    await send(to, 'POST', '/api/launch/run', { spec_path: 'a.yaml', input_text: '' });
    const { body } = await get(to, '/api/launch/history');
    expect(body.entries).toHaveLength(2);
    expect(body.entries[0]).toMatchObject({
      mode: 'path',
      label: 'a.yaml',
      digest: null,
      environment: null,
    });
    expect(body.entries[1]).toMatchObject({ mode: 'inline', label: 'helper', run_id: 'r9' });
    expect(body.entries[1].digest).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(JSON.stringify(body)).not.toContain('hush');
    const { body: log } = await get(to, '/api/audit-log');
    expect(log.entries.at(-1)).toMatchObject({ outcome: 'ok', target: 'r9', environment: 'dev' });
  });
});
