import { expect, test } from 'vitest';
import { clockSkewStore, noteServiceTime } from './clock-skew.ts';

const NOON = Date.parse('2026-11-21T12:00:00Z');
const header = (ms: number) => new Date(ms).toUTCString();

test('a clock is off by what answers say, when that is more than they can be wrong by', () => {
  const told = (date: string | null, askedAt: number, now: number): number => {
    noteServiceTime(date, askedAt, now);
    return clockSkewStore.get();
  };
  expect(told(header(NOON), NOON - 200, NOON + 200)).toBe(0);
  expect(told(header(NOON - 30_000), NOON, NOON)).toBe(0);
  expect(told(header(NOON + 600_000), NOON, NOON)).toBe(600_500);
  // Neither an answer without a time nor one that took long says anything else.
  expect(told(null, NOON, NOON)).toBe(600_500);
  expect(told(header(NOON), NOON - 40_000, NOON)).toBe(600_500);
  expect(told(header(NOON - 7_200_000), NOON, NOON)).toBe(-7_199_500);
  expect(told(header(NOON), NOON, NOON)).toBe(0);
});
