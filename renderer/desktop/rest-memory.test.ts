import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { freeMemoryAtRest } from './rest-memory.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('a window is collected when it comes to rest, and seldom while it stays there', () => {
  const collect = vi.fn(() => Promise.resolve());
  const target = new EventTarget();
  const stop = freeMemoryAtRest(target, collect);
  for (let second = 0; second < 60; second += 10) {
    vi.advanceTimersByTime(10_000);
    target.dispatchEvent(new Event('keydown'));
  }
  expect(collect).not.toHaveBeenCalled();
  vi.advanceTimersByTime(15_000);
  expect(collect).toHaveBeenCalledExactlyOnceWith({ type: 'major', execution: 'async' });
  vi.advanceTimersByTime(599_000);
  expect(collect).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1_000);
  expect(collect).toHaveBeenCalledTimes(2);
  stop();
  target.dispatchEvent(new Event('keydown'));
  vi.advanceTimersByTime(1_000_000);
  expect(collect).toHaveBeenCalledTimes(2);
});

test('where the engine gives no collector, nothing is listened to', () => {
  const target = new EventTarget();
  const listen = vi.spyOn(target, 'addEventListener');
  freeMemoryAtRest(target, undefined)();
  expect(listen).not.toHaveBeenCalled();
});
