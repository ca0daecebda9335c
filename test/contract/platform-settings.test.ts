// Each setting of contract/platform.md 12 takes effect, in both spellings.
import { homedir } from 'node:os';
import { describe, expect, test } from 'vitest';
import { readPlatformConfig } from '../../server/platform/config.ts';
import { freshStores, open, run, useOtherStore } from '../support/settings-world.ts';
import { TINY } from '../support/specs.ts';

freshStores();

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
    'OTEL_ENABLED=perhaps',
    'OTEL_RECORD_ARGUMENTS=maybe',
    'TRACE_CALLS=some',
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
    useOtherStore();
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
