// Each setting of contract/platform.md 12 takes effect, in both spellings.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readPlatformConfig } from '../../server/platform/config.ts';
import { type Loose, startTestPlatform, type TestPlatform } from '../support/platform.ts';
import { TINY } from '../support/specs.ts';

const DAY_MS = 86_400_000;

function steps(...kinds: readonly ('agent' | 'function' | 'human')[]) {
  return {
    version: 'v1',
    agent: { name: 'desk' },
    workflow: {
      type: 'sequential',
      name: 'pipe',
      steps: kinds.map((kind, index) => ({ id: `s${index}`, kind, ref: kind })),
    },
    components: {
      agents: { agent: { name: 'agent' } },
      functions: { function: { implementation: 'work.wait' } },
      humans: { human: { description: 'Ok?', timeout_seconds: 1 } },
    },
  };
}

let folder: string;
let file: string;
const opened: TestPlatform[] = [];
let release: () => void;
let released: Promise<void>;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'settings-'));
  file = path.join(folder, 'platform.db');
  ({ promise: released, resolve: release } = Promise.withResolvers<void>());
});
afterEach(async () => {
  release();
  for (const platform of opened.splice(0)) await platform.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function open(env: Record<string, string>, more: Loose = {}): Promise<TestPlatform> {
  const platform = await startTestPlatform({
    env: { SERV_SWEEP_INTERVAL_SECONDS: '0', ...env },
    handlers: {
      'work.wait': async () => {
        await released;
        return 'waited';
      },
    },
    file,
    ...more,
  });
  opened.push(platform);
  return platform;
}

function run(p: TestPlatform, over: Loose = {}) {
  return p.post('/v1/runs', { input: 'x', spec: TINY, ...over });
}

function rows(sql: string): Loose[] {
  const db = new Sqlite(file, { readonly: true });
  try {
    return db.prepare(sql).all();
  } finally {
    db.close();
  }
}

describe('reading', () => {
  test('the older spelling counts per variable where ours is not set', () => {
    const older = readPlatformConfig({ KNEO_SERV_MAX_LIST_ITEMS: '3', KNEO_SERV_PORT: '9' });
    expect(older.limits.max_list_items).toBe(3);
    expect(older.port).toBe(9);
    const both = { KNEO_SERV_MAX_LIST_ITEMS: '3', SERV_MAX_LIST_ITEMS: '4', KNEO_SERV_PORT: '9' };
    expect(readPlatformConfig(both).limits.max_list_items).toBe(4);
    expect(readPlatformConfig(both).port).toBe(9);
  });

  test('the defaults of the table (RP-135)', () => {
    expect(readPlatformConfig({})).toMatchObject({
      host: '127.0.0.1',
      port: 8000,
      authEnabled: false,
      limits: {
        max_body_bytes: 1_048_576,
        max_input_chars: 20_000,
        max_human_content_chars: 20_000,
        max_inline_spec_bytes: 262_144,
        max_overrides_bytes: 65_536,
        max_metadata_bytes: 32_768,
        max_list_items: 100,
        max_path_chars: 4096,
      },
      workerConcurrency: 1,
      workerLeaseSeconds: 300,
      workerIdlePollSeconds: 1,
      queueMaxAttempts: 5,
      maxQueueDepth: 0,
      shutdownTimeoutSeconds: 30,
      idempotencyLockTtlSeconds: 300,
      traceMaxEvents: 10_000,
      checkpoints: {
        compressBytes: 65_536,
        maxBytes: 1_048_576,
        previewChars: 1200,
        maxListItems: 20,
        maxDictItems: 50,
      },
      metricsEnabled: true,
      requestLogs: true,
      auditExportEnabled: false,
      requireProviderSecrets: false,
      provider: { retries: 0, backoffSeconds: 0, timeoutSeconds: undefined, retryOnTimeout: false },
      mcp: { retries: 0, backoffSeconds: 0, timeoutSeconds: undefined, retryOnTimeout: false },
      workflowRetryOnTimeout: false,
      sweepIntervalSeconds: 15,
      rateLimitPerMinute: 0,
      retention: {
        runs: undefined,
        logs: undefined,
        runStatuses: ['completed', 'failed', 'cancelled', 'expired', 'timed_out'],
      },
    });
    for (const budget of ['0', '-1', 'many']) {
      expect(readPlatformConfig({ SERV_TOKEN_BUDGET: budget }).tokenBudget).toBeUndefined();
    }
    expect(readPlatformConfig({ SERV_SPEC_ROOT: '~/specs' }).specRoot).toBe(`${homedir()}/specs`);
  });

  test.each([
    'MAX_BODY_BYTES=0',
    'MAX_INPUT_CHARS=-1',
    'MAX_HUMAN_CONTENT_CHARS=1.5',
    'MAX_INLINE_SPEC_BYTES=x',
    'MAX_OVERRIDES_BYTES=0',
    'MAX_METADATA_BYTES=0',
    'MAX_LIST_ITEMS=0',
    'MAX_PATH_CHARS=0',
    'WORKER_CONCURRENCY=0',
    'WORKER_LEASE_SECONDS=0.5',
    'WORKER_IDLE_POLL_SECONDS=0',
    'WORKER_IDLE_POLL_SECONDS=inf',
    'QUEUE_MAX_ATTEMPTS=-1',
    'MAX_QUEUE_DEPTH=many',
    'SHUTDOWN_TIMEOUT_SECONDS=-1',
    'IDEMPOTENCY_LOCK_TTL_SECONDS=0',
    'TRACE_MAX_EVENTS=-1',
    'CHECKPOINT_MAX_BYTES=x',
    'PROVIDER_RETRIES=x',
    'MCP_TIMEOUT_SECONDS=0',
    'RETENTION_RUNS_DAYS=-1',
    'RETENTION_LOGS_DAYS=1.5',
    'RETENTION_RUN_STATUSES=queued',
    'RETENTION_QUEUE_STATUSES=running',
    'LOG_LEVEL=LOUD',
    'PORT=70000',
    'DATABASE_URL=postgres://x',
    'AUTH_ENABLED=on',
    'AUTH_ENABLED=perhaps',
    'METRICS_ENABLED=flase',
    'DURABILITY=paranoid',
    'FUNCTION_SANDBOX=strong',
    'RECORDING=recrod',
    'OTEL_ENABLED=true',
    'OTEL_RECORD_ARGUMENTS=1',
    'OTEL_RECORD_RESULTS=yes',
    'RETENTION_ARTIFACTS_DAYS=3',
    'RETENTION_LOGS_DAYS=3',
    'API_KEYS=a:b',
    'API_KEYS=a:secretkey:captain',
  ])('%s does not start', (line) => {
    const [name = '', value = ''] = line.split('=');
    for (const prefix of ['SERV_', 'KNEO_SERV_']) {
      const read = () => readPlatformConfig({ [`${prefix}${name}`]: value });
      expect(read).toThrow();
      expect(read).not.toThrow(/secretkey/);
    }
  });
});

describe('keys', () => {
  test('SERV_ADMIN_API_KEY is one more admin; an equal scoped key wins and is told of', async () => {
    const p = await open({ SERV_API_KEYS: 'one:shared:viewer', SERV_ADMIN_API_KEY: 'shared' });
    expect((await p.get('/v1/runs', { key: 'shared' })).status).toBe(200);
    expect((await p.post('/v1/runs', {}, { key: 'shared' })).status).toBe(403);
    expect(p.logs.some(({ level }) => level === 'warn')).toBe(true);
    expect(JSON.stringify(p.logs)).not.toContain('shared"');
    file = path.join(folder, 'other.db');
    const q = await open({
      SERV_API_KEYS: '',
      SERV_ADMIN_API_KEY: 'boss',
      SERV_AUTH_ENABLED: 'off',
    });
    expect((await q.get('/v1/runs', { key: null })).status).toBe(401);
    await q.post('/v1/runs', { input: 'x', spec: TINY }, { key: 'boss' });
    const audit = await q.get('/v1/audit-events', { key: 'boss' });
    expect(audit.body.events[0].actor).toBe('admin');
  });

  test('scopes may hold colons; blank entries are skipped; actor is the name (7)', async () => {
    const p = await open({ SERV_API_KEYS: ' ; ci : k1 : runs:read , specs:read ;; ops:k2:admin ' });
    expect((await p.get('/v1/runs', { key: 'k1' })).status).toBe(200);
    expect((await p.get('/v1/skills', { key: 'k1' })).status).toBe(200);
    expect((await p.get('/v1/human-tasks', { key: 'k1' })).status).toBe(403);
    await p.post('/v1/specs/validate', { spec: TINY }, { key: 'k1' });
    const audit = await p.get('/v1/audit-events', { key: 'k2' });
    expect(audit.body.events[0].actor).toBe('ci');
    const lower = await p.get('/v1/runs', { key: null, headers: { authorization: 'bearer  k1' } });
    expect(lower.status).toBe(200);
  });
});

describe('limits', () => {
  test.each([
    ['MAX_INPUT_CHARS', { input: '12345678901' }, 'input'],
    ['MAX_INLINE_SPEC_BYTES', { spec: TINY }, 'spec'],
    ['MAX_OVERRIDES_BYTES', { overrides: { agent: { name: 'x' } } }, 'overrides'],
    ['MAX_METADATA_BYTES', { metadata: { note: 'abc' } }, 'metadata'],
    ['MAX_PATH_CHARS', { session_id: '12345678901' }, 'session_id'],
    ['MAX_PATH_CHARS', { spec_path: '12345678901' }, 'spec_path'],
  ] as const)('SERV_%s of 10 refuses more: %j', async (name, over, field) => {
    const p = await open({ [`SERV_${name}`]: '10' });
    const answer = await run(p, name === 'MAX_INLINE_SPEC_BYTES' ? over : { spec: {}, ...over });
    expect(answer.status).toBe(422);
    expect(answer.body.detail.errors[0].loc).toEqual(['body', field]);
  });

  test('SERV_MAX_LIST_ITEMS, SERV_MAX_HUMAN_CONTENT_CHARS, SERV_MAX_BODY_BYTES', async () => {
    const p = await open({
      SERV_MAX_LIST_ITEMS: '1',
      SERV_MAX_HUMAN_CONTENT_CHARS: '3',
      KNEO_SERV_MAX_BODY_BYTES: '1000',
    });
    const policy = '/v1/policies/environment/e';
    const two = { blocked_diagnostic_codes: ['A', 'B'] };
    expect((await p.call('PUT', policy, { body: two })).status).toBe(422);
    expect((await run(p, { overlays: ['a', 'b'] })).status).toBe(422);
    const body = { request_id: 'r', decision: 'edited' };
    const resume = '/v1/human-tasks/none/resume';
    expect((await p.post(resume, { ...body, content: '1234' })).status).toBe(422);
    expect((await p.post(resume, { ...body, content: 'é23' })).status).toBe(404);
    const big = await p.call('POST', '/v1/runs', { raw: 'x'.repeat(1001) });
    expect(big.status).toBe(413);
    expect(big.body.detail.max_body_bytes).toBe(1000);
  });

  test('SERV_RATE_LIMIT_PER_MINUTE: per caller, 429 with Retry-After, probes exempt (10.3) (RP-122, RP-146)', async () => {
    const p = await open({ SERV_RATE_LIMIT_PER_MINUTE: '2' });
    const ask = (key = 'admin-key') => p.get('/v1/runs', { key });
    expect([(await ask()).status, (await ask()).status]).toEqual([200, 200]);
    const over = await ask();
    expect(over.status).toBe(429);
    expect(over.body.detail.error).toBe('rate_limited');
    expect(Number(over.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(over.headers.get('retry-after'))).toBeLessThanOrEqual(30);
    expect((await ask('viewer-key')).status).toBe(200);
    for (const route of ['/healthz', '/v1/readyz', '/metrics']) {
      expect((await p.get(route)).status).toBe(200);
    }
    p.clock.skewMs += 30_000;
    expect((await ask()).status).toBe(200);
    expect((await ask()).status).toBe(429);
  });
});

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
    for (const timing of ['queue_wait', 'step']) {
      expect(after).toContain(`# TYPE run_${timing}_seconds histogram`);
      expect(after).toMatch(
        new RegExp(`^run_${timing}_seconds_count{workflow_kind="workflow"} 3$`, 'm'),
      );
    }
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
    const [leased] = rows('SELECT lease_expires_at AS at FROM run_queue');
    expect(leased.at - Date.now() / 1000).toBeGreaterThan(40);
    expect(leased.at - Date.now() / 1000).toBeLessThanOrEqual(50);
    const headers = { 'idempotency-key': 'k' };
    const held = p.post('/v1/runs', { input: 'x', spec: steps('function') }, { headers });
    await expect.poll(() => rows("SELECT * FROM locks WHERE name LIKE 'idem%'").length).toBe(1);
    const [lock] = rows("SELECT expires_at AS at FROM locks WHERE name LIKE 'idem%'");
    expect(lock.at - Date.now() / 1000).toBeGreaterThan(60);
    expect(lock.at - Date.now() / 1000).toBeLessThanOrEqual(70);
    release();
    expect((await held).status).toBe(200);
    expect(rows("SELECT * FROM locks WHERE name LIKE 'idem%'")).toEqual([]);
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
    file = path.join(folder, 'other.db');
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
    file = path.join(folder, 'other.db');
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

describe('retention', () => {
  test.each([
    ['RUNS', { runs: 1 }],
    ['CHECKPOINTS', { checkpoints: 2 }],
    ['QUEUE', { queue_records: 1 }],
    ['AUDIT', { audit_events: 1 }],
    ['IDEMPOTENCY', { idempotency_records: 1 }],
    ['CONTINUATIONS', {}],
  ] as const)(
    'SERV_RETENTION_%s_DAYS removes old rows of that kind only',
    async (kind, removed) => {
      const p = await open({ [`SERV_RETENTION_${kind}_DAYS`]: '3' });
      const headers = { 'idempotency-key': 'k' };
      const old = await p.post(
        '/v1/runs',
        { input: 'old', spec: TINY, async_mode: true },
        { headers },
      );
      await p.waitFor(old.body.run_id, 'completed');
      const blocked = await run(p, { spec: steps('human') });
      p.clock.skewMs += 2.9 * DAY_MS;
      const none = {
        runs: 0,
        checkpoints: 0,
        queue_records: 0,
        continuations: 0,
        audit_events: 0,
        idempotency_records: 0,
        artifacts: 0,
        logs: 0,
      };
      expect(await p.service.retain({ dryRun: false })).toEqual(none);
      const young = await run(p, { input: 'young' });
      p.clock.skewMs += 0.2 * DAY_MS;
      const expected = { ...none, ...removed, ...(kind === 'AUDIT' ? { audit_events: 2 } : {}) };
      expect(await p.service.retain({ dryRun: true })).toEqual(expected);
      expect(await p.service.retain({ dryRun: false })).toEqual(expected);
      expect(await p.service.retain({ dryRun: false })).toEqual(none);
      expect((await p.get(`/v1/runs/${young.body.run_id}`)).status).toBe(200);
      expect((await p.get(`/v1/runs/${blocked.body.run_id}`)).body.status).toBe('blocked');
      expect((await p.get('/v1/human-tasks')).body.total).toBe(1);
      const gone = kind === 'RUNS';
      expect((await p.get(`/v1/runs/${old.body.run_id}`)).status).toBe(gone ? 404 : 200);
      const list = await p.get('/v1/runs?q=old');
      expect([list.body.total, list.body.count]).toEqual(gone ? [0, 0] : [1, 1]);
      expect((await p.get('/v1/runs')).body.total).toBe(gone ? 2 : 3);
      const audit = await p.get(`/v1/audit-events?run_id=${old.body.run_id}`);
      expect(audit.body.total).toBe(gone || kind === 'AUDIT' ? 0 : 1);
      if (gone) {
        for (const table of ['checkpoints', 'run_queue', 'trace_events', 'run_states']) {
          const left = rows(`SELECT run_id FROM ${table} WHERE run_id = '${old.body.run_id}'`);
          expect([table, left]).toEqual([table, []]);
        }
      }
      const same = { input: 'old', spec: TINY, async_mode: true };
      const again = await p.post('/v1/runs', same, { headers });
      expect(again.body.run_id === old.body.run_id).toBe(kind !== 'IDEMPOTENCY');
    },
  );

  test('SERV_RETENTION_RUN_STATUSES keeps the others', async () => {
    const p = await open({
      SERV_RETENTION_RUNS_DAYS: '1',
      SERV_RETENTION_RUN_STATUSES: 'failed, cancelled',
    });
    await run(p);
    await run(p, { spec: { version: 'v1' } });
    p.clock.skewMs += 2 * DAY_MS;
    expect((await p.service.retain({ dryRun: false })).runs).toBe(1);
    expect((await p.get('/v1/runs')).body.runs.map(({ status }: Loose) => status)).toEqual([
      'completed',
    ]);
  });

  test('checkpoints on both sides of the cutoff stay readable', async () => {
    const p = await open({ SERV_RETENTION_CHECKPOINTS_DAYS: '3' });
    const { body } = await run(p, { spec: steps('agent', 'function', 'agent'), async_mode: true });
    await p.waitFor(body.run_id, 'running');
    await expect
      .poll(async () => (await p.get(`/v1/runs/${body.run_id}/checkpoints`)).body.total)
      .toBe(2);
    p.clock.skewMs += 2 * DAY_MS;
    release();
    await p.waitFor(body.run_id, 'completed');
    const before = (await p.get(`/v1/runs/${body.run_id}/checkpoints`)).body.checkpoints;
    p.clock.skewMs += 2 * DAY_MS;
    await p.service.retain({ dryRun: false });
    const after = (await p.get(`/v1/runs/${body.run_id}/checkpoints`)).body.checkpoints;
    expect(after.length).toBeGreaterThanOrEqual(2);
    const states = (list: Loose[]) => list.slice(-2).map(({ state }) => state);
    expect(states(after)).toEqual(states(before));
    p.clock.skewMs += 2 * DAY_MS;
    await p.service.retain({ dryRun: false });
    expect((await p.get(`/v1/runs/${body.run_id}/checkpoints`)).body.total).toBe(0);
  });

  test('SERV_ARTIFACT_PATH and SERV_LOG_PATH lose old files and emptied folders', async () => {
    const artifacts = path.join(folder, 'artifacts');
    const logs = path.join(folder, 'logs');
    mkdirSync(artifacts);
    mkdirSync(logs);
    const write = (name: string, days: number): string => {
      writeFileSync(name, 'x');
      const at = (Date.now() - days * DAY_MS) / 1000;
      utimesSync(name, at, at);
      return name;
    };
    const p = await open({
      SERV_RETENTION_ARTIFACTS_DAYS: '3',
      SERV_RETENTION_LOGS_DAYS: '9',
      SERV_ARTIFACT_PATH: artifacts,
      SERV_LOG_PATH: logs,
    });
    await new Promise((resolve) => setTimeout(resolve, 50));
    mkdirSync(path.join(artifacts, 'deep'));
    const old = write(path.join(artifacts, 'deep', 'old.txt'), 5);
    const young = write(path.join(artifacts, 'young.txt'), 1);
    const line = write(path.join(logs, 'old.log'), 5);
    expect(await p.service.retain({ dryRun: true })).toMatchObject({ artifacts: 1, logs: 0 });
    expect(existsSync(old)).toBe(true);
    expect(await p.service.retain({ dryRun: false })).toMatchObject({ artifacts: 1, logs: 0 });
    expect([existsSync(path.dirname(old)), existsSync(young), existsSync(line)]).toEqual([
      false,
      true,
      true,
    ]);
  });
});
