import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { stepWith } from '../../../test/support/expressions.ts';
import type { Item } from '../../items/item.ts';
import { createEvaluator } from './create-evaluator.ts';
import { itemWords } from './item-words.ts';

const evaluator = createEvaluator();
afterAll(() => evaluator.close());

const COUNT = 20;

/** So many items, made alike. */
function alike(make: (at: number) => object, paired = false): Item[] {
  return Array.from({ length: COUNT }, (_, at) => ({
    json: make(at) as Item['json'],
    ...(paired ? { pairedItem: { item: at } } : {}),
  }));
}

async function seenByCode(items: readonly Item[]): Promise<unknown> {
  const code = { source: 'return items', mode: 'all', goesOn: false } as const;
  const step = { ...stepWith([{}], 'shapes'), items };
  const [answer] = (await evaluator.runCode(step, code)).answers;
  return answer?.kind === 'value' ? answer.value : answer;
}

/** What JSON makes of items: with the order of their keys. */
function asJson(items: unknown): string {
  return JSON.stringify(items);
}

const OWN_PROTO = JSON.parse('{"a":1,"__proto__":{"b":2}}') as object;

describe('items come into the interpreter as JSON says them', () => {
  it.each<[string, readonly Item[], 'values' | 'items']>([
    ['numbers and texts', alike((n) => ({ n, name: `n${n}` })), 'values'],
    ['each of the item at its place', alike((n) => ({ n }), true), 'values'],
    [
      'odd names',
      alike((n) => ({ 'a"b': n, 'c\\': 1, '\u2028': 2, 7: 3, constructor: 4, '': 5 })),
      'values',
    ],
    [
      'lists and objects',
      alike((n) => ({ list: [n, [null]], of: { n: { a: undefined } } })),
      'values',
    ],
    [
      'numbers that JSON cannot say',
      alike((n) => ({ n: n % 2 === 0 ? -0 : Number.NaN })),
      'values',
    ],
    ['dates', alike((n) => ({ at: new Date(n) })), 'values'],
    ['a name that objects have already', alike(() => OWN_PROTO), 'items'],
    ['nothing under a name', alike((n) => ({ n, none: n === 7 ? undefined : 1 })), 'items'],
    ['no fields', alike(() => ({})), 'items'],
    ['other fields in one', alike((n) => (n === 7 ? { m: 1 } : { n })), 'items'],
    ['another order in one', alike((n) => (n === 7 ? { b: 1, a: 2 } : { a: 1, b: 2 })), 'items'],
    ['one more in one', alike((n) => (n === 7 ? { a: 1, b: 2 } : { a: 1 })), 'items'],
    ['what says itself how it is written', alike((n) => ({ toJSON: () => ({ n }) })), 'items'],
    [
      'a pairing of another kind in one',
      alike((n) => ({ n }), true).with(7, { json: { n: 7 }, pairedItem: { item: 7, input: 1 } }),
      'items',
    ],
    [
      'a pairing with another item in one',
      alike((n) => ({ n }), true).with(7, { json: { n: 7 }, pairedItem: { item: 8 } }),
      'items',
    ],
    ['a file in one', alike((n) => ({ n })).with(7, { json: { n: 7 }, binary: {} }), 'items'],
  ])('%s', async (_, items, as) => {
    expect(itemWords(items).shape === null ? 'items' : 'values').toBe(as);
    expect(asJson(await seenByCode(items))).toBe(asJson(items));
  });

  it('any items that are alike', async () => {
    const fields = fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 6 });
    const row = fc.array(fc.jsonValue(), { minLength: 6, maxLength: 6 });
    const rows = fc.array(row, { minLength: COUNT, maxLength: COUNT });
    await fc.assert(
      fc.asyncProperty(fields, rows, fc.boolean(), async (names, values, paired) => {
        const items = alike(
          (at) => Object.fromEntries(names.map((name, column) => [name, values[at]?.[column]])),
          paired,
        );
        expect(asJson(await seenByCode(items))).toBe(asJson(items));
      }),
      { numRuns: 50 },
    );
  });

  it('an expression reads the same of them', async () => {
    const step = { ...stepWith([{}], 'shapes'), items: alike((n) => ({ n, of: { n } })) };
    const rows = await evaluator.evaluate(step, ['{{ Math.max($json.n, $json.of.n) + 1 }}']);
    expect(rows).toEqual(step.items.map((_, at) => [{ kind: 'json', value: at + 1 }]));
  });
});
