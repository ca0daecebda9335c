// Many callers over two connections: who cannot be served is told to come back, and nobody hangs.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type Answer, startTestPlatform } from '../support/platform.ts';
import { functionSpec } from '../support/platform-world.ts';
import { TINY } from '../support/specs.ts';

const CALLERS = 24;
const LASTS_MS = 5_000;
/** What a caller waits for at most, with all others before it. */
const LONGEST_MS = 15_000;

test('24 callers and queued runs over a pool of two: all that was acknowledged ends', async () => {
  const p = await startTestPlatform({
    thread: true,
    databaseSettings: { DATABASE_POOL_MAX: '2' },
    env: {
      SERV_WORKER_IDLE_POLL_SECONDS: '0.2',
      SERV_SYNC_MAX_RUNS: '2',
      SERV_SYNC_WAIT_SECONDS: '0.1',
    },
    handlers: {
      'work.wait': async ([input]) => {
        await sleep(50);
        return String(input);
      },
    },
  });
  const spec = functionSpec('work.wait');
  const calls: readonly (() => Promise<Answer>)[] = [
    () => p.post('/v1/runs', { input: 'sync', spec }),
    () => p.post('/v1/runs', { input: 'queued', spec: TINY, async_mode: true }),
    () => p.get('/v1/runs?limit=100&q=queued'),
    () => p.get('/v1/runs?limit=100&status=completed'),
    () => p.get('/v1/readyz', { key: null }),
  ];
  const acknowledged = new Set<string>();
  const counts = new Map<number, number>();
  let longest = 0;
  const over = performance.now() + LASTS_MS;
  const caller = async (at: number): Promise<void> => {
    for (let turn = at; performance.now() < over; turn += 1) {
      const from = performance.now();
      const answer = await calls[turn % calls.length]?.();
      longest = Math.max(longest, performance.now() - from);
      if (answer === undefined) continue;
      counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1);
      if (answer.status >= 400) {
        expect([429, 503]).toContain(answer.status);
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      } else if (answer.body.run_id !== undefined) acknowledged.add(answer.body.run_id);
    }
  };
  try {
    await Promise.all(Array.from({ length: CALLERS }, (_item, at) => caller(at)));
    process.stdout.write(
      `${JSON.stringify({ longest, acknowledged: acknowledged.size, ...Object.fromEntries(counts) })}\n`,
    );
    expect(longest).toBeLessThan(LONGEST_MS);
    expect(acknowledged.size).toBeGreaterThan(CALLERS);
    expect((counts.get(429) ?? 0) + (counts.get(503) ?? 0)).toBeGreaterThan(0);
    for (const id of acknowledged) await p.waitFor(id, 'completed');
  } finally {
    await p.stop();
  }
}, 120_000);
