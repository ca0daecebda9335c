// A bench that misses a budget is red: it says which rows, and its command fails.
import { expect, test } from 'vitest';
import { toFigure, verdictOf } from '../performance/harness.ts';

const held = toFigure('spec', { name: 'held', unit: 'ms', budget: { atMost: 10 } }, [9]);
const free = toFigure('spec', { name: 'free', unit: 'ms' }, [9]);

test('a bench within its budgets passes', () => {
  expect(verdictOf([held, free], [])).toEqual({ code: 0, line: 'All 1 budgets are held.' });
});

test('each missed budget is named, by what was measured and what was stated', () => {
  const slow = toFigure('spec', { name: 'slow', unit: 'ms', budget: { atMost: 10 } }, [9, 12, 300]);
  const few = toFigure('platform', { name: 'few', unit: '/s', budget: { atLeast: 100 } }, [99]);
  const tail = { name: 'tail', unit: 'ms', budget: { atMost: 10, of: 'p95' as const } };
  const none = toFigure('worst', { name: 'none', unit: 'ms', budget: { atMost: 10 } }, []);
  const all = [held, slow, few, toFigure('cli', tail, [1, 11]), none];
  expect(verdictOf(all, [])).toEqual({
    code: 1,
    line: 'Missed: spec: slow (12.0 ms, ≤ 10); platform: few (99.0 /s, ≥ 100); cli: tail (11.0 ms, p95 ≤ 10); worst: none (NaN ms, ≤ 10).',
  });
});

test('a suite that ended early is a miss, too', () => {
  expect(verdictOf([held], ['platform: 400 run_limit_exceeded'])).toEqual({
    code: 1,
    line: 'Missed: platform: 400 run_limit_exceeded.',
  });
});
