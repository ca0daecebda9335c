import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { stepWith } from '../../test/support/expressions.ts';
import { createEvaluator } from '../expressions/host/create-evaluator.ts';
import { jsonOf } from '../expressions/port/values.ts';
import { withArguments } from './tool-arguments.ts';

const evaluator = createEvaluator();
afterAll(() => evaluator.close());

async function computed(field: unknown): Promise<unknown> {
  const text = String(field).slice(1);
  const [[value] = []] = await evaluator.evaluate(stepWith([{}]), [text]);
  return value === undefined ? undefined : jsonOf(value);
}

describe('what a model gives to a tool', () => {
  it('stands in place of each call, at any depth', () => {
    const settings = {
      url: "=https://x.test/{{ $fromAI('city', `Name, (of) the city`, 'string') }}",
      list: [{ value: '={{ /* note */ $fromAI("n", "", "number") * 2 }}' }],
      plain: "$fromAI('city')",
      other: '={{ $fromAI(computed) }}{{ $fromAI( }}',
    };
    expect(withArguments(settings, { city: 'Bern', n: 4 })).toEqual({
      url: '=https://x.test/{{ ("Bern") }}',
      list: [{ value: '={{ /* note */ (4) * 2 }}' }],
      plain: "$fromAI('city')",
      other: '={{ $fromAI(computed) }}{{ $fromAI( }}',
    });
  });

  it('is the default where the model gave nothing, and nothing without one', () => {
    const field = "={{ $fromAI('a', '', 'number', 7) }} {{ $fromAI('b') }}";
    expect(withArguments(field, {})).toBe('={{ (7) }} {{ (undefined) }}');
  });

  it('is data: whatever it is, it comes out as it went in', async () => {
    const anything = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }).filter((text) => text.isWellFormed()),
      fc.constantFrom('}}', '{{ 1 }}', '"); throw 1; ("', '\u2028', "\\'"),
      fc.integer(),
      fc.boolean(),
      fc.record({
        a: fc.constantFrom('}}', '{{', '"'),
        b: fc.array(fc.integer(), { maxLength: 3 }),
      }),
    );
    await fc.assert(
      fc.asyncProperty(anything, async (given) => {
        const field = withArguments("={{ $fromAI('x', 'anything') }}", { x: given });
        expect(await computed(field)).toEqual(given);
      }),
      { numRuns: 150 },
    );
  });
});
