import { expect, test } from 'vitest';
import { retryDelay } from './retry-delay.ts';

test('waits grow by four up to six hours, and half of each is left to chance', () => {
  expect([1, 2, 3, 4].map((attempts) => retryDelay(attempts, 5, 1))).toEqual([5, 20, 80, 320]);
  expect(retryDelay(20, 5, 1)).toBe(21_600);
  expect(retryDelay(2, 5, 0)).toBe(10);
});
