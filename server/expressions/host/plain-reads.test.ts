import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { stepWith } from '../../../test/support/expressions.ts';
import type { Item, Outputs } from '../../items/item.ts';
import { createReader } from '../../items/reader.ts';
import type { StepContext } from '../port/evaluator.ts';
import { ExpressionFailure } from '../port/limits.ts';
import { jsonOf, type Value } from '../port/values.ts';
import { createEvaluator } from './create-evaluator.ts';
import { readPlainly } from './plain-reads.ts';

const evaluator = createEvaluator();
afterAll(() => evaluator.close());

/** No plain read: a step that has it goes to the interpreter with all of its expressions. */
const NOT_PLAIN = '{{ 1 + 1 }}';
const NAMES = ['first', 'a step', 'aside', 'later', 'nobody', 'Step', 'loose'];

/** A step behind `first` and `a step`; `aside` leads elsewhere, `loose` does not say what it made. */
function stepAfter(jsons: readonly unknown[], earlier: readonly unknown[]): StepContext {
  const plain = stepWith(jsons, 'reads');
  const itemsOf = (list: readonly unknown[], paired: boolean): Item[] =>
    list.map((json, item) => ({ json, ...(paired ? { pairedItem: { item } } : {}) }) as Item);
  const run = (node: string | null, outputs: Outputs) => [
    { sources: node === null ? [] : [{ node, output: 0, run: 0 }], outputs },
  ];
  const source = { node: 'loose', output: 0, run: 0 };
  const reader = createReader({
    shape: {
      nodes: new Map(NAMES.filter((name) => name !== 'nobody').map((name) => [name, {}])),
      connections: [
        { from: 'first', output: 0, to: 'a step', input: 0 },
        { from: 'first', output: 0, to: 'aside', input: 0 },
        { from: 'a step', output: 0, to: 'loose', input: 0 },
        { from: 'loose', output: 0, to: 'Step', input: 0 },
        { from: 'later', output: 0, to: 'Step', input: 0 },
      ],
    },
    record: new Map([
      ['first', run(null, [itemsOf(earlier, false)])],
      ['a step', run('first', [itemsOf(earlier, true)])],
      ['aside', run('first', [itemsOf(earlier, true)])],
      ['loose', run('a step', [itemsOf(jsons, jsons.length % 2 === 0)])],
    ]),
    node: 'Step',
    source,
    itemCount: jsons.length,
  });
  return { ...plain, reader };
}

/** What the interpreter gives. */
async function interpreted(
  step: StepContext,
  expressions: readonly string[],
): Promise<readonly (readonly Value[])[]> {
  const rows = await evaluator.evaluate(step, [...expressions, NOT_PLAIN]);
  return rows.map((row) => row.slice(0, -1));
}

const KEYS = ['a', 'b', 'a b', 'list', '0', '1', 'length', 'toString', 'json', 'name', 'é', ''];
const key = fc.constantFrom(...KEYS);
const number = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, -0, 1e21, 1e-7, 0.1, Number.MAX_SAFE_INTEGER, Number.MAX_VALUE),
);
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.constantFrom('', '\ud800', '\u2028', '__proto__', 'Ünïcode', '2026-01-31T10:20:30.000Z'),
);
const { value, fields } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.oneof(number, text, fc.boolean(), fc.constant(null)),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('fields'),
  ),
  fields: fc.dictionary(
    fc.oneof({ arbitrary: key, weight: 6 }, { arbitrary: text, weight: 1 }),
    tie('value'),
    { maxKeys: 5 },
  ),
}));

const access = fc.oneof(
  key.map((name) => (/^[a-z]\w*$/i.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`)),
  key.map((name) => (/^[a-z]\w*$/i.test(name) ? `?.${name}` : `?.['${name}']`)),
  fc.constantFrom('[0]', '[1]', '[ 7 ]', '.constructor', '["__proto__"]', '[0.5]'),
);
const root = fc.oneof(
  { arbitrary: fc.constant('$json'), weight: 5 },
  fc.constantFrom('$input.item.json', '$input.first().json', '$input.last()', '$input.item'),
  fc
    .tuple(
      fc.constantFrom(...NAMES),
      fc.constantFrom('.item.json', '.first().json', '.last().json', '?.item?.json', '.item'),
    )
    .map(([name, rest]) => `$("${name}")${rest}`),
  fc.constantFrom(...NAMES).map((name) => `$node["${name}"].json`),
  fc.constantFrom('$node.first.json', '$node.nobody?.json'),
);
const read = fc.oneof(
  { arbitrary: fc.tuple(root, fc.array(access, { maxLength: 3 })), weight: 8 },
  { arbitrary: fc.constantFrom('"x"', "'}'", '3', '0.1', 'true', 'null', '1e400'), weight: 1 },
);
const code = fc
  .tuple(fc.constantFrom('', ' ', '\n', '('), read, fc.constantFrom('', ' ', ' ;', '/* it */'))
  .map(([before, what, after]) => {
    const inside = typeof what === 'string' ? what : what[0] + what[1].join('');
    return `{{${before}${inside}${before === '(' ? ')' : ''}${after}}}`;
  });
const template = fc.oneof(
  { arbitrary: code, weight: 3 },
  fc
    .array(fc.oneof(code, text, fc.constantFrom('Hi ', '\\{{ no }}', '}}')), { maxLength: 4 })
    .map((parts) => parts.join('')),
);

describe('expressions that only read give without the interpreter what it gives', () => {
  it('for any fields, any reads and any texts around them', async () => {
    const seen = { plain: 0, all: 0 };
    await fc.assert(
      fc.asyncProperty(
        fc.array(fields, { minLength: 1, maxLength: 3 }),
        fc.array(value, { maxLength: 3 }),
        fc.array(template, { minLength: 1, maxLength: 4 }),
        async (jsons, earlier, expressions) => {
          const step = stepAfter(jsons, earlier);
          seen.all += 1;
          // Each alone, so that one that goes to the interpreter does not take the others with it.
          for (const expression of expressions) {
            const plain = readPlainly(step, [expression]);
            if (plain === null) continue;
            seen.plain += 1;
            expect(plain).toEqual(await interpreted(step, [expression]));
          }
        },
      ),
      { numRuns: 400 },
    );
    expect(seen.plain).toBeGreaterThan(seen.all);
  }, 60_000);
});

const FULL = { a: { b: [1, 'x', null] }, n: 1.5, t: 'text', o: {}, 'a b': true, no: null };

describe('what only reads is read without the interpreter', () => {
  it.each([
    ['{{ $json.a.b[1] }}', 'x'],
    ['{{ $json["a b"] }}', true],
    ['{{ $json.a.b.length }}', 3],
    ['{{ $json.missing.deeper }}', undefined],
    ['{{ $json.no?.deeper }}', undefined],
    [
      'n is {{ $json.n }}, {{ $json.missing }}{{ $json.a.b }}, {{ $json.o }}',
      'n is 1.5, 1,x,, [object Object]',
    ],
    ['{{ $json.a }}', { b: [1, 'x', null] }],
    ['{{ $("first").item.json.n }}', 'of first'],
    ['{{ $node["first"].json.n }}', 'of first'],
    ['a text', 'a text'],
    ['', ''],
  ])('%s', (expression, expected) => {
    const rows = readPlainly(stepAfter([FULL, FULL], [{ n: 'of first' }, {}]), [expression]);
    expect(rows?.[0]?.map(jsonOf)).toEqual([expected]);
  });

  it('with the failures of the source, each in its own place', async () => {
    const step = stepAfter([{}], [{}]);
    const failing = NAMES.map((name) => `a {{ $json.a }} {{ $("${name}").item.json.a }}`);
    const rows = readPlainly(step, failing);
    expect(rows?.flat().filter(({ kind }) => kind === 'failed').length).toBeGreaterThan(3);
    expect(rows).toEqual(await interpreted(step, failing));
  });

  it('for the items that are asked for', () => {
    const step = stepAfter([{ a: 1 }, { a: 2 }, { a: 3 }], []);
    expect(readPlainly(step, ['{{ $json.a }}'], [2, 0])?.flat().map(jsonOf)).toEqual([3, 1]);
  });

  it('and an object that comes out is no part of the item', () => {
    const step = stepAfter([FULL], []);
    const [[value] = []] = readPlainly(step, ['{{ $json.a }}']) ?? [];
    const copy = value === undefined ? undefined : jsonOf(value);
    expect(copy).toEqual(FULL.a);
    expect(copy).not.toBe(FULL.a);
  });

  it('but not by an evaluator that is closed, or for a step that was ended', async () => {
    const closed = createEvaluator();
    await closed.close();
    const step = stepAfter([FULL], []);
    await expect(closed.evaluate(step, ['{{ $json.n }}'])).rejects.toThrow(ExpressionFailure);
    const ended = evaluator.evaluate({ ...step, signal: AbortSignal.abort() }, ['{{ $json.n }}']);
    await expect(ended).rejects.toMatchObject({ code: 'expression_given_up' });
  });
});

describe('the rest is left to the interpreter', () => {
  it.each([
    '{{ $json.t.length }}',
    '{{ $json.t[0] }}',
    '{{ $json.toString }}',
    '{{ $json.a.b.map }}',
    '{{ $json.constructor }}',
    '{{ $json["__proto__"] }}',
    '{{ $json[$json.t] }}',
    '{{ $json.n + 1 }}',
    '{{ $json.a.b.first() }}',
    '{{ $("first").all() }}',
    '{{ $("first").first(1).json }}',
    '{{ $node["first"].binary }}',
    '{{ $json }} {{ $now }}',
    '{{ $json.a b }}',
    '{{ }}',
    `{{ $json${'.a'.repeat(600)} }}`,
  ])('%.40s', (expression) => {
    expect(readPlainly(stepAfter([FULL], [{}]), [expression])).toBeNull();
  });

  it.each([
    ['a date', { d: new Date(0) }],
    ['a number that JSON lacks', { d: Number.NaN }],
    ['minus zero', { d: -0 }],
    ['a hole', { d: [undefined] }, '[0]'],
    [
      'a value in itself',
      (() => {
        const d: unknown[] = [];
        d.push(d);
        return { d };
      })(),
    ],
    ['what writes itself as JSON', { d: { toJSON: () => 1 } }],
  ])('an item with %s', (_, json, path = '') => {
    expect(readPlainly(stepAfter([json], []), [`{{ $json.d${path} }}`])).toBeNull();
  });

  it('much that is read, copied or written', () => {
    const many = stepAfter(
      Array.from({ length: 30_001 }, () => ({})),
      [],
    );
    expect(readPlainly(many, ['{{ $json.a }}'])).toBeNull();
    const long = stepAfter([{ t: 'x'.repeat(400_000), list: ['x'.repeat(1_100_000)] }], []);
    expect(readPlainly(long, ['{{ $json.t }}', '{{ $json.list[0] }}'])).not.toBeNull();
    expect(readPlainly(long, ['{{ $json.t }}{{ $json.t }}{{ $json.t }}'])).toBeNull();
    expect(readPlainly(long, ['{{ $json.list }}'])).toBeNull();
  });

  it('every name that values of the interpreter have by themselves', async () => {
    const inherited = (of: string) => `{{ Object.getOwnPropertyNames(${of}['__pro' + 'to__']) }}`;
    const [row = []] = await evaluator.evaluate(stepAfter([{}], []), [inherited('({})')]);
    const [names] = row.map(jsonOf);
    expect(names).toContain('toString');
    for (const name of names as string[]) expect(name in Object.prototype).toBe(true);
  });
});
