import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { costOf, judge, type KeptBudget, type MonthUse, standingOf } from './judge-budgets.ts';

const name = fc.constantFrom('a', 'b', 'c');
const count = fc.integer({ min: 0, max: 1_000_000 });

const use = fc
  .record({ caller: name, workflow: name, model: name, input: count, cached: count, output: count })
  .map(({ caller, workflow, model, input, cached, output }): MonthUse => {
    return {
      ...{ caller, workflow, model, calls: 1, reasoning_tokens: 0 },
      input_tokens: input,
      cached_input_tokens: Math.min(cached, input),
      output_tokens: output,
      total_tokens: input + output,
    };
  });

const scope = fc.option(name, { nil: null });
const budget = fc.record({
  id: fc.uuid(),
  name: fc.constant('month'),
  key: scope,
  workflow: scope,
  unit: fc.constantFrom('tokens' as const, 'cost' as const),
  amount: fc.integer({ min: 1, max: 3_000_000 }),
  action: fc.constantFrom('stop' as const, 'ask' as const),
  enabled: fc.boolean(),
  updated_at: fc.constant(''),
});

const prices = {
  currency: 'USD',
  prices: [
    { model: 'a', input: 2_000_000, cached_input: 1_000_000, output: 4_000_000 },
    { model: 'b', input: 1_000_000, cached_input: null, output: 1_000_000 },
  ],
};
const owner = fc.record({ caller: name, workflow: name });
const SEVERITY = { within: 0, ask: 1, stop: 2 };

function verdict(budgets: readonly KeptBudget[], month: readonly MonthUse[], of: MonthUse) {
  const standings = budgets.map((each) => standingOf(each, month, prices));
  return judge(standings, of).kind;
}

describe('a verdict', () => {
  test('never gets milder by more use, nor by one budget more', () => {
    fc.assert(
      fc.property(fc.array(budget), fc.array(use), use, budget, (budgets, month, more, other) => {
        const before = SEVERITY[verdict(budgets, month, more)];
        expect(SEVERITY[verdict(budgets, [...month, more], more)]).toBeGreaterThanOrEqual(before);
        expect(SEVERITY[verdict([...budgets, other], month, more)]).toBeGreaterThanOrEqual(before);
      }),
    );
  });

  test('names a budget of the run that is used up, and stops where any of them stops', () => {
    fc.assert(
      fc.property(fc.array(budget), fc.array(use), owner, (budgets, month, run) => {
        const standings = budgets.map((each) => standingOf(each, month, prices));
        const met = standings.filter(
          ({ budget: each, used }) =>
            each.enabled &&
            used >= each.amount &&
            (each.key === null || each.key === run.caller) &&
            (each.workflow === null || each.workflow === run.workflow),
        );
        const found = judge(standings, run);
        if (found.kind === 'within') expect(met).toEqual([]);
        else expect(met).toContain(found.standing);
        const stops = met.some(({ budget: each }) => each.action === 'stop');
        expect(found.kind === 'stop').toBe(stops);
      }),
    );
  });

  test('is not about what other keys and workflows used', () => {
    fc.assert(
      fc.property(fc.array(budget), fc.array(use), (budgets, month) => {
        const own = budgets.map((each) => ({ ...each, key: 'nobody' }));
        const run = { caller: 'nobody', workflow: 'a' };
        const standings = own.map((each) => standingOf(each, month, prices));
        expect(judge(standings, run)).toEqual({ kind: 'within' });
      }),
    );
  });
});

test('what was read from a cache has its own price, and no price is no money', () => {
  const counts = { calls: 1, reasoning_tokens: 0, total_tokens: 7, caller: '', workflow: '' };
  const used = { ...counts, input_tokens: 5, cached_input_tokens: 3, output_tokens: 2 };
  expect(costOf({ ...used, model: 'a' }, prices)).toBe(2 * 2 + 3 * 1 + 2 * 4);
  expect(costOf({ ...used, model: 'b' }, prices)).toBe(5 + 2);
  expect(costOf({ ...used, model: 'c' }, prices)).toBeUndefined();
});
