import { expect, test } from 'vitest';
import { createCrashCount } from './crash-count.ts';

test('the third end within a minute is one too many, and then the count begins again', () => {
  const count = createCrashCount();
  expect([0, 1_000, 2_000].map((at) => count.note(at))).toEqual([false, false, true]);
  expect(count.note(3_000)).toBe(false);
});

test('ends that lie apart are accidents', () => {
  const count = createCrashCount();
  expect([0, 59_000, 61_000, 130_000].map((at) => count.note(at))).toEqual([
    false,
    false,
    false,
    false,
  ]);
});
