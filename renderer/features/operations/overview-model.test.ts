import { expect, test } from 'vitest';
import { activityRows, changeText, failuresOf, spendText, tilesOf } from './overview-model.ts';

const tile = (key: string, value: number | null) => ({
  ...{ key, label: key, value, tone: 'error' as const, link: '/elsewhere' },
});

test('a count of zero, or one that nobody tells, is calm; each leads to what it counts', () => {
  const tiles = tilesOf({
    tiles: [tile('failed', 0), tile('failed', 2), tile('blocked', null), tile('pending_hitl', 1)],
    ...{ ready: true, error_rate: null, grafana_url: null },
  });
  expect(tiles.map(({ tone, to, value }) => [tone, to, value])).toEqual([
    ['neutral', '/runs?status=failed', 0],
    ['danger', '/runs?status=failed', 2],
    ['neutral', '/runs?status=blocked', undefined],
    ['warning', '/tasks', 1],
  ]);
});

test('failures are counted as the platform tells them, or not at all', () => {
  const rest = { ready: true, error_rate: null, grafana_url: null };
  const read = (value: number | null) => ({
    data: { tiles: [tile('total', 9), tile('failed', value)], ...rest },
    dataUpdatedAt: 5,
  });
  expect(failuresOf(read(0))).toEqual({ count: 0, at: 5 });
  expect(failuresOf(read(null))).toBeUndefined();
  expect(failuresOf({ data: undefined, dataUpdatedAt: 0 })).toBeUndefined();
});

const spend = {
  ...{ window: '7d', total_cost_usd: 1.5, currency: 'USD', counted: 12, scanned: 12, total: 12 },
  ...{ truncated: false, priced: true, approximate: true },
};

test('money says that it is approximate, and of how many runs it is (OD-138)', () => {
  expect(spendText(spend)).toEqual({
    sum: '≈ 1.5 USD',
    coverage: '12 runs, by your prices',
  });
  expect(spendText({ ...spend, counted: 1000, total: 4200, truncated: true }).coverage).toBe(
    '1,000 of 4,200 runs: the newest only, by your prices',
  );
});

test('without a price there is a dash, never a zero (OD-138)', () => {
  const unpriced = { ...spend, priced: false, approximate: false, total_cost_usd: null };
  expect(spendText(unpriced)).toEqual({ sum: '–', coverage: 'No price is set. 12 runs' });
});

test('a count tells how it changed since it was last seen, and nothing where it did not', () => {
  expect([changeText(2, 5), changeText(5, 2), changeText(2, 2), changeText(undefined, 2)]).toEqual([
    '+3',
    '−3',
    undefined,
    undefined,
  ]);
});

test('each run of an hour stands in one part of its bar', () => {
  const hour = { from: '2026-11-21T10:00:00.000000+00:00', created: 9, failed: 2, blocked: 1 };
  const [row] = activityRows({ hours: [hour], counted: 9, total: 9, truncated: false });
  expect(row?.values).toEqual({ failed: 2, blocked: 1, others: 6 });
});
