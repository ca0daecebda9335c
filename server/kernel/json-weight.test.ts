import { describe, expect, test } from 'vitest';
import { isHeavier } from './json-weight.ts';

describe('the weight of a JSON value', () => {
  test.each([
    ['a text', 'x'.repeat(100), 100],
    ['a short text', 'x', 12],
    ['a list and its items', [1, 'x'.repeat(20), null], 12 + 12 + 20 + 12],
    ['names and what they name', { name: true, long: 'y'.repeat(50) }, 12 + 4 + 12 + 4 + 50],
    ['empty objects', Array.from({ length: 1000 }, () => ({})), 12 * 1001],
  ])('%s', (_what, value, weight) => {
    expect(isHeavier(value, weight)).toBe(false);
    expect(isHeavier(value, weight - 1)).toBe(true);
  });
});
