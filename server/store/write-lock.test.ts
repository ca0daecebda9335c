import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { describe, expect, test } from 'vitest';
import { createWriteLock, LOCK_HOLDERS, writeLockMemory } from './write-lock.ts';

const HOLDER = `
  const { workerData, parentPort } = require('node:worker_threads');
  void import(workerData.module).then(({ createWriteLock }) => {
    createWriteLock(workerData.memory, 2).run(() => {
      parentPort.postMessage('held');
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 150);
    });
  });
`;

describe('the lock of writing threads', () => {
  test('a thread that waits in both ways is woken as soon as the lock is free', async () => {
    const memory = writeLockMemory();
    const lock = createWriteLock(memory, LOCK_HOLDERS.main);
    const module = new URL('./write-lock.ts', import.meta.url).href;
    const worker = new Worker(HOLDER, { eval: true, workerData: { module, memory } });
    await once(worker, 'message');
    const later = new Promise<void>((done) => lock.soon(done));
    const from = performance.now();
    lock.run(() => undefined);
    expect(performance.now() - from).toBeLessThan(2000);
    await later;
    await worker.terminate();
  }, 15_000);
});
