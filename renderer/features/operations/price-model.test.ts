import { expect, test } from 'vitest';
import { priceDraft, priceProblem, pricesOf } from './price-model.ts';

const stored = {
  ...{ blended_per_1k: null, currency: 'EUR', is_default: false, version: 2, budget_per_day: 5 },
  models: [{ model: 'gpt-5', input_per_1k: 2, output_per_1k: 10 }],
};

test('what is stored and not touched is stored again as it was', () => {
  const { blended_per_1k, currency, budget_per_day, models } = stored;
  expect(pricesOf(priceDraft(stored))).toEqual({
    blended_per_1k,
    currency,
    budget_per_day,
    models,
  });
  expect(priceProblem(priceDraft(stored))).toBeUndefined();
});

test('a model needs its name and both prices, once', () => {
  const draft = priceDraft(stored);
  const row = { model: ' gpt-5', input: 1, output: 0 } as const;
  expect(priceProblem({ ...draft, models: [...draft.models, row] })).toContain('two prices');
  expect(priceProblem({ ...draft, models: [{ ...row, output: '' }] })).toContain('both prices');
  expect(priceProblem({ ...draft, models: [{ ...row, model: ' ' }] })).toContain('its name');
});
