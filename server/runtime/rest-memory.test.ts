import { setTimeout as sleep } from 'node:timers/promises';
import v8 from 'node:v8';
import { expect, test } from 'vitest';
import { freeMemoryAtRest } from './rest-memory.ts';

const heapMib = (): number => v8.getHeapStatistics().total_heap_size / 1024 / 1024;

/** Computes for that long, with short pauses; allocates next to nothing. */
async function work(forMs: number): Promise<void> {
  const until = performance.now() + forMs;
  while (performance.now() < until) {
    const busy = performance.now() + 20;
    while (performance.now() < busy);
    await sleep(1);
  }
}

test('a thread that rests after work gives its garbage back, and one that works does not stop for it', async () => {
  const held: object[] = [];
  for (let i = 0; i < 1_500_000; i += 1) held.push({ i, list: [i] });
  // V8 ends the collections that the growth itself began.
  await sleep(1500);
  held.length = 0;
  const large = heapMib();
  await sleep(1000);
  expect(heapMib()).toBeGreaterThan(large - 20);

  const stop = freeMemoryAtRest({ lookMs: 50, quietLooks: 4, worthMib: 24, betweenMs: 0 });
  await work(600);
  expect(heapMib()).toBeGreaterThan(large - 20);

  await expect.poll(heapMib, { timeout: 10_000 }).toBeLessThan(large - 60);
  stop();
});
