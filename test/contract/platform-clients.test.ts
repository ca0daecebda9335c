// What the reference clients rely on, called in their shapes (contract/platform.md 15; conformance 65).
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Answer,
  type Loose,
  startTestPlatform,
  type TestPlatform,
} from '../support/platform.ts';
import { humanSpec, TINY } from '../support/specs.ts';

const FLAKY = {
  version: 'v1',
  agent: { name: 'desk' },
  workflow: { type: 'sequential', name: 'w', steps: [{ id: 's', kind: 'function', ref: 'f' }] },
  components: { functions: { f: { implementation: 'work.flaky' } } },
};

const ASKING = humanSpec();

let p: TestPlatform;
let fails = false;
beforeAll(async () => {
  p = await startTestPlatform({
    env: { SERV_SWEEP_INTERVAL_SECONDS: '0' },
    thread: false,
    handlers: {
      'work.flaky': () => {
        if (fails) throw new Error('not yet');
        return 'done';
      },
    },
  });
});
afterAll(() => p.stop());

/** A body as generated models write it: every field, null where unset. */
function runCreate(over: Loose): Loose {
  return {
    input: 'hello',
    spec: null,
    spec_path: null,
    target: 'workflow',
    environment: null,
    overlays: [],
    overrides: {},
    skills: null,
    async_mode: false,
    session_id: null,
    metadata: {},
    ...over,
  };
}

function specInput(over: Loose): Loose {
  return { spec_path: null, spec: null, environment: null, overlays: [], overrides: {}, ...over };
}

describe('65 kneo-client', () => {
  /** Versioned paths, a key and an Idempotency-Key on every POST; a 2xx must be JSON. */
  async function ask(
    method: string,
    path: string,
    { query, body, key = randomUUID() }: { query?: Loose; body?: unknown; key?: string } = {},
  ): Promise<Answer> {
    const search = new URLSearchParams(query).toString();
    const answer = await p.call(method, `/v1${path}${search === '' ? '' : `?${search}`}`, {
      headers: {
        accept: 'application/json',
        'user-agent': 'kneo-client/1.2.0',
        'x-request-id': randomUUID(),
        ...(method === 'POST' ? { 'idempotency-key': key } : {}),
      },
      ...(body === undefined ? {} : { body }),
    });
    if (answer.status < 300) expect(answer.body).toBeTypeOf('object');
    else expect(answer.body.detail).toMatchObject({ error: expect.any(String) });
    return answer;
  }

  test('create, list, get, cancel', async () => {
    const created = await ask('POST', '/runs', {
      body: runCreate({ spec: TINY, metadata: { a: 1 } }),
    });
    expect(Object.keys(created.body).sort()).toEqual([
      'continuation_id',
      'human_intervention_required',
      'metadata',
      'output_text',
      'run_id',
      'status',
    ]);
    const id = created.body.run_id;
    const list = await ask('GET', '/runs', {
      query: { limit: 50, offset: 0, sort_by: 'updated_at', sort_order: 'desc', has_error: false },
    });
    expect(list.body.runs[0].id).toBe(id);
    const got = await ask('GET', `/runs/${id}`);
    expect(got.body).toMatchObject({ run_id: id, status: 'completed', usage: null });
    expect(got.body.trace_event_count).toBeTypeOf('number');
    const blocked = await ask('POST', '/runs', { body: runCreate({ spec: ASKING }) });
    const cancelled = await ask('POST', `/runs/${blocked.body.run_id}/cancel`);
    expect(cancelled.body.status).toBe('cancelled');
    expect((await ask('POST', `/runs/${blocked.body.run_id}/cancel`)).body.status).toBe(
      'cancelled',
    );
  });

  test('a keyed POST that is sent again is answered again, not done again', async () => {
    const key = randomUUID();
    const body = runCreate({ spec: TINY, async_mode: true, session_id: key });
    const answers = await Promise.all([
      ask('POST', '/runs', { body, key }),
      ask('POST', '/runs', { body, key }),
      ask('POST', '/runs', { body, key }),
    ]);
    const ids = new Set<string>();
    for (const answer of answers) {
      if (answer.status === 409) {
        expect(answer.body.detail.error).toBe('idempotency_key_in_progress');
        expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(30);
      } else ids.add(answer.body.run_id);
    }
    const replay = await ask('POST', '/runs', { body, key });
    expect(replay.status).toBe(202);
    ids.add(replay.body.run_id);
    expect(ids.size).toBe(1);
    expect((await ask('GET', '/runs', { query: { session_id: key } })).body.total).toBe(1);
  });

  test('continue: of a blocked and of a failed run', async () => {
    const blocked = await ask('POST', '/runs', { body: runCreate({ spec: ASKING }) });
    const on = await ask('POST', `/runs/${blocked.body.run_id}/continue`);
    expect(on.body).toMatchObject({ status: 'completed', human_intervention_required: false });
    fails = true;
    const failed = await ask('POST', '/runs', {
      body: runCreate({ spec: FLAKY, session_id: 'flaky' }),
    });
    expect(failed.status).toBe(500);
    fails = false;
    const [record] = (await ask('GET', '/runs', { query: { session_id: 'flaky' } })).body.runs;
    const again = await ask('POST', `/runs/${record.id}/continue`);
    expect(again.body).toMatchObject({ run_id: record.id, status: 'completed' });
    const over = await ask('POST', `/runs/${record.id}/continue`);
    expect(over.body.detail).toMatchObject({ error: 'run_state_conflict', status: 'completed' });
  });

  test('a trace that is followed by offset gives every event once, in order', async () => {
    const queued = await ask('POST', '/runs', {
      body: runCreate({ spec_path: 'support-triage.yaml', async_mode: true }),
    });
    const id = queued.body.run_id;
    const seen: string[] = [];
    for (let over = false; !over; ) {
      over = ['completed', 'failed'].includes((await ask('GET', `/runs/${id}`)).body.status);
      for (let more = true; more; ) {
        const page = await ask('GET', `/runs/${id}/trace`, {
          query: { limit: 2, offset: seen.length, sort_by: 'timestamp', sort_order: 'asc' },
        });
        expect(page.body).toMatchObject({ complete: true, dropped: 0, window: 10_000 });
        seen.push(...page.body.events.map(({ event_id }: Loose) => event_id));
        more = page.body.count === 2;
      }
    }
    const whole = await ask('GET', `/runs/${id}/trace`, { query: { limit: 1000 } });
    expect(seen).toEqual(whole.body.events.map(({ event_id }: Loose) => event_id));
    expect(whole.body.total).toBe(seen.length);
    const some = await ask('GET', `/runs/${id}/trace`, { query: { event_type: 'run_started' } });
    expect(some.body.total).toBe(some.body.count);
    expect(some.body.total).toBeLessThan(seen.length);
  });

  test('the first pending task is found by its deadline and answered', async () => {
    const { body: run } = await ask('POST', '/runs', { body: runCreate({ spec: ASKING }) });
    const list = await ask('GET', '/human-tasks', {
      query: { sort_by: 'expires_at', sort_order: 'asc', limit: 1, run_id: run.run_id },
    });
    const [task] = list.body.tasks;
    const at = `/human-tasks/${encodeURIComponent(task.id)}`;
    const one = await ask('GET', at);
    const done = await ask('POST', `${at}/resume`, {
      body: {
        request_id: one.body.request.id,
        decision: 'approved',
        content: null,
        selected_option: null,
        metadata: {},
      },
    });
    expect(Object.keys(done.body).sort()).toEqual(['metadata', 'output_text', 'run_id', 'status']);
    expect(done.body).toMatchObject({ run_id: run.run_id, status: 'completed' });
    const late = await ask('POST', '/runs', { body: runCreate({ spec: ASKING }) });
    const { request } = (await ask('GET', `/human-tasks/${late.body.continuation_id}`)).body;
    p.clock.skewMs += 61_000;
    const expired = await ask('POST', `/human-tasks/${late.body.continuation_id}/resume`, {
      body: { request_id: request.id, decision: 'approved' },
    });
    expect(expired.body.detail).toMatchObject({
      error: 'human_task_expired',
      continuation_id: late.body.continuation_id,
      expires_at: expect.any(Number),
    });
  });

  test('validate then compile, inline and by path', async () => {
    for (const spec of [specInput({ spec: ASKING }), specInput({ spec_path: 'local-llm.yaml' })]) {
      const validated = await ask('POST', '/specs/validate', { body: spec });
      expect(validated.body.valid).toBe(true);
      const compiled = await ask('POST', '/specs/compile', { body: { ...spec, strict: true } });
      expect(compiled.body).toMatchObject({ ok: true, summary: { has_root_agent: true } });
      const explained = await ask('POST', '/specs/explain', { body: spec });
      expect(explained.body.summary.component_agents).toBeInstanceOf(Array);
      expect((await ask('POST', '/specs/graph', { body: spec })).body.nodes).toBeInstanceOf(Array);
      const report = await ask('POST', '/specs/policy-report', { body: spec });
      expect(report.body.valid).toBe(true);
    }
    const invalid = await ask('POST', '/specs/validate', { body: specInput({ spec: {} }) });
    expect(invalid.body.valid).toBe(false);
    expect(Object.keys(invalid.body.diagnostics[0]).sort()).toEqual([
      'code',
      'message',
      'path',
      'severity',
      'suggestion',
    ]);
  });

  test('credentials, policies and their preview', async () => {
    const credentials = await p.get(
      '/v1/security/credentials?providers=openai&providers=anthropic&extras=A_KEY&include_service_tokens=true',
    );
    expect(Object.keys(credentials.body.inventory)).toEqual([
      'providers',
      'extra',
      'service_tokens',
    ]);
    expect(Object.keys(credentials.body.inventory.extra.A_KEY).sort()).toEqual([
      'env_var',
      'expires_at',
      'last_checked',
      'name',
      'present',
      'status',
      'usable',
      'value',
    ]);
    const at = '/policies/environment/client-env';
    const policy = {
      enabled: true,
      fail_on_warnings: false,
      blocked_diagnostic_codes: [],
      require_human_review: true,
      require_tool_permissions: false,
      deny_unrestricted_tools: false,
      require_guardrails: false,
    };
    await ask('POST', '/runs', { body: runCreate({ spec: TINY, environment: 'client-env' }) });
    const preview = await ask('POST', `${at}/preview`, { body: policy });
    expect(preview.body).toMatchObject({
      environment: 'client-env',
      runs_evaluated: 1,
      newly_blocking: [expect.any(String)],
    });
    expect((await ask('GET', at)).body.policy).toBeNull();
    const put = await ask('PUT', at, { body: policy });
    expect(put.body).toEqual({ environment: 'client-env', policy, previous_policy: null });
    const all = await ask('GET', '/policies/environment');
    expect(all.body.policies['client-env']).toEqual(policy);
    expect(all.body.count).toBe(Object.keys(all.body.policies).length);
  });
});

describe('kneo-dash', () => {
  test('the columns of its lists and the checks of readiness', async () => {
    const { body: run } = await p.post('/v1/runs', runCreate({ spec: ASKING, timeout: 90 }));
    const { body } = await p.get('/v1/runs?limit=1');
    for (const name of [
      'id',
      'status',
      'agent_name',
      'workflow_name',
      'workflow_kind',
      'current_node_id',
      'current_step_index',
      'error',
      'updated_at',
      'created_at',
      'deadline_at',
      'trace_event_count',
    ]) {
      expect(Object.keys(body.runs[0])).toContain(name);
    }
    expect(Object.keys(body.runs[0].metadata)).toContain('usage');
    const [task] = (await p.get(`/v1/human-tasks?run_id=${run.run_id}`)).body.tasks;
    expect(task).toMatchObject({
      id: run.continuation_id,
      run_id: run.run_id,
      pending_human_request: expect.any(Object),
      expires_at: expect.any(Number),
    });
    const report = (await p.get(`/v1/runs/${run.run_id}/policy-report`)).body.report;
    expect(report).toMatchObject({
      version: 'v1',
      human_review: { required: expect.any(Boolean), missing: expect.any(Boolean) },
      summary: expect.any(Object),
      diagnostics: expect.any(Array),
    });
    expect((await p.get('/v1/readyz')).body.metadata.checks).toMatchObject({
      queue: { name: 'queue', ok: true },
      run_state_store: { name: 'run_state_store', ok: true },
    });
    const dropped = await p.get('/v1/runs?some_future_filter=1');
    expect(dropped.body.detail).toMatchObject({
      error: 'unknown_query_parameters',
      unknown: ['some_future_filter'],
    });
  });
});

describe('kneo-studio', () => {
  test('its floor of versions and the booleans of its three checks', async () => {
    const health = await p.get('/v1/healthz', { key: null });
    const [major = 0, minor = 0] = String(health.body.version).split('.').map(Number);
    expect(major * 1000 + minor).toBeGreaterThanOrEqual(1002);
    const spec = { spec: TINY };
    expect((await p.post('/v1/specs/validate', spec)).body.valid).toBe(true);
    expect((await p.post('/v1/specs/compile', spec)).body.ok).toBe(true);
    expect((await p.post('/v1/specs/policy-report', spec)).body.valid).toBe(true);
  });

  test('a test run is found again by its session after a crash', async () => {
    const session_id = `studio-${randomUUID()}`;
    const body = { input: 'x', spec: TINY, async_mode: true, session_id };
    const headers = { 'idempotency-key': session_id };
    const started = await p.post('/v1/specs/run', body, { headers });
    expect(started.status).toBe(202);
    const found = await p.get(`/v1/runs?session_id=${session_id}&limit=2`);
    expect(found.body.total).toBe(1);
    expect(found.body.runs[0]).toMatchObject({ run_id: started.body.run_id, session_id });
    const id = started.body.run_id;
    await p.waitFor(id, 'completed');
    for (const route of ['', '/recovery', '/replay', '/graph', '/trace', '/checkpoints']) {
      expect((await p.get(`/v1/runs/${id}${route}`)).body.run_id).toBe(id);
    }
    const cancelled = await p.call('POST', `/v1/runs/${id}/cancel`);
    expect(cancelled.body).toMatchObject({ run_id: id, status: 'completed' });
  });
});
