import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { evaluateOne, runOne, stepWith } from '../../../test/support/expressions.ts';
import { ExpressionFailure } from '../port/limits.ts';
import { createEvaluator } from './create-evaluator.ts';

const LIMITS = { evaluateMs: 400, codeMs: 900, memoryMb: 64, textLength: 20_000_000 };
const evaluator = createEvaluator(LIMITS);
afterAll(() => evaluator.close());

describe('an expression that uses too much fails with a code, and the next one is well', () => {
  it.each([
    ['an endless loop', '{{ (() => { while (true); })() }}', 'expression_timeout'],
    ['a pattern that runs away', '{{ /(a+)+b/.test("a".repeat(60)) }}', 'expression_timeout'],
    [
      'a loop inside of the engine',
      '{{ [].indexOf.call({ length: 2 ** 40 }, 1) }}',
      'expression_timeout',
    ],
    ['a text of 3 GB', '{{ "x".repeat(3_000_000_000) + "y" }}', 'expression_out_of_memory'],
    ['a recursion', '{{ (function f() { return f() + 1 })() }}', 'expression_too_deep'],
    ['a huge result', '{{ "x".repeat(25_000_000) }}', 'expression_output_too_large'],
  ])('%s', async (_, expression, code) => {
    const answer = await evaluateOne(evaluator, expression);
    // A text beyond what the engine can write is an error of JavaScript, which is swallowed.
    expect([{ code }, code === 'expression_out_of_memory' ? undefined : { code }]).toContainEqual(
      answer,
    );
    expect(await evaluateOne(evaluator, '{{ 1 + 1 }}')).toBe(2);
  });
});

describe('code that uses too much fails with a code, and the next one is well', () => {
  it.each([
    ['an endless loop', 'while (true);', ['expression_timeout']],
    ['a promise that nothing settles', 'await new Promise(() => {})', ['expression_timeout']],
    [
      'a timer without end',
      'await new Promise(() => setInterval(() => {}, 10))',
      ['expression_timeout'],
    ],
    ['a recursion', 'function f() { return f() + 1 } return { n: f() }', ['expression_too_deep']],
    [
      'memory without end',
      'const a = []; while (true) a.push(new Array(10_000).fill(a.length))',
      ['expression_out_of_memory', 'expression_timeout'],
    ],
    [
      'a proxy that never answers',
      'return new Proxy({}, { ownKeys() { while (true); } })',
      ['expression_timeout'],
    ],
    [
      'a value nested too deeply',
      'let d = []; for (let i = 0; i < 50_000; i += 1) d = [d]; return { d }',
      ['expression_too_deep', 'expression_timeout'],
    ],
  ])('%s', async (_, source, codes) => {
    const answer = (await runOne(evaluator, source)) as { code: string };
    expect(codes).toContain(answer.code);
    expect(await runOne(evaluator, 'return { n: 1 }')).toMatchObject({ value: { n: 1 } });
  });
});

describe('what code cannot give back is an error of the code', () => {
  it.each([
    ['a value in itself', 'const a = {}; a.a = a; return a'],
    ['a getter that throws', 'return { get a() { throw new Error("no") } }'],
    ['no syntax', 'return {'],
    ['a name that is not there', 'return process.env'],
  ])('%s', async (_, source) => {
    expect(await runOne(evaluator, source)).toMatchObject({ kind: 'threw' });
  });
});

describe('nothing of the program can be reached or changed', () => {
  it.each([
    'return { v: typeof process + typeof require("fs") }',
    'return { v: (await import("node:fs")).readFileSync }',
    'return { v: this.constructor.constructor("return process")().pid }',
    ...['../../kernel/json.ts', '../guest/host.ts', './machine.ts'].map(
      (file) => `return { v: typeof (await import("${import.meta.dirname}/${file}")) }`,
    ),
    'return { v: askTheHost("node", "{}") }',
    'return { v: (await fetch("http://127.0.0.1/")).status }',
  ])('%s', async (source) => {
    expect(await runOne(evaluator, source)).toMatchObject({ kind: 'threw' });
  });

  it('a prototype that code pollutes is that of its own realm and run', async () => {
    await runOne(evaluator, 'Object.prototype.polluted = 1; Array.prototype.map = null; return []');
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect(await evaluateOne(evaluator, '{{ ({}).polluted ?? [1].map(x => x + 1) }}')).toEqual([2]);
    const next = { ...stepWith([{}], 'another run') };
    const code = {
      source: 'return { v: typeof ({}).polluted }',
      mode: 'all',
      goesOn: false,
    } as const;
    const { answers } = await evaluator.runCode(next, code);
    expect(answers).toMatchObject([{ value: { v: 'undefined' } }]);
  });

  it.each([
    'JSON.stringify = () => "{"; return { v: 1 }',
    'JSON.stringify = () => "null"; return { v: 1 }',
    'JSON.stringify = () => "[5]"; return { v: 1 }',
    'Promise.prototype.then = () => {}; await 1; return { v: 1 }',
    'Object.defineProperty(Object.prototype, "kind", { get() { throw 1 } }); return { v: 1 }',
  ])('code that changes what it is answered by harms itself alone: %s', async (source) => {
    const answer = await runOne(evaluator, source);
    expect(JSON.stringify(answer)).toMatch(/expression_|"value"|"threw"/);
    const next = { ...stepWith([{}], `after ${source}`) };
    const code = { source: 'return { v: 1 }', mode: 'all', goesOn: false } as const;
    const { answers } = await evaluator.runCode(next, code);
    expect(answers).toMatchObject([{ value: { v: 1 } }]);
  });

  it('a prototype that data names stays data', async () => {
    const json = JSON.parse('{"__proto__": {"polluted": 1}, "constructor": 2}') as unknown;
    expect(await evaluateOne(evaluator, '{{ $json }}', json)).toEqual(json);
    expect(await evaluateOne(evaluator, '{{ $json.list?.push(1) ?? $json.polluted }}', json)).toBe(
      undefined,
    );
  });
});

describe('much data', () => {
  it('items beyond the limit are refused before anything runs', async () => {
    const step = stepWith([{ text: 'x'.repeat(21_000_000) }]);
    const refused = evaluator.evaluate(step, ['{{ $json.text + 1 }}']);
    await expect(refused).rejects.toThrow(ExpressionFailure);
    await expect(refused).rejects.toMatchObject({ code: 'expression_input_too_large' });
  });

  it('a million items come through or fail with a code', async () => {
    const large = createEvaluator({ memoryMb: 512, evaluateMs: 3_000 });
    const step = stepWith(Array.from({ length: 1_000_000 }, (_, i) => ({ i })));
    try {
      const rows = await large.evaluate(step, ['{{ $json.i }}']);
      expect(rows).toHaveLength(1_000_000);
    } catch (error) {
      expect(error).toBeInstanceOf(ExpressionFailure);
    } finally {
      await large.close();
    }
  }, 60_000);
});

describe('any data, any text', () => {
  it('an item comes out as it went in, halves of pairs included', async () => {
    const anyText = fc.string({ unit: 'binary', maxLength: 20 });
    const half = fc.constantFrom('\ud800', '\udc00', '\u0000', 'a\ud83d', '\u2028');
    const value = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        fc.oneof(anyText, half, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean()),
        fc.constant(null),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(fc.oneof(anyText, half), tie('value'), { maxKeys: 4 }),
      ),
    })).value;
    await fc.assert(
      fc.asyncProperty(value, async (json) => {
        const sent = JSON.parse(JSON.stringify({ json })) as { json: unknown };
        expect(await evaluateOne(evaluator, '{{ [$json.json][0] }}', sent)).toEqual(sent.json);
        expect(
          await evaluateOne(evaluator, '{{ JSON.parse(JSON.stringify($json.json)) }}', sent),
        ).toEqual(sent.json);
      }),
      { numRuns: 60 },
    );
  });

  it.each(['é', '٠', '€', '😀'])('a text of many %s comes out whole', async (sign) => {
    for (const count of [1, 33, 400, 70_000]) {
      const text = sign.repeat(count);
      expect(await evaluateOne(evaluator, '{{ [$json.text][0] }}', { text })).toBe(text);
    }
  });

  it('no text makes anything but a value or an error', async () => {
    const words = fc.constantFrom(
      '{{',
      '}}',
      '$json',
      '.a',
      '?.',
      '(',
      ')',
      '[0]',
      '"',
      "'",
      '`',
      '\\',
      ' ',
      '1',
      '=>',
      'x',
      '${',
      ';',
      '//',
      '/*',
      '.isEmpty()',
      '\ud800',
      '#',
      'await',
      'this',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(words, { maxLength: 12 }), async (parts) => {
        await evaluateOne(evaluator, parts.join(''), { a: [1] });
        await evaluateOne(evaluator, `{{ ${parts.join('')} }}`, { a: [1] });
        expect(await evaluateOne(evaluator, '{{ $json.a.first() }}', { a: [1] })).toBe(1);
      }),
      { numRuns: 80 },
    );
  });
});
