// The database goes away under a platform that works, and comes back.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestPlatform, type TestPlatform } from '../support/platform.ts';
import { functionSpec } from '../support/platform-world.ts';
import { startPostgresServer } from '../support/postgres-server.ts';
import { TINY } from '../support/specs.ts';

let server: Awaited<ReturnType<typeof startPostgresServer>>;
beforeAll(async () => {
  server = await startPostgresServer({ durable: true });
});
afterAll(() => server.stop());

const isReady = async (p: TestPlatform): Promise<boolean> =>
  (await p.get('/readyz', { key: null })).status === 200;

test('it ends at once: readiness is red within ten seconds and green again by itself', async () => {
  const databaseUrl = await server.createDatabase();
  const p = await startTestPlatform({
    databaseUrl,
    thread: true,
    env: { SERV_WORKER_LEASE_SECONDS: '2', SERV_WORKER_IDLE_POLL_SECONDS: '0.2' },
    handlers: {
      'work.wait': async ([input]) => {
        await sleep(200);
        return String(input);
      },
    },
  });
  try {
    const acknowledged: string[] = [];
    let over = false;
    const feeding = (async () => {
      while (!over) {
        const spec = functionSpec('work.wait');
        const answer = await p.post('/v1/runs', { input: 'x', spec, async_mode: true });
        if (answer.status === 202) acknowledged.push(answer.body.run_id);
        else expect([503, 500]).toContain(answer.status);
        await sleep(20);
      }
    })();
    await sleep(1000);
    expect(await isReady(p)).toBe(true);
    await server.crash();
    const from = performance.now();
    while (await isReady(p)) await sleep(50);
    expect(performance.now() - from).toBeLessThan(10_000);
    const refused = await p.post('/v1/runs', { input: 'x', spec: TINY });
    expect([refused.status, refused.body.detail.error]).toEqual([503, 'store_unavailable']);
    expect(refused.text).not.toMatch(/postgres|ECONN|127\.0\.0\.1/);
    await sleep(2000);
    await server.restart();
    const back = performance.now();
    while (!(await isReady(p))) await sleep(50);
    expect(performance.now() - back).toBeLessThan(10_000);
    await sleep(500);
    over = true;
    await feeding;
    expect(acknowledged.length).toBeGreaterThan(5);
    for (const id of acknowledged) {
      expect((await p.waitFor(id, 'completed', 'failed')).body.status).toBe('completed');
    }
    expect((await p.post('/v1/runs', { input: 'x', spec: TINY })).status).toBe(200);
  } finally {
    await p.stop();
  }
}, 120_000);

test('a node whose database is away stops all the same', async () => {
  const p = await startTestPlatform({ databaseUrl: await server.createDatabase(), thread: true });
  await p.post('/v1/runs', { input: 'x', spec: TINY });
  await server.crash();
  try {
    await p.stop();
    await expect(p.get('/livez', { key: null })).rejects.toThrow('fetch failed');
  } finally {
    await server.restart();
  }
}, 60_000);
