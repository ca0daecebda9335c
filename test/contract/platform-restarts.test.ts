import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { onPostgres } from '../support/chosen-store.ts';
import { ASKING, createCli } from '../support/cli.ts';
import { startModelServer } from '../support/model-server.ts';
import { type Loose, startTestPlatform } from '../support/platform.ts';
import {
  functionSpec,
  gate,
  gates,
  handlers,
  p,
  sharePlatform,
} from '../support/platform-world.ts';
import { humanSpec, TINY } from '../support/specs.ts';
import { openStored } from '../support/stored.ts';

sharePlatform();

describe('settings and restarts', () => {
  test('50 the trace cap drops and says so (RP-065, RP-144)', async () => {
    const q = await startTestPlatform({ env: { SERV_TRACE_MAX_EVENTS: '3' } });
    try {
      const run = await q.post('/v1/runs', { input: 'x', spec_path: 'support-triage.yaml' });
      const trace = await q.get(`/v1/runs/${run.body.run_id}/trace`);
      expect(trace.body).toMatchObject({ total: 3, dropped: 5, complete: false });
    } finally {
      await q.stop();
    }
  });

  test('51 a full queue refuses and leaves nothing (RP-137)', async () => {
    const { open } = gate('full');
    const q = await startTestPlatform({ handlers, env: { SERV_MAX_QUEUE_DEPTH: '1' } });
    try {
      const body = { input: 'full', spec: functionSpec('work.wait'), async_mode: true };
      const first = await q.post('/v1/runs', body);
      await q.waitFor(first.body.run_id, 'running');
      await q.post('/v1/runs', body);
      const runs = (await q.get('/v1/runs')).body.total;
      const audits = (await q.get('/v1/audit-events')).body.total;
      const headers = { 'idempotency-key': 'full-1' };
      const third = await q.post('/v1/runs', body, { headers });
      expect(third.status).toBe(503);
      expect(third.headers.get('retry-after')).toBe('5');
      expect(third.body.detail).toMatchObject({ error: 'queue_full', queue_depth: 1, limit: 1 });
      expect((await q.get('/v1/runs')).body.total).toBe(runs);
      expect((await q.get('/v1/audit-events')).body.total).toBe(audits);
      expect((await q.get('/metrics')).text).toContain('kneo_runs_rejected_total 1');
    } finally {
      open();
      await q.stop();
    }
  });

  test('63 a restart keeps runs, tasks, policies and idempotency records (RP-008, RP-147)', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'restart-'));
    const file = path.join(folder, 'platform.db');
    const headers = { 'idempotency-key': 'restart-1' };
    const body = { input: 'x', spec: humanSpec() };
    const first = await startTestPlatform({ file });
    const run = await first.post('/v1/runs', body, { headers });
    await first.call('PUT', '/v1/policies/environment/prod', { body: { fail_on_warnings: true } });
    await first.stop();
    const second = await startTestPlatform({ file });
    try {
      expect((await second.post('/v1/runs', body, { headers })).body).toEqual(run.body);
      const policy = await second.get('/v1/policies/environment/prod');
      expect(policy.body.policy.fail_on_warnings).toBe(true);
      const task = await second.get(`/v1/human-tasks/${run.body.continuation_id}`);
      const answer = await second.post(`/v1/human-tasks/${run.body.continuation_id}/resume`, {
        request_id: task.body.request.id,
        decision: 'approved',
      });
      expect(answer.body.status).toBe('completed');
    } finally {
      await second.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  // As test/postgres/open-postgres.test.ts for the other store.
  test.skipIf(onPostgres)(
    '63 a store of a newer version refuses to start and stays as it is (RP-147, RP-148)',
    async () => {
      const folder = mkdtempSync(path.join(tmpdir(), 'newer-'));
      const file = path.join(folder, 'platform.db');
      const first = await startTestPlatform({ file });
      await first.post('/v1/runs', { input: 'x', spec: TINY });
      await first.stop();
      const { default: Sqlite } = await import('better-sqlite3');
      const db = new Sqlite(file);
      const columns = db.pragma('table_info(schema_migrations)') as { name: string }[];
      const newest = db
        .prepare('SELECT * FROM schema_migrations ORDER BY version DESC LIMIT 1')
        .get() as Record<string, unknown>;
      const later: Record<string, unknown> = {
        ...newest,
        version: 9999,
        name: 'later',
        requires: null,
      };
      const names = columns.map(({ name }) => name);
      db.prepare(
        `INSERT INTO schema_migrations (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
      ).run(...names.map((name) => later[name]));
      db.pragma('wal_checkpoint(TRUNCATE)');
      db.close();
      const before = readFileSync(file);
      try {
        const refusal = await startTestPlatform({ file }).catch(String);
        expect(refusal).toContain('9999');
        expect(refusal).toContain(` ${String(newest['version'])}`);
        expect(readFileSync(file).equals(before)).toBe(true);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  );

  test('68 with authentication off foreign hosts and origins are refused', async () => {
    const q = await startTestPlatform({ env: { SERV_API_KEYS: '' } });
    try {
      const { port } = new URL(q.url);
      const ask = (headers: Record<string, string>, route = '/v1/runs') =>
        q.get(route, { key: null, headers });
      expect((await ask({})).status).toBe(200);
      const foreign = await ask({ origin: 'http://evil.example' });
      expect(foreign.status).toBe(403);
      expect(foreign.body.detail.error).toBe('forbidden');
      expect((await ask({ origin: 'null' })).status).toBe(403);
      expect((await ask({ referer: 'http://evil.example/x' })).status).toBe(403);
      expect((await ask({ origin: `http://127.0.0.1:${port}` })).status).toBe(200);
      expect((await ask({ origin: 'http://evil.example' }, '/healthz')).status).toBe(200);
    } finally {
      await q.stop();
    }
  });

  test('71 metrics can be switched off; token counters have both names (RP-104)', async () => {
    const q = await startTestPlatform({ env: { SERV_METRICS_ENABLED: 'false' } });
    try {
      expect((await q.get('/metrics')).status).toBe(404);
    } finally {
      await q.stop();
    }
    const { text } = await p.get('/metrics');
    expect(text).toMatch(/^tokens_input_total 0$/m);
    expect(text).toMatch(/^kneo_tokens_input_total 0$/m);
  });

  test('72 each stored audit event is one line of the export channel (RP-101)', async () => {
    const q = await startTestPlatform({ env: { SERV_AUDIT_EXPORT_ENABLED: '1' } });
    try {
      await q.post('/v1/runs', { input: 'x', spec: TINY });
      const lines = q.logs.filter(({ fields }) => fields['channel'] === 'serv.audit');
      expect(lines).toHaveLength(1);
      expect(lines[0]?.fields['event_type']).toBe('run.created');
    } finally {
      await q.stop();
    }
  });
});

describe('command line and shutdown', () => {
  test('66 exit codes: an invalid spec 1, an unknown command 2, a resume without a choice 1 (RP-154)', async () => {
    const cli = createCli();
    try {
      cli.write('bad.yaml', 'version: v1\n');
      cli.write('good.yaml', ASKING);
      expect((await cli.run(['spec', 'validate', 'bad.yaml'])).code).toBe(1);
      expect((await cli.run(['spec', 'validate', 'good.yaml'])).code).toBe(0);
      expect((await cli.run(['spec', 'divine', 'good.yaml'])).code).toBe(2);
      expect((await cli.run(['divine'])).code).toBe(2);
      const none = await cli.run(['human', 'resume', 'some-task', '--request-id', 'r']);
      expect(none.code).toBe(1);
      expect(none.stderr).toContain('✗ ');
      const two = ['human', 'resume', 'some-task', '--request-id', 'r', '--approve', '--reject'];
      expect((await cli.run(two)).code).toBe(1);
    } finally {
      cli.dispose();
    }
  }, 60_000);

  test('73 SIGTERM ends the program with 0 after what runs has ended', async () => {
    const cli = createCli();
    try {
      const served = cli.start(['service', 'serve', '--port', '0']);
      const [line] = (await once(served.stdout ?? served, 'data')) as [Buffer];
      const url = line.toString().trim();
      const models = await startModelServer();
      models.answerWith(() => ({ text: 'late', delayMs: 1500 }));
      const model = { provider: 'openai-compatible', name: 'm' };
      const spec = {
        version: 'v1',
        agent: { name: 'a', model: { ...model, extra: { base_url: models.baseUrl('openai') } } },
      };
      const answer = fetch(`${url}/v1/runs`, {
        method: 'POST',
        headers: { ...cli.credential(), 'content-type': 'application/json' },
        body: JSON.stringify({ input: 'x', spec }),
      });
      await expect.poll(() => models.requests.length, { timeout: 10_000 }).toBe(1);
      const ended = once(served, 'close');
      served.kill('SIGTERM');
      expect(((await (await answer).json()) as Loose).output_text).toBe('late');
      expect(await ended).toEqual([0, null]);
      await models.stop();
    } finally {
      cli.dispose();
    }
  }, 60_000);

  test('73 at shutdown claiming stops, work gets its time, what is left is leased again (RP-139)', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'shutdown-'));
    const file = path.join(folder, 'platform.db');
    const env = {
      SERV_SHUTDOWN_TIMEOUT_SECONDS: '0.4',
      SERV_WORKER_LEASE_SECONDS: '1',
      SERV_WORKER_CONCURRENCY: '2',
    };
    const short = gate('short');
    gate('long');
    const body = (input: string) => ({
      input,
      spec: functionSpec('work.wait'),
      async_mode: true,
    });
    const q = await startTestPlatform({ file, handlers, env });
    const ends = await q.post('/v1/runs', body('short'));
    const stays = await q.post('/v1/runs', body('long'));
    await q.waitFor(ends.body.run_id, 'running');
    await q.waitFor(stays.body.run_id, 'running');
    const waits = await q.post('/v1/runs', body('waits'));
    const began = performance.now();
    const stopping = q.service.stop();
    setTimeout(() => short.open(), 100);
    await stopping;
    expect(performance.now() - began).toBeGreaterThan(350);
    expect(performance.now() - began).toBeLessThan(5000);
    const db = await openStored(file);
    const statusOf = db.prepare<[string], string>('SELECT status FROM runs WHERE id = ?').pluck();
    const left = [ends, stays, waits].map(({ body: { run_id: id } }) => statusOf.get(id));
    await db.close();
    expect(left).toEqual(['completed', 'running', 'queued']);
    gates.clear();
    const again = await startTestPlatform({ file, handlers, env });
    try {
      for (const { body: run } of [stays, waits]) {
        const done = await again.waitFor(run.run_id, 'completed', 'failed');
        expect(done.body.status).toBe('completed');
      }
    } finally {
      await again.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
