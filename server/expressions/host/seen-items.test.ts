import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { stepWith } from '../../../test/support/expressions.ts';
import { createEvaluator } from './create-evaluator.ts';
import { seenItems } from './seen-items.ts';

const evaluator = createEvaluator();
afterAll(() => evaluator.close());

const ITEM = { a: 1, 'a b': [1, 2], c: { d: 'x' }, e: null, toString: 'own' };

function fieldsOf(...expressions: string[]): string[] {
  const [item] = seenItems(stepWith([ITEM]).items, expressions);
  return Object.keys(item?.json ?? {});
}

describe('the interpreter is given the fields that expressions name', () => {
  it.each([
    [['{{ $json.a + 1 }}'], ['a']],
    [
      ['{{ $json.c.d.length }}', 'x {{ $json["a b"].first() }}'],
      ['a b', 'c'],
    ],
    [['{{ $json.a ?? $("X").item.json.b }}', '{{ $now.plus(1) }}'], ['a']],
    [['{{ $json?.c?.d.toUpperCase() }}'], ['c']],
    [['{{ [1].map(x => x + $json.a) }}'], ['a']],
    [['{{ $json.missing ? 1 : 2 }}'], []],
    [['{{ 1 + 1 }}'], []],
  ])('%j', (expressions, fields) => {
    expect(fieldsOf(...expressions).toSorted()).toEqual(fields);
  });

  it.each([
    '{{ $json }}',
    '{{ [$json].length }}',
    '{{ ({ $json }).$json.a }}',
    '{{ ({ ...$json }).a }}',
    '{{ $json[$json.c.d] }}',
    '{{ $json.keys() }}',
    '{{ $json?.keys?.() }}',
    '{{ ($json?.keys)() }}',
    '{{ $json.a`x` }}',
    '{{ (({ a }) => a)($json) }}',
    '{{ "a" in $json }}',
    '{{ $input.item.json.a + 1 }}',
    '{{ $data.a + 1 }}',
    '{{ $items().length }}',
    '{{ $item(0).$json.a }}',
    '{{ (function () { return arguments.length })() }}',
    '{{ arguments[0].$json.a }}',
    '{{ $json.a + }}',
    `{{ $json.a + "${'x'.repeat(10_000)}" }}`,
  ])('or all of them where that cannot be told: %.40s', (expression) => {
    expect(fieldsOf('{{ $json.a + 1 }}', expression)).toEqual(Object.keys(ITEM));
  });

  it('and what it gives is the same', async () => {
    const key = fc.constantFrom('.a', '.b', '?.c', '["a b"]', '.toString', '.d', '.length', '[0]');
    const read = fc
      .array(key, { minLength: 1, maxLength: 3 })
      .map((keys) => `$json${keys.join('')}`);
    const own = fc.constantFrom('$json.a', '$json["a b"]', '$json.c.d', '$json.new');
    const expression = fc.oneof(
      read.map((one) => `{{ ${one} + 1 }}`),
      read.map((one) => `{{ ${one}.isEmpty() }}`),
      read.map((one) => `{{ typeof ${one} }}`),
      read.map((one) => `a {{ ${one}?.toString() }}`),
      fc.tuple(read, read).map(([one, two]) => `{{ ${one} || [${two}] }}`),
      fc.tuple(read, read).map(([one, two]) => `{{ ((x) => ({ x, y: ${two} }))(${one}) }}`),
      fc.tuple(own, read).map(([one, two]) => `{{ (${one} = 5) + ${two} }}`),
      read.map((one) => `{{ Object.keys(${one} ?? {}) }}`),
    );
    const json = fc.dictionary(
      fc.constantFrom('a', 'b', 'c', 'a b', 'd', 'length', 'toString', 'z'),
      fc.jsonValue({ maxDepth: 2 }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(json, { minLength: 1, maxLength: 3 }),
        fc.array(expression, { minLength: 1, maxLength: 3 }),
        async (jsons, expressions) => {
          const step = stepWith(jsons);
          const some = await evaluator.evaluate(step, [...expressions, '{{ 1 + 1 }}']);
          // This one names no field, so that the interpreter is given all of them.
          const all = await evaluator.evaluate(step, [...expressions, '{{ [$json].length + 1 }}']);
          expect(some).toEqual(all);
        },
      ),
      { numRuns: 150 },
    );
  });
});
