import { describe, expect, it } from 'vitest';
import { expressionsIn, faultOf, referencesIn } from './expressions.ts';

describe('an expression', () => {
  it.each([
    ['a // why', null],
    ['a // why\n', null],
    ['a /* why */ ;', null],
    ['/* nothing else', 'Unterminated comment.'],
    ['   ', null],
    ['a b', 'Something stands behind the expression.'],
    ['a // why\n b', 'Something stands behind the expression.'],
    ['a +', 'Unexpected token.'],
  ])('%j is told as %j', (body, message) => {
    expect(faultOf(body)?.message ?? null).toBe(message);
  });

  it('that is not closed goes to the end; one behind a backslash is text', () => {
    expect(expressionsIn('a {{ b }} {{ c')).toEqual([
      { at: 4, body: ' b ' },
      { at: 12, body: ' c' },
    ]);
    expect(expressionsIn(String.raw`\{{ a }} {{ b }}`).map(({ body }) => body)).toEqual([' b ']);
  });

  it('that is nested deeper than a parser goes is left to the run', () => {
    expect(faultOf(`${'('.repeat(9_000)}1${')'.repeat(9_000)}`)).toBeNull();
    expect(faultOf(`${'(['.repeat(20)}1 +`)?.message).toBe('Unexpected token.');
    expect(faultOf(`${'x'.repeat(20_001)} y`)).toBeNull();
  });

  it('is told the same however many were read since', () => {
    const before = faultOf('1 +');
    for (let index = 0; index <= 5_000; index += 1) faultOf(`x${index}`);
    expect(faultOf('1 +')).toEqual(before);
    expect(before?.at).toBe(3);
  });
});

it('steps are named in three ways and with three kinds of quotes', () => {
  const text = `$('One').item + $node["Two"].json + $items(\`Three\`)`;
  expect(referencesIn(text).map(({ name, at }) => [name, text.slice(at, at + 3)])).toEqual([
    ['One', 'One'],
    ['Two', 'Two'],
    ['Three', 'Thr'],
  ]);
});
