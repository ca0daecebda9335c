// Settings of contract/platform.md 12 for work, paths, readiness and logs.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Loose } from '../support/platform.ts';
import {
  folder,
  freshStores,
  open,
  release,
  rows,
  run,
  steps,
  useOtherStore,
} from '../support/settings-world.ts';
import { TINY } from '../support/specs.ts';

freshStores();

describe('work', () => {
  test('SERV_WORKER_CONCURRENCY: so many runs at once, and kneo_worker_count (RP-003)', async () => {
    const p = await open({ SERV_WORKER_CONCURRENCY: '2' });
    const queued = [];
    for (let n = 0; n < 3; n += 1) {
      const { body } = await run(p, { spec: steps('function'), async_mode: true });
      queued.push(body.run_id);
    }
    await expect.poll(async () => (await p.get('/v1/runs?status=running')).body.total).toBe(2);
    const metrics = (await p.get('/metrics')).text;
    expect(metrics).toMatch(/^kneo_worker_count 2$/m);
    expect(metrics).toMatch(/^kneo_runs_running 2$/m);
    expect(metrics).toMatch(/^kneo_runs_queued 1$/m);
    const { queue } = (await p.get('/v1/readyz')).body.metadata.checks;
    expect(queue).toMatchObject({ ok: true, queued: 1, running: 2, failed: 0 });
    p.clock.skewMs += 5_000;
    release();
    for (const id of queued) await p.waitFor(id, 'completed');
    const after = (await p.get('/metrics')).text;
    expect(after).toMatch(/^kneo_runs_completed_total 3$/m);
    for (const [timing, labels] of [
      ['queue_wait', 'workflow_kind="workflow"'],
      ['step', 'workflow_kind="workflow",outcome="ok"'],
    ]) {
      expect(after).toContain(`# TYPE run_${timing}_seconds histogram`);
      expect(after).toMatch(new RegExp(`^run_${timing}_seconds_count{${labels}} 3$`, 'm'));
    }
    const commits = /^run_commit_seconds_count\{workflow_kind="workflow",outcome="ok"\} (\d+)$/m;
    expect(Number(commits.exec(after)?.[1])).toBeGreaterThanOrEqual(6);
    // The third waited for a place.
    const waited = /^run_queue_wait_seconds_sum\{workflow_kind="workflow"\} (\S+)$/m.exec(after);
    expect(Number(waited?.[1])).toBeGreaterThanOrEqual(5);
  });

  test('SERV_WORKER_LEASE_SECONDS and SERV_IDEMPOTENCY_LOCK_TTL_SECONDS stand in the store', async () => {
    const p = await open({
      SERV_WORKER_LEASE_SECONDS: '50',
      SERV_IDEMPOTENCY_LOCK_TTL_SECONDS: '70',
    });
    const { body } = await run(p, { spec: steps('function'), async_mode: true });
    await p.waitFor(body.run_id, 'running');
    const [leased] = await rows('SELECT lease_expires_at AS at FROM run_queue');
    expect(leased.at - Date.now() / 1000).toBeGreaterThan(40);
    expect(leased.at - Date.now() / 1000).toBeLessThanOrEqual(50);
    const headers = { 'idempotency-key': 'k' };
    const held = p.post('/v1/runs', { input: 'x', spec: steps('function') }, { headers });
    await expect
      .poll(async () => (await rows("SELECT * FROM locks WHERE name LIKE 'idem%'")).length)
      .toBe(1);
    const [lock] = await rows("SELECT expires_at AS at FROM locks WHERE name LIKE 'idem%'");
    expect(lock.at - Date.now() / 1000).toBeGreaterThan(60);
    expect(lock.at - Date.now() / 1000).toBeLessThanOrEqual(70);
    release();
    expect((await held).status).toBe(200);
    expect(await rows("SELECT * FROM locks WHERE name LIKE 'idem%'")).toEqual([]);
  });

  test('SERV_SWEEP_INTERVAL_SECONDS: deadlines and tasks are swept without being asked', async () => {
    const p = await open({ SERV_SWEEP_INTERVAL_SECONDS: '0.1' });
    const late = await run(p, { spec: steps('function'), async_mode: true, timeout: 0.5 });
    const asked = await run(p, { spec: steps('human') });
    expect(asked.body.status).toBe('blocked');
    await p.waitFor(late.body.run_id, 'timed_out');
    await p.waitFor(asked.body.run_id, 'expired');
  });

  test('SERV_TRACE_MAX_EVENTS 0 keeps all; SERV_CHECKPOINT_* shorten what is over', async () => {
    const p = await open({
      SERV_TRACE_MAX_EVENTS: '0',
      SERV_CHECKPOINT_MAX_BYTES: '600',
      SERV_CHECKPOINT_PREVIEW_CHARS: '5',
      SERV_CHECKPOINT_MAX_LIST_ITEMS: '1',
      SERV_CHECKPOINT_MAX_DICT_ITEMS: '2',
    });
    const { body } = await run(p, { input: 'a long input', spec: steps('agent', 'agent') });
    const trace = await p.get(`/v1/runs/${body.run_id}/trace`);
    expect(trace.body).toMatchObject({ dropped: 0, complete: true });
    const list = await p.get(`/v1/runs/${body.run_id}/checkpoints`);
    const done = list.body.checkpoints.find(({ type }: Loose) => type === 'step_completed');
    expect(done.state).toEqual({ _limited: true, status: 'running' });
    expect(done.metadata).toMatchObject({
      _truncated_keys: expect.any(Number),
      _checkpoint_storage: {
        payload_limited: true,
        original_bytes: expect.any(Number),
        max_bytes: 600,
      },
    });
    expect(JSON.stringify(done.metadata)).toMatch(/"[^"]{5}\.\.\.\[truncated \d+ chars\]"/);
    expect(done.trace_events.at(-1)).toEqual({ _truncated_items: expect.any(Number) });
  });
});

describe('paths', () => {
  test('the spec root may be a link; what is inside is found, what is outside is not (3.13)', async () => {
    mkdirSync(path.join(folder, 'real', 'deep'), { recursive: true });
    writeFileSync(path.join(folder, 'real', 'deep', 'a.yaml'), JSON.stringify(TINY));
    writeFileSync(path.join(folder, 'outside.yaml'), JSON.stringify(TINY));
    symlinkSync(path.join(folder, 'real'), path.join(folder, 'link'));
    const p = await open({}, { specRoot: path.join(folder, 'link') });
    for (const spec_path of [
      'deep/a.yaml',
      './deep/a.yaml',
      path.join(folder, 'real', 'deep', 'a.yaml'),
      path.join(folder, 'link', 'deep', 'a.yaml'),
    ]) {
      expect((await run(p, { spec: null, spec_path })).status).toBe(200);
    }
    for (const spec_path of [path.join(folder, 'outside.yaml'), folder, '/']) {
      const answer = await run(p, { spec: null, spec_path });
      expect(answer.body.detail.error).toBe('spec_path_confined');
    }
    const both = await run(p, { spec_path: path.join(folder, 'outside.yaml') });
    expect(both.body.detail.error).toBe('spec_path_confined');
  });
});

describe('readiness', () => {
  test('SERV_HEALTH_MCP_SECRETS names variables; all present is 200', async () => {
    const env = { SERV_HEALTH_MCP_SECRETS: 'SEARCH_KEY, OTHER_KEY', SEARCH_KEY: 'v' };
    const p = await open(env);
    const answer = await p.get('/v1/readyz', { key: null });
    expect(answer.status).toBe(503);
    const { mcp } = answer.body.detail.metadata.checks;
    expect(mcp).toMatchObject({
      ok: false,
      items: {
        SEARCH_KEY: { env_var: 'SEARCH_KEY', present: true, value: '[REDACTED]' },
        OTHER_KEY: { env_var: 'OTHER_KEY', present: false, value: null },
      },
    });
    expect(answer.body.detail.metadata.ready).toBe(false);
    useOtherStore();
    const q = await open({ ...env, OTHER_KEY: 'w', SERV_HEALTH_PROVIDERS: '' });
    const ready = await q.get('/readyz', { key: null });
    expect(ready.status).toBe(200);
    expect(Object.keys(ready.body.metadata.checks)).toEqual([
      'api',
      'run_state_store',
      'continuation_store',
      'queue',
      'execution',
      'runtime_registry',
      'tool_registry',
      'providers',
      'mcp',
    ]);
    expect(ready.body.metadata.checks.providers).toMatchObject({ ok: true, configured: false });
  });
});

describe('logs', () => {
  test('SERV_REQUEST_LOGS: one line a request, sorted, redacted, with what is known (11)', async () => {
    const p = await open({});
    await p.get('/v1/runs/some-run/trace?limit=2', {
      headers: { 'x-request-id': 'mine', 'user-agent': 'me/1 token=abcdef' },
    });
    const line = p.logs.find(({ fields }) => fields['request_id'] === 'mine');
    expect(line?.fields).toEqual({
      client_ip: '127.0.0.1',
      duration_ms: expect.any(Number),
      error: 'not_found',
      event: 'http_request',
      message: expect.any(String),
      method: 'GET',
      path: '/v1/runs/some-run/trace',
      request_id: 'mine',
      run_id: 'some-run',
      status_code: 404,
      user_agent: 'me/1 token=[REDACTED]',
    });
    const names = Object.keys(line?.fields ?? {});
    expect(names).toEqual([...names].sort());
    useOtherStore();
    const quiet = await open({ KNEO_SERV_REQUEST_LOGS: 'false' });
    await quiet.get('/v1/runs');
    expect(quiet.logs.filter(({ message }) => message === 'http_request')).toEqual([]);
  });

  test('a variable that is named almost like a setting is told of, others are nobody’s', async () => {
    const p = await open({ SERV_DURABILTY: 'full', SERV_MY_DATABASE_PASSWORD: 'x' });
    expect(p.logs.filter(({ level }) => level === 'warn')).toEqual([
      expect.objectContaining({
        fields: { setting: 'SERV_DURABILTY', meant: 'SERV_DURABILITY' },
      }),
    ]);
  });

  test('SERV_LOG_LEVEL leaves out what is less grave; the audit export is no message', async () => {
    const p = await open({ SERV_LOG_LEVEL: 'error', SERV_AUDIT_EXPORT_ENABLED: 'yes' });
    await run(p);
    expect(p.logs.map(({ fields }) => fields['channel'])).toEqual(['serv.audit']);
  });
});
