// The disk of the database is full, and has room again.
import { randomBytes } from 'node:crypto';
import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { startTestPlatform, type TestPlatform } from '../support/platform.ts';
import { startPostgresServer } from '../support/postgres-server.ts';
import { canMakeSmallDisk, makeSmallDisk } from '../support/small-disk.ts';
import { TINY } from '../support/specs.ts';

/** It cannot be made shorter. */
const largeInput = (): string => randomBytes(12_000).toString('base64');

async function untilReady(p: TestPlatform, status: 200 | 503): Promise<number> {
  const from = performance.now();
  while ((await p.get('/readyz', { key: null })).status !== status) await sleep(50);
  return performance.now() - from;
}

/** Sends runs until one is refused; answers those that were not. */
async function fill(p: TestPlatform): Promise<string[]> {
  const acknowledged: string[] = [];
  for (;;) {
    const answer = await p.post('/v1/runs', { input: largeInput(), spec: TINY, async_mode: true });
    if (answer.status === 202) acknowledged.push(answer.body.run_id);
    else {
      expect([answer.status, answer.body.detail.error]).toEqual([503, 'store_unavailable']);
      expect(answer.headers.get('retry-after')).toBe('5');
      return acknowledged;
    }
  }
}

describe.skipIf(!canMakeSmallDisk())('a database on a small disk', () => {
  test('full: what was acknowledged is stored, others are refused, and it goes on with room', async () => {
    const disk = makeSmallDisk(80);
    if (disk === undefined) throw new Error('no small disk');
    const server = await startPostgresServer({ durable: true, tables: disk.folder });
    const p = await startTestPlatform({
      databaseUrl: await server.createDatabase(),
      databaseSettings: {},
      thread: true,
      env: { SERV_WORKER_LEASE_SECONDS: '2', SERV_WORKER_IDLE_POLL_SECONDS: '0.2' },
    });
    const ballast = path.join(disk.folder, 'ballast');
    try {
      expect(await untilReady(p, 200)).toBeLessThan(10_000);
      const { bavail, bsize } = statfsSync(disk.folder);
      writeFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize - 2_000_000)));
      const began = performance.now();
      const acknowledged = await fill(p);
      const red = await untilReady(p, 503);
      const known = await p.get('/v1/runs?limit=1');
      expect(known.body.total).toBeGreaterThanOrEqual(acknowledged.length);
      expect(p.logs.some(({ fields }) => fields['code'] === '53100')).toBe(true);
      await sleep(2_000);
      rmSync(ballast);
      const green = await untilReady(p, 200);
      process.stdout.write(
        `${JSON.stringify({ acknowledged: acknowledged.length, filled: performance.now() - began, red, green })}\n`,
      );
      expect(Math.max(red, green)).toBeLessThan(10_000);
      for (const id of acknowledged) await p.waitFor(id, 'completed');
      expect((await p.post('/v1/runs', { input: 'after', spec: TINY })).status).toBe(200);
    } finally {
      await p.stop();
      await server.stop();
      disk.remove();
    }
  }, 120_000);
});
