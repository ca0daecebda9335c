import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { onPostgres } from '../support/chosen-store.ts';
import { type Answer, startTestPlatform, type TestPlatform } from '../support/platform.ts';
import { TINY } from '../support/specs.ts';
import { openStored } from '../support/stored.ts';

let folder = '';
let p: TestPlatform;
beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'platform-store-'));
  p = await startTestPlatform({
    file: path.join(folder, 'platform.db'),
    env: { SERV_SWEEP_INTERVAL_SECONDS: '0' },
  });
});
afterEach(async () => {
  await p.stop();
  rmSync(folder, { recursive: true, force: true });
});

// Of PostgreSQL: test/postgres and the case store_unavailable of platform-errors.test.ts.
describe.skipIf(onPostgres)(
  'the store in trouble (contract/platform.md 4, store_unavailable)',
  () => {
    test('while another process holds the store: 503 with Retry-After; reads go on; then all is well', async () => {
      const before = await p.post('/v1/runs', { input: 'first', spec: TINY });
      expect(before.status).toBe(200);
      const other = new BetterSqlite3(p.file);
      other.exec('BEGIN IMMEDIATE');
      const refused = await p.post('/v1/runs', { input: 'second', spec: TINY, async_mode: true });
      expect(refused.status).toBe(503);
      expect(refused.body.detail.error).toBe('store_unavailable');
      expect(refused.headers.get('retry-after')).toBe('5');
      expect(refused.text).not.toMatch(/sqlite|database is locked/i);
      expect((await p.get('/v1/runs?q=first')).body.total).toBe(1);
      other.exec('ROLLBACK');
      other.close();
      const after = await p.post('/v1/runs', { input: 'third', spec: TINY });
      expect(after.status).toBe(200);
      const { body } = await p.get('/v1/runs?sort_by=created_at&sort_order=asc');
      expect(body.runs.map((run: { input_text: string }) => run.input_text)).toEqual([
        'first',
        'third',
      ]);
    }, 30_000);

    test('eight callers meet a held store: each is refused in bounded time, nothing is stored', async () => {
      const other = new BetterSqlite3(p.file);
      other.exec('BEGIN IMMEDIATE');
      const from = performance.now();
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => p.post('/v1/runs', { input: 'held', spec: TINY })),
      );
      const took = performance.now() - from;
      other.exec('ROLLBACK');
      other.close();
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 503));
      expect(answers.every(({ body }) => body.detail.error === 'store_unavailable')).toBe(true);
      // Each waits half a second, all at the same time, and the event loop goes on meanwhile.
      expect(took).toBeLessThan(4000);
      expect((await p.get('/v1/runs?q=held')).body.total).toBe(0);
    }, 30_000);

    test('operations on runs, tasks and policies wait for a held store beside the loop', async () => {
      const gated = {
        version: 'v1',
        agent: { name: 'desk' },
        workflow: {
          type: 'sequential',
          name: 'gate',
          steps: [{ id: 'h', kind: 'human', ref: 'h' }],
        },
        components: { humans: { h: { description: 'Good?' } } },
      };
      const blocked = await p.post('/v1/runs', { input: 'x', spec: gated });
      const { run_id: run, continuation_id: task } = blocked.body;
      const { body } = await p.get('/v1/human-tasks');
      const answer = { request_id: body.tasks[0].request_id, decision: 'approved' };
      const operations: readonly (() => Promise<Answer>)[] = [
        () => p.post(`/v1/runs/${run}/cancel`),
        () => p.post(`/v1/runs/${run}/continue`),
        () => p.post(`/v1/human-tasks/${task}/resume`, answer),
        () => p.call('PUT', '/v1/policies/environment/prod', { body: {} }),
      ];
      const other = new BetterSqlite3(p.file);
      other.exec('BEGIN IMMEDIATE');
      let longest = 0;
      let turned = performance.now();
      const beat = setInterval(() => {
        longest = Math.max(longest, performance.now() - turned);
        turned = performance.now();
      }, 5);
      for (const operation of operations) {
        const refused = operation();
        expect((await p.get('/v1/runs?limit=1')).status).toBe(200);
        expect([(await refused).status, (await refused).body.detail.error]).toEqual([
          503,
          'store_unavailable',
        ]);
      }
      clearInterval(beat);
      expect(longest).toBeLessThan(400);
      other.exec('ROLLBACK');
      other.close();
      expect((await p.get(`/v1/runs/${run}`)).body.status).toBe('blocked');
      const [, , resume, put] = operations;
      expect((await put?.())?.status).toBe(200);
      expect((await resume?.())?.body.status).toBe('completed');
    }, 30_000);

    test('a run is in the list, the totals and the search as soon as it is acknowledged', async () => {
      const spec = { ...TINY, agent: { name: 'tiny', system_prompt: 'mail a@b.example' } };
      const run = await p.post('/v1/runs', { input: 'Zebra crossing', spec, async_mode: true });
      expect(run.status).toBe(202);
      expect((await p.get('/v1/runs?q=zebra')).body.total).toBe(1);
      await p.waitFor(run.body.run_id, 'completed');
      for (const query of ['q=ZEBRA', 'q=z', 'q=zebra&status=completed', 'status=completed']) {
        const { body } = await p.get(`/v1/runs?${query}`);
        expect(body.total).toBe(1);
        expect(body.runs[0].metadata.spec.agent.system_prompt).toBe('mail [REDACTED_EMAIL]');
      }
      const stored = await openStored(p.file);
      const shown = stored.prepare('SELECT * FROM run_created').all();
      await stored.close();
      expect(JSON.stringify(shown)).not.toContain('a@b.example');
    });
  },
);
