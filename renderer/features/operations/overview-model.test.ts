import { expect, test } from 'vitest';
import { spendText, tilesOf } from './overview-model.ts';

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

const spend = {
  ...{ window: '7d', total_cost_usd: 1.5, currency: 'USD', counted: 12, scanned: 12, total: 12 },
  ...{ truncated: false, priced: true, approximate: true },
};

test('money says that it is approximate, and of how many runs it is (OD-138)', () => {
  expect(spendText(spend)).toEqual({
    sum: '≈ 1.5 USD',
    coverage: '12 runs, by one blended price',
  });
  expect(spendText({ ...spend, counted: 1000, total: 4200, truncated: true }).coverage).toBe(
    '1,000 of 4,200 runs: the newest only, by one blended price',
  );
});

test('without a price there is a dash, never a zero (OD-138)', () => {
  const unpriced = { ...spend, priced: false, approximate: false, total_cost_usd: null };
  expect(spendText(unpriced)).toEqual({ sum: '–', coverage: 'No price is set. 12 runs' });
});
