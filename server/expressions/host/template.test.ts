import { afterAll, describe, expect, it } from 'vitest';
import { stepWith } from '../../../test/support/expressions.ts';
import { createEvaluator } from './create-evaluator.ts';

const evaluator = createEvaluator();
const short = createEvaluator({ codeMs: 300, evaluateMs: 300 });
afterAll(() => Promise.all([evaluator.close(), short.close()]));

async function rendered(source: string, values: object = {}, by = evaluator): Promise<unknown> {
  const code = { source, mode: 'template', goesOn: false } as const;
  const { answers } = await by.runCode(stepWith([values]), code);
  const [answer] = answers;
  return answer?.kind === 'value' ? answer.value : answer;
}

const VALUES = {
  name: 'Ann <b>',
  list: [1, 2, 'x'],
  rows: [
    { n: 'b', v: 2 },
    { n: 'a', v: 3 },
  ],
  fields: { a: 1, b: [true, null] },
  yes: true,
};

describe('a template of Jinja', () => {
  it.each([
    ['Hi {{ name }}', 'Hi Ann <b>'],
    [
      '{{ list }} {{ fields }} {{ yes }} [{{ missing }}]',
      "[1, 2, 'x'] {'a': 1, 'b': [True, None]} True []",
    ],
    [
      '{% for r in rows %}{{ loop.index }}{{ r.n }}{% if not loop.last %},{% endif %}{% endfor %}',
      '1b,2a',
    ],
    ['{{ rows | sum(attribute="v") }} {{ 2.5 | round }} {{ 2.345 | round(1) }}', '5 2 2.3'],
    ['{{ missing | default("x") }}{{ missing | d("y") }} {{ list | count }}', 'xy 3'],
    ['{{ 10 / 2 }} {{ 7 // 2 }} {{ 7 % 3 }} {{ "a" ~ 1 }}', '5.0 3 1 a1'],
    [
      '{% set x = namespace(c=0) %}{% for i in range(3) %}{% set x.c = x.c + i %}{% endfor %}{{ x.c }}',
      '3',
    ],
    ['{% for k, v in fields.items() %}{{ k }};{% endfor %}{{ name.split(" ")[0] }}', 'a;b;Ann'],
    ['{{ name | e }} {{ name | striptags }} {{ "a b c" | wordcount }}', 'Ann &lt;b&gt; Ann 3'],
    ['{% for g in rows | groupby("n") %}{{ g.grouper }}{{ g.list | length }}{% endfor %}', 'a1b1'],
    [
      '{{ [3, 1, 2] | max }} {{ [3, 1] | min }} {{ "abcdefghijkl mnop" | truncate(5) }}',
      '3 1 ab...',
    ],
    ['{% macro m(a) %}<{{ a }}>{% endmacro %}{{ m(1) }}{{ name if yes else 0 }}', '<1>Ann <b>'],
  ])('%s', async (text, expected) => {
    expect(await rendered(text, VALUES)).toBe(expected);
  });

  it('has no way to a prototype, a constructor or the program', async () => {
    const ways = [
      '{{ "".constructor }}',
      '{{ fields.constructor }}',
      '{{ fields["__proto__"] }}',
      '{{ list.map.constructor }}',
      '{{ fields.__proto__.x }}',
      '{{ range.constructor }}',
      '{{ (1).constructor.constructor("return 1")() }}',
      '{{ cycler.__init__.__globals__.os }}',
      '{{ "".__class__.__mro__ }}',
      '{{ self }}{{ process }}{{ globalThis }}{{ require }}{{ askTheHost }}',
    ];
    for (const way of ways) {
      const given = await rendered(way, { fields: { a: 1 }, list: [] });
      const text = typeof given === 'string' ? given.trim() : '';
      expect([way, text]).toEqual([way, '']);
    }
  });

  it('leaves nothing behind for the next one', async () => {
    await rendered('{% set leak = "x" %}{{ fields.update }}', { fields: {} });
    expect(await rendered('[{{ leak }}]')).toBe('[]');
  });

  it('says what is wrong with it', async () => {
    expect(await rendered('{% if %}')).toMatchObject({ kind: 'threw' });
    expect(await rendered('{{ 1 | nothing }}')).toMatchObject({
      message: expect.stringContaining('nothing'),
    });
  });

  it('ends where it computes longer or holds more than it may', async () => {
    const long =
      '{% for a in range(3000) %}{% for b in range(3000) %}{{ a }}{% endfor %}{% endfor %}';
    await expect(rendered(long, {}, short)).rejects.toMatchObject({ code: 'expression_timeout' });
    expect(await rendered('{{ range(100000000) | length }}')).toMatchObject({ kind: 'threw' });
  });
});
