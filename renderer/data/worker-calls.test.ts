import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createWorkerCalls } from './worker-calls.ts';

/** A worker that answers each question with its number among those that were started. */
class NumberedWorker extends EventTarget implements Worker {
  static started = 0;
  static running = 0;
  readonly #number: number;
  onmessage = null;
  onmessageerror = null;
  onerror = null;

  constructor() {
    super();
    NumberedWorker.started += 1;
    NumberedWorker.running += 1;
    this.#number = NumberedWorker.started;
  }

  postMessage({ id }: { readonly id: number }): void {
    const reply = new MessageEvent('message', { data: { id, output: this.#number } });
    setTimeout(() => this.dispatchEvent(reply), 1_000);
  }

  terminate(): void {
    NumberedWorker.running -= 1;
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  NumberedWorker.started = 0;
  NumberedWorker.running = 0;
});
afterEach(() => {
  vi.useRealTimers();
});

test('a worker that rests ends, and the next question starts another', async () => {
  const ask = createWorkerCalls(() => new NumberedWorker(), 'The worker', 5_000);
  const first = ask({});
  await vi.advanceTimersByTimeAsync(1_000);
  await expect(first).resolves.toBe(1);
  await vi.advanceTimersByTimeAsync(4_500);
  const second = ask({});
  // It is asked something: it does not end, however long that takes.
  await vi.advanceTimersByTimeAsync(900);
  expect(NumberedWorker.running).toBe(1);
  await vi.advanceTimersByTimeAsync(100);
  await expect(second).resolves.toBe(1);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(NumberedWorker.running).toBe(0);
  const third = ask({});
  await vi.advanceTimersByTimeAsync(1_000);
  await expect(third).resolves.toBe(2);
});
