import { describe, expect, test } from 'vitest';
import { toTimestamp } from '../../server/kernel/timestamp.ts';
import {
  dashboard,
  freshDashboards,
  get,
  NOW,
  platform,
  run,
  runPage,
  send,
} from '../support/dashboard-world.ts';
import { failure } from '../support/fake-platform.ts';
import type { Loose } from '../support/platform.ts';

freshDashboards();

describe('runs', () => {
  test('20 rows have every key (OD-040, OD-095, OD-029)', async () => {
    platform.on('GET /v1/runs', { body: runPage([run({ metadata: {} })]) });
    const { body } = await get(dashboard(), '/api/runs');
    expect(body).toMatchObject({
      count: 1,
      total: 1,
      window: 10_000,
      unsupported_filters: [],
    });
    expect(body.rows[0]).toMatchObject({
      run_id: 'r1',
      status: 'completed',
      current_node_id: null,
      current_step_index: null,
      updated_age: '1m',
      blocked: false,
      has_error: false,
      stuck: false,
      stuck_reason: null,
      usage: null,
    });
    expect(platform.calls[0]?.query).toEqual({
      limit: '50',
      offset: '0',
      sort_by: 'updated_at',
      sort_order: 'desc',
    });
    expect(platform.calls[0]?.headers.authorization).toBe('Bearer secret-platform-key');
  });

  const graphSpec = (model: unknown) => ({
    agent: { name: 'desk' },
    workflow: { type: 'graph', name: 'gate', nodes: { a: { kind: 'agent', ref: 'one' } } },
    components: { agents: { one: { name: 'one', ...(model === null ? {} : { model }) } } },
  });

  test('a row says what went in and came out, its own name, and where an offline answer stands (OD-040)', async () => {
    const frozen_spec = { base: graphSpec(null) };
    const rows = [
      run({
        workflow_name: null,
        input_text: ` a\n${'long '.repeat(200)}`,
        error: { message: 'E_X at workflow: no', type: 'SpecCompilationError' },
        status: 'failed',
        metadata: { frozen_spec, environment: 'prod' },
      }),
      run({ output_text: 'done', visited_nodes: ['a'], metadata: { frozen_spec } }),
      run({
        workflow_name: 'graph-workflow',
        visited_nodes: ['a'],
        session_id: 'studio-7',
        metadata: { frozen_spec: { base: graphSpec({ provider: 'openai', name: 'x' }) } },
      }),
      run({ workflow_name: 'sequential-workflow', metadata: { spec_path: 'specs/desk.v2.yaml' } }),
      run({ metadata: { model_warning: 'No key: the offline runtime answers. Set K.' } }),
    ];
    platform.on('GET /v1/runs', { body: runPage(rows) });
    const { body } = await get(dashboard(), '/api/runs?workflow_name=gate&session_id=studio-7');
    expect(platform.calls.at(-1)?.query).toMatchObject({
      workflow_name: 'gate',
      session_id: 'studio-7',
    });
    expect(body.rows[0]).toMatchObject({
      spec_name: 'gate',
      environment: 'prod',
      output_preview: null,
      error_preview: 'E_X at workflow: no',
      offline: false,
    });
    expect(body.rows[0].input_preview).toMatch(/^a long long .*…$/);
    expect(body.rows[0].input_preview.length).toBeLessThan(250);
    expect(body.rows[1]).toMatchObject({ output_preview: 'done', offline: true });
    expect(body.rows[2]).toMatchObject({
      spec_name: 'gate',
      session_id: 'studio-7',
      offline: false,
    });
    expect(body.rows[3]).toMatchObject({ spec_name: 'desk.v2', offline: false });
    expect(body.rows[4]).toMatchObject({ spec_name: 'flow', offline: true });
  });

  test('24 stuck thresholds (OD-051)', async () => {
    const stuckOf = async (item: Record<string, unknown>) => {
      platform.on('GET /v1/runs', { body: runPage([run(item)]) });
      const { body } = await get(to, '/api/runs');
      return body.rows[0].stuck;
    };
    const to = dashboard();
    const running = (seconds: number) => ({
      status: 'running',
      updated_at: toTimestamp(NOW - seconds * 1000),
    });
    expect(await stuckOf(running(120))).toBe(true);
    expect(await stuckOf(running(119))).toBe(false);
    const blocked = (seconds: number) => ({ status: 'blocked', deadline_at: NOW / 1000 + seconds });
    expect(await stuckOf(blocked(300))).toBe(true);
    expect(await stuckOf(blocked(301))).toBe(false);
    expect(await stuckOf(blocked(-5))).toBe(true);
  });

  test('26 error-summary is no run id; most failing first (OD-096, OD-114)', async () => {
    platform.on('GET /v1/runs', {
      body: runPage(
        ['a', 'b', 'b', 'b', 'b'].map((name, i) => run({ id: `r${i}`, workflow_name: name })),
        9,
      ),
    });
    const { body } = await get(dashboard(), '/api/runs/error-summary');
    expect(body).toEqual({
      groups: [
        {
          workflow_kind: 'workflow',
          workflow_name: 'b',
          count: 4,
          sample_run_ids: ['r1', 'r2', 'r3'],
        },
        { workflow_kind: 'workflow', workflow_name: 'a', count: 1, sample_run_ids: ['r0'] },
      ],
      total_failed: 9,
      scanned: 5,
    });
    expect(platform.calls[0]?.query).toMatchObject({ status: 'failed', limit: '200' });
  });

  test('27-28 detail survives missing parts, not failing ones (OD-041, OD-097)', async () => {
    platform.on('GET /v1/runs/*', {
      body: run({
        id: undefined,
        input_text: 'key [REDACTED]',
        error: { message: 'broke', type: 'X' },
        visited_steps: ['a'],
      }),
    });
    const to = dashboard();
    const detail = await get(to, '/api/runs/r1');
    expect(detail.body).toMatchObject({
      run_id: 'r1',
      input_redacted: true,
      error: 'broke',
      path: ['a'],
      is_terminal: true,
      trace: [],
      checkpoints: [],
      trace_complete: null,
      trace_dropped: null,
    });
    platform.on('GET /v1/runs/*/checkpoints', {
      ...failure(503, 'store_unavailable'),
      headers: { 'retry-after': '60' },
    });
    expect((await get(to, '/api/runs/r1')).status).toBe(503);
  });

  test('29-30 durations and usage (OD-038, OD-042)', async () => {
    const at = (ms: number) => toTimestamp(NOW + ms);
    platform.on('GET /v1/runs/*', {
      body: run({ usage: { total_tokens: 1500, input_tokens: 'x' } }),
    });
    platform.on('GET /v1/runs/*/trace', {
      body: {
        events: [
          { type: 'run_started', timestamp: at(0), span_id: 's1', agent_name: 'a' },
          { type: 'run_completed', timestamp: at(250.9), span_id: 's1', model_name: 'm' },
          { type: 'x_completed', timestamp: at(9), metadata: { duration_ms: 7 }, tool_name: 't' },
          { type: 'guardrail_checked', timestamp: at(9), step_id: 'g' },
          { type: 'human_intervention_requested', timestamp: at(9) },
        ],
        complete: true,
        dropped: 0,
      },
    });
    const to = dashboard();
    const { body } = await get(to, '/api/runs/r1');
    expect(body.trace.map((event: Loose) => [event.kind, event.duration_ms])).toEqual([
      ['node', 0],
      ['llm', 250],
      ['tool', 7],
      ['policy', 0],
      ['human', 0],
    ]);
    expect(body.trace_complete).toBe(true);
    expect(body.trace_dropped).toBe(false);
    expect(body.usage).toEqual({
      input_tokens: null,
      output_tokens: null,
      total_tokens: 1500,
      cost_usd: null,
      cost_approximate: false,
      currency: 'USD',
    });
    await send(to, 'PUT', '/api/settings/pricing', { blended_per_1k: 0.01, version: 0 });
    const priced = await get(to, '/api/runs/r1');
    expect(priced.body.usage).toMatchObject({ cost_usd: 0.015, cost_approximate: true });
  });

  test('31-32 graph and policy report degrade; chain needs a session (OD-119, OD-120, OD-158)', async () => {
    const to = dashboard();
    expect((await get(to, '/api/runs/x/graph')).body).toEqual({
      available: false,
      nodes: [],
      edges: [],
      current: null,
    });
    expect((await get(to, '/api/runs/x/policy-report')).body).toMatchObject({
      available: false,
      valid: true,
      version: '',
    });
    for (const view of ['chain', 'replay', 'recovery']) {
      expect((await get(to, `/api/runs/x/${view}`)).status).toBe(404);
    }
    platform.on('GET /v1/runs/*', { body: run({ session_id: null }) });
    expect((await get(to, '/api/runs/r1/chain')).body).toEqual({
      available: false,
      session_id: null,
      runs: [],
      total: null,
      truncated: false,
    });
    platform.on('GET /v1/runs', { body: runPage([]) });
    expect((await get(to, '/api/sessions/none')).body).toMatchObject({ available: true, runs: [] });
    platform.on('GET /v1/runs', failure(422, 'unknown_query_parameters'));
    expect((await get(to, '/api/sessions/s')).body).toMatchObject({
      available: false,
      session_id: 's',
    });
  });

  test('33 diff entries have all four keys; 0, false and empty are kept (OD-101)', async () => {
    platform.on('GET /v1/runs/*/checkpoints/diff', {
      body: {
        added: [{ path: 'a', value: { x: 1 } }, { value: 1 }],
        removed: [],
        changed: [
          { path: 'b', before: 1, after: 0 },
          { field: 'c', from: true, to: false },
          { name: 'd', old: 'x', new: '' },
        ],
        change_count: 5,
        truncated: true,
        from_checkpoint: { sequence: 3 },
        to_checkpoint: { sequence: 4 },
      },
    });
    const to = dashboard();
    const { body } = await get(to, '/api/runs/r1/checkpoints/diff');
    expect(body).toEqual({
      added: [{ key: 'a', value: '{"x":1}', from_value: null, to_value: null }],
      removed: [],
      changed: [
        { key: 'b', value: null, from_value: '1', to_value: '0' },
        { key: 'c', value: null, from_value: 'true', to_value: 'false' },
        { key: 'd', value: null, from_value: 'x', to_value: '' },
      ],
      change_count: 5,
      from_sequence: 3,
      to_sequence: 4,
      truncated: true,
    });
    await get(to, '/api/runs/r1/checkpoints/diff?from_sequence=1&to_sequence=2');
    expect(platform.calls.at(-1)?.query).toEqual({ from_sequence: '1', to_sequence: '2' });
  });

  test('34-35 actions echo their key and are audited (OD-098, OD-109, OD-115, OD-117, OD-156, OD-160)', async () => {
    platform.on('POST /v1/runs/*/cancel', { body: run({ status: 'completed' }) });
    platform.on('POST /v1/runs/*/continue', failure(409, 'run_state_conflict', { run_id: 'r1' }));
    const to = dashboard();
    const cancelled = await send(to, 'POST', '/api/runs/r1/cancel');
    expect(cancelled.body).toMatchObject({
      action: 'cancel',
      status: 'completed',
      new_run_id: null,
    });
    expect(cancelled.body.idempotency_key).toMatch(/^dash-[0-9a-f]{32}$/);
    expect(platform.calls[0]?.headers['idempotency-key']).toBe(cancelled.body.idempotency_key);
    const keyed = await send(to, 'POST', '/api/runs/r1/cancel', undefined, {
      'idempotency-key': '  mine ',
    });
    expect(keyed.body.idempotency_key).toBe('mine');
    expect(
      await send(to, 'POST', '/api/runs/r1/cancel', undefined, {
        'idempotency-key': 'k'.repeat(257),
      }),
    ).toMatchObject({ status: 400, body: { code: 'invalid_idempotency_key' } });
    expect(await send(to, 'POST', '/api/runs/r1/continue')).toMatchObject({
      status: 409,
      body: { code: 'run_state_conflict' },
    });
    const { body } = await get(to, '/api/audit-log');
    expect(body.entries.map((row: Loose) => [row.action, row.outcome]).sort()).toEqual([
      ['run.cancel', 'ok'],
      ['run.cancel', 'ok'],
      ['run.continue', 'error'],
    ]);
  });

  test('36 a code-less conflict of a keyed call is one of the key (RP-131)', async () => {
    platform.on('POST /v1/runs', { status: 409, text: 'busy' });
    expect(
      await send(dashboard(), 'POST', '/api/launch/run', { spec: {}, input_text: '' }),
    ).toMatchObject({ status: 409, body: { code: 'idempotency_key_conflict' } });
  });
});
