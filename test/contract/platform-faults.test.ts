import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readPlatformConfig } from '../../server/platform/config.ts';
import { startPlatform } from '../../server/platform/service/service.ts';
import { type Loose, startTestPlatform, type TestPlatform } from '../support/platform.ts';
import { openStored } from '../support/stored.ts';

const SCRIPT = fileURLToPath(new URL('../support/platform-process.ts', import.meta.url));

function pipe(implementation: string) {
  return {
    version: 'v1',
    agent: { name: 'desk' },
    workflow: {
      type: 'sequential',
      name: 'pipe',
      steps: [
        { id: 'first', kind: 'agent', ref: 'writer' },
        { id: 'second', kind: 'function', ref: 'work' },
      ],
    },
    components: {
      agents: { writer: { name: 'writer' } },
      functions: { work: { implementation } },
    },
  };
}

let folder: string;
let file: string;
let child: ChildProcess | undefined;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'faults-'));
  file = path.join(folder, 'platform.db');
});
afterEach(() => {
  child?.kill('SIGKILL');
  child = undefined;
  rmSync(folder, { recursive: true, force: true });
});

async function startProcess(): Promise<string> {
  child = spawn(process.execPath, [SCRIPT, file], { stdio: ['ignore', 'pipe', 'inherit'] });
  if (child.stdout === null) throw new Error('no output');
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return line.toString().trim();
}

async function call(url: string, method: string, route: string, body?: unknown): Promise<Loose> {
  const response = await fetch(`${url}${route}`, {
    method,
    headers: { authorization: 'Bearer admin-key', 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return response.json();
}

async function until(url: string, runId: string, status: string): Promise<void> {
  for (let attempt = 0; attempt < 500; attempt += 1) {
    if ((await call(url, 'GET', `/v1/runs/${runId}`)).status === status) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`the run never became ${status}`);
}

async function kill(): Promise<void> {
  const ended = child === undefined ? Promise.resolve() : once(child, 'exit');
  child?.kill('SIGKILL');
  await ended;
  child = undefined;
}

describe('kill -9', () => {
  test('leased work is taken up at the next start without waiting for the lease; finished steps stay', async () => {
    const url = await startProcess();
    const body = { input: 'x', spec: pipe('work.hang'), async_mode: true };
    const { run_id: runId } = await call(url, 'POST', '/v1/runs', body);
    const waiting = await call(url, 'POST', '/v1/runs', { ...body, input: 'y' });
    await until(url, runId, 'running');
    await kill();
    const again = await startTestPlatform({
      file,
      handlers: { 'work.hang': ([input]) => `went on: ${String(input)}` },
    });
    try {
      const done = await again.waitFor(runId, 'completed', 'failed');
      expect(done.body).toMatchObject({
        status: 'completed',
        output_text: 'went on: Final answer: x',
        visited_steps: ['first', 'second'],
      });
      await again.waitFor(waiting.run_id, 'completed');
      const checkpoints = await again.get(`/v1/runs/${runId}/checkpoints`);
      const sequences = checkpoints.body.checkpoints.map((item: Loose) => item.sequence);
      expect(sequences).toEqual([1, 2, 3, 4]);
      const trace = await again.get(`/v1/runs/${runId}/trace`);
      const ids = trace.body.events.map((event: Loose) => event.event_id);
      expect(new Set(ids).size).toBe(ids.length);
      const starts = trace.body.events.filter((event: Loose) => event.type === 'run_started');
      expect(starts).toHaveLength(1);
    } finally {
      await again.stop();
    }
  });

  test('a synchronous run that was killed fails and says so', async () => {
    const url = await startProcess();
    const session_id = 'killed';
    const answer = call(url, 'POST', '/v1/runs', {
      input: 'x',
      spec: pipe('work.hang'),
      session_id,
    }).catch(() => undefined);
    let runId: string | undefined;
    while (runId === undefined) {
      runId = (await call(url, 'GET', `/v1/runs?session_id=${session_id}`)).runs[0]?.id;
    }
    await kill();
    await answer;
    const again = await startTestPlatform({ file });
    try {
      const { body } = await again.get(`/v1/runs/${runId}`);
      expect(body).toMatchObject({ status: 'failed', error: { type: 'error' } });
      expect(body.error.message).toContain('restarted');
    } finally {
      await again.stop();
    }
  });
});

describe('leases', () => {
  let p: TestPlatform;
  const release = Promise.withResolvers<string>();

  test('52 a run over its attempts is given up, at the claim and by the sweep (RP-047, RP-138)', async () => {
    const hang = { 'work.hang': () => new Promise(() => undefined) };
    const env = {
      SERV_QUEUE_MAX_ATTEMPTS: '1',
      SERV_SHUTDOWN_TIMEOUT_SECONDS: '0',
      SERV_SWEEP_INTERVAL_SECONDS: '0',
    };
    const first = await startTestPlatform({ file, env, handlers: hang });
    const queued = await first.post('/v1/runs', {
      input: 'x',
      spec: pipe('work.hang'),
      async_mode: true,
    });
    const id = queued.body.run_id;
    await first.waitFor(id, 'running');
    await first.service.stop();
    const second = await startTestPlatform({ file, env, handlers: hang });
    try {
      const { body } = await second.waitFor(id, 'failed');
      expect(body.error.type).toBe('dead_letter');
      expect(body.error.message).toContain('SERV_QUEUE_MAX_ATTEMPTS');
      const audit = await second.get(`/v1/audit-events?run_id=${id}&event_type=run.dead_lettered`);
      expect(audit.body.events[0].metadata).toEqual({ attempts: 2, limit: 1 });
    } finally {
      await second.stop();
    }
  });

  test('74, 73 in the execution thread: the heartbeat holds, a stop lets the run end', async () => {
    const gate = Promise.withResolvers<string>();
    const env = { SERV_WORKER_LEASE_SECONDS: '1' };
    p = await startTestPlatform({
      file,
      env,
      thread: true,
      handlers: { 'work.wait': () => gate.promise },
    });
    const body = { input: 'x', spec: pipe('work.wait'), async_mode: true };
    const { run_id } = (await p.post('/v1/runs', body)).body;
    await p.waitFor(run_id, 'running');
    await new Promise((resolve) => setTimeout(resolve, 2500));
    expect((await p.get(`/v1/runs/${run_id}`)).body.status).toBe('running');
    const stopped = p.service.stop();
    gate.resolve('ok');
    await stopped;
    const db = await openStored(file);
    const row = db
      .prepare('SELECT runs.status, attempts FROM runs JOIN run_queue ON run_id = id WHERE id = ?')
      .get(run_id);
    await db.close();
    expect(row).toEqual({ status: 'completed', attempts: 1 });
  });

  test('53, 74 a heartbeat keeps a run of three lease lengths alive with one attempt (RP-136)', async () => {
    p = await startTestPlatform({
      file,
      env: { SERV_WORKER_LEASE_SECONDS: '1', SERV_WORKER_CONCURRENCY: '2' },
      handlers: { 'work.wait': () => release.promise },
    });
    try {
      const queued = await p.post('/v1/runs', {
        input: 'x',
        spec: pipe('work.wait'),
        async_mode: true,
      });
      await new Promise((resolve) => setTimeout(resolve, 3200));
      expect((await p.get(`/v1/runs/${queued.body.run_id}`)).body.status).toBe('running');
      release.resolve('ok');
      await p.waitFor(queued.body.run_id, 'completed');
      const db = await openStored(file);
      const row = db.prepare('SELECT attempts FROM run_queue').get() as { attempts: number };
      await db.close();
      expect(row.attempts).toBe(1);
    } finally {
      await p.stop();
    }
  });
});

describe('settings', () => {
  test('62, 67 malformed settings refuse to start and show no key (RP-091–RP-093, RP-143)', () => {
    const refused = (env: Record<string, string>): string => {
      try {
        readPlatformConfig(env);
      } catch (error) {
        return String(error);
      }
      return '';
    };
    const unknown = refused({ SERV_API_KEYS: 'ci:very-secret:captain' });
    expect(unknown).toContain("'ci'");
    expect(unknown).toContain("'captain'");
    expect(unknown).not.toContain('very-secret');
    expect(refused({ SERV_API_KEYS: 'ci:key' })).toContain("'ci'");
    expect(refused({ SERV_AUTH_ENABLED: 'yes' })).toContain('SERV_API_KEYS');
    const statuses = refused({ SERV_RETENTION_RUN_STATUSES: 'running' });
    expect(statuses).toContain(
      'SERV_RETENTION_RUN_STATUSES must be a list with commas of completed',
    );
    expect(refused({ SERV_WORKER_CONCURRENCY: '0' })).toContain('SERV_WORKER_CONCURRENCY');
    expect(refused({ SERV_MAX_BODY_BYTES: 'many' })).toContain('SERV_MAX_BODY_BYTES');
    expect(refused({ SERV_LOG_LEVEL: 'LOUD' })).toContain('SERV_LOG_LEVEL');
    expect(refused({ SERV_DATABASE_URL: 'postgres://x' })).toContain('postgres://user:');
    const scoped = readPlatformConfig({
      KNEO_SERV_API_KEYS: 'a:k1:runs:read,human:write;;b:k2:viewer',
      KNEO_SERV_MAX_QUEUE_DEPTH: '3',
    });
    expect([...(scoped.keys[0]?.scopes ?? [])]).toEqual(['runs:read', 'human:write']);
    expect(scoped.maxQueueDepth).toBe(3);
  });

  test('68 a routable address without keys does not start (RP-147)', async () => {
    const start = startPlatform({
      config: readPlatformConfig({}),
      host: '0.0.0.0',
      port: 0,
      databaseFile: ':memory:',
      migrationsDir: fileURLToPath(new URL('../../migrations/platform', import.meta.url)),
      specRoot: folder,
      trusted: false,
      extraKeys: [],
      requireKey: false,
      clock: { now: () => Date.now() },
      ids: { uuid: () => 'x', hex: () => 'x' },
      log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    });
    await expect(start).rejects.toThrow('without authentication');
  });

  test('79 retention removes old rows of the configured kind only (RP-103, RP-142)', async () => {
    const p = await startTestPlatform({
      file,
      env: { SERV_RETENTION_AUDIT_DAYS: '1', SERV_SWEEP_INTERVAL_SECONDS: '0' },
    });
    try {
      const headers = { 'idempotency-key': 'old' };
      await p.post(
        '/v1/runs',
        { input: 'x', spec: { version: 'v1', agent: { name: 'a' } } },
        { headers },
      );
      p.clock.skewMs += 2 * 86_400_000;
      const counted = await p.service.retain({ dryRun: true });
      expect(counted).toMatchObject({ audit_events: 1, runs: 0, idempotency_records: 0 });
      expect((await p.service.retain({ dryRun: false })).audit_events).toBe(1);
      expect((await p.get('/v1/audit-events')).body.total).toBe(0);
      expect((await p.get('/v1/runs')).body.total).toBe(1);
    } finally {
      await p.stop();
    }
  });
});
