import { afterAll, describe, expect, it } from 'vitest';
import { evaluateOne, stepWith } from '../../../test/support/expressions.ts';
import { createEvaluator } from './create-evaluator.ts';

const evaluator = createEvaluator();
afterAll(() => evaluator.close());

/** Code for a step that is given up after a moment. */
function givenUp(source: string): Promise<unknown> {
  const control = new AbortController();
  setTimeout(() => control.abort(), 300);
  const step = { ...stepWith([{}]), signal: control.signal };
  return evaluator.runCode(step, { source, mode: 'all', goesOn: false });
}

describe('a step that nobody waits for any more', () => {
  it.each([
    ['computes without end', 'while (true);'],
    ['waits without end', 'await new Promise(() => setInterval(() => {}, 10))'],
  ])('%s: it is ended, and those beside and behind it are computed', async (_, source) => {
    await evaluateOne(evaluator, '{{ 1 }}');
    const before = performance.now();
    const ended = expect(givenUp(source)).rejects.toMatchObject({ code: 'expression_given_up' });
    const beside = evaluateOne(evaluator, '{{ 1 + 1 }}');
    await ended;
    expect(await beside).toBe(2);
    expect(await evaluateOne(evaluator, '{{ 1 + 2 }}')).toBe(3);
    // Its own limit would be five minutes.
    expect(performance.now() - before).toBeLessThan(60_000);
  });

  it('is not begun', async () => {
    const step = { ...stepWith([{}]), signal: AbortSignal.abort() };
    const answer = evaluator.evaluate(step, ['{{ 1 }}']);
    await expect(answer).rejects.toMatchObject({ code: 'expression_given_up' });
  });
});
