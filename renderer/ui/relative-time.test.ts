import { expect, test } from 'vitest';
import { relativeTime } from './relative-time.ts';

const MINUTE = 60_000;

test('a time near or far is told in words, in few letters where room is short', () => {
  const now = Date.parse('2026-03-01T12:00:00Z');
  const told = [2_000, 10_000, 3 * MINUTE, 26 * 60 * MINUTE].map((ago) => [
    relativeTime(now - ago, now),
    relativeTime(now - ago, now, true),
  ]);
  expect(told).toEqual([
    ['just now', 'just now'],
    ['10 seconds ago', '10s ago'],
    ['3 minutes ago', '3m ago'],
    ['yesterday', 'yesterday'],
  ]);
});
