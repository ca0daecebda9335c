import { describe, expect, test } from 'vitest';
import { expressionsIn, faultOf, referencesIn } from './expressions.ts';
import { outputsOf } from './step-outputs.ts';

const step = (type: string, version: number, parameters: object = {}, more: object = {}) =>
  JSON.parse(JSON.stringify({ type: `n8n-nodes-base.${type}`, version, parameters, ...more }));
const rules = (count: number) => Array.from({ length: count }, () => ({}));

describe('how many outputs a built-in step has', () => {
  test.each<[string, object, number | undefined]>([
    ['an If', step('if', 2), 2],
    ['one with an output for failed items', step('if', 2, {}, { on_error: 'error_output' }), 3],
    ['a start before three triggers', step('noOp', 1, { triggers: ['a', 'b', 'c'] }), 3],
    ['a step without work', step('noOp', 1), 1],
    ['an old Switch', step('switch', 1, { rules: { rules: rules(9) } }), 4],
    ['a Switch by rules', step('switch', 2, { rules: { rules: rules(2) } }), 2],
    ['a newer one', step('switch', 3.2, { rules: { values: rules(3) } }), 3],
    [
      'with an output for the rest',
      step('switch', 3, { rules: { values: rules(3) }, options: { fallbackOutput: 'extra' } }),
      4,
    ],
    [
      'whose rest is computed',
      step('switch', 3, { rules: { values: rules(3) }, options: { fallbackOutput: '={{ 1 }}' } }),
      undefined,
    ],
    ['by an expression', step('switch', 3, { mode: 'expression', numberOutputs: 7 }), 7],
    ['by one, as many as usual', step('switch', 2, { mode: 'expression' }), 4],
    [
      'by one, computed',
      step('switch', 2, { mode: 'expression', outputsAmount: '={{ 2 }}' }),
      undefined,
    ],
    ['without rules', step('switch', 3), undefined],
    ['without a version', { ...step('switch', 1), version: 'x' }, 4],
    ['a type that nobody knows', step('nothing', 1), undefined],
    ['no type at all', {}, undefined],
  ])('%s', (_what, given, expected) => {
    expect(outputsOf(JSON.parse(JSON.stringify(given)))).toBe(expected);
  });
});

describe('expressions of a template', () => {
  test('those that stand in it, also one that is not closed, but none behind a backslash', () => {
    expect(expressionsIn('a {{ 1 }} \\{{ 2 }} {{ 3')).toEqual([
      { at: 4, body: ' 1 ' },
      { at: 21, body: ' 3' },
    ]);
  });

  test.each([
    ['', null],
    ['$json.a // so\n', null],
    ['$json.a /* so */ ;', null],
    ['$json.a /* open', { at: 8, message: 'Unterminated comment.' }],
    ['await x()', null],
    ['$json.a $json.b', { at: 8, message: 'Something stands behind the expression.' }],
    [`a${' + a'.repeat(6_000)}`, null],
  ])('%j', (body, expected) => {
    expect(faultOf(body)).toEqual(expected);
    expect(faultOf(body)).toEqual(expected);
  });

  test('a text that is none says where', () => {
    expect(faultOf('1 +')).toMatchObject({ at: 3 });
  });

  test('steps are named in three ways and three kinds of quotes', () => {
    const text = `$('A b').x + $node["C"].y + $items(\`D\`) + $("")`;
    expect(referencesIn(text).map(({ name }) => name)).toEqual(['A b', 'C', 'D']);
    for (const { at, name } of referencesIn(text)) {
      expect(text.slice(at, at + name.length)).toBe(name);
    }
  });
});
