import { afterAll, describe, expect, it } from 'vitest';
import { stepWith } from '../../../test/support/expressions.ts';
import { createEvaluator } from './create-evaluator.ts';

const evaluator = createEvaluator({ machines: 2, codeMs: 5_000 });
afterAll(() => evaluator.close());

function codeIn(session: string, source: string, services = {}) {
  const code = { source, mode: 'all', goesOn: false } as const;
  return evaluator.runCode(stepWith([{}], session), code, services);
}

describe('many runs at once', () => {
  it('see nothing of one another, though they take turns in fewer interpreters', async () => {
    const note = 'globalThis.note ??= 0; Object.prototype.n = (Object.prototype.n ?? 0) + 1;';
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        codeIn(
          `run ${at}`,
          `${note} await new Promise(r => setTimeout(r, 5)); return { n: ({}).n }`,
        ),
      ),
    );
    expect(outcomes.map(({ answers }) => answers[0])).toEqual(
      outcomes.map(() => ({ kind: 'value', type: 'object', value: { n: 1 } })),
    );
  });

  it('get their own answers from outside, and an error where there is nobody to ask', async () => {
    const source = 'return { v: await this.helpers.httpRequest({ url: "u" }) }';
    const services = { http_request: async (asked: unknown) => ({ asked }) };
    const { answers } = await codeIn('asking', source, services);
    expect(answers).toMatchObject([{ value: { v: { asked: { url: 'u' } } } }]);
    const { answers: refused } = await codeIn('asking in vain', source);
    expect(refused).toMatchObject([{ kind: 'threw' }]);
  });

  it('go on when one of them costs the thread', async () => {
    const brief = createEvaluator({ evaluateMs: 300, codeMs: 60_000 });
    const endless = brief.evaluate(stepWith([{}], 'bad'), [
      '{{ [].indexOf.call({ length: 2 ** 45 }, 1) }}',
    ]);
    const others = Array.from({ length: 5 }, (_, at) =>
      brief.evaluate(stepWith([{ at }], `good ${at}`), ['{{ $json.at }}']),
    );
    await expect(endless).rejects.toMatchObject({ code: 'expression_timeout' });
    const results = await Promise.all(others);
    expect(results.map((rows) => rows[0])).toEqual(
      results.map((_, at) => [{ kind: 'json', value: at }]),
    );
    await brief.close();
  });
});

describe('code', () => {
  it('writes to the console without changing what it gives', async () => {
    const { answers, log } = await codeIn('log', 'console.log("a", { b: 1 }); return { v: 1 }');
    expect(log).toEqual(['a {"b":1}']);
    expect(answers).toMatchObject([{ value: { v: 1 } }]);
  });

  it('waits for timers one after another, and leaves none behind', async () => {
    const source =
      'const seen = []; await new Promise(r => { const id = setInterval(() => { if (seen.push(1) > 2) { clearInterval(id); r() } }, 1) }); const before = seen.length; await new Promise(r => setTimeout(r, 20)); return { v: before === 3 && seen.length === 3 }';
    const { answers } = await codeIn('timers', source);
    expect(answers).toMatchObject([{ value: { v: true } }]);
  });

  it('may give variables the names of what it is given', async () => {
    const { answers } = await codeIn(
      'names',
      'const items = $input.all(); const $json = 5; return { n: items.length, $json }',
    );
    expect(answers).toMatchObject([{ value: { n: 1, $json: 5 } }]);
  });

  it('finds the names it is given, whatever code before it did with them', async () => {
    const spoils = [
      '$json = 5; left = 1; return { json: $json }',
      'delete globalThis.$input; delete globalThis.items; return {}',
      'Object.defineProperty(globalThis, "$now", { value: 1, configurable: true }); return {}',
      'Object.defineProperty(globalThis, "hidden", { value: 1, configurable: true }); return {}',
      'delete globalThis.escape; this.helpers.left = 1; return {}',
    ];
    const source =
      'return { json: $json, count: $input.all().length, items: items.length, year: $now.year > 2000, left: [typeof left, typeof hidden, typeof this.helpers.left] }';
    for (const [at, spoil] of spoils.entries()) {
      await codeIn('spoilt', spoil);
      const { answers } = await codeIn('spoilt', source);
      const left = ['undefined', 'undefined', 'undefined'];
      expect([at, answers]).toMatchObject([
        at,
        [{ value: { json: {}, count: 1, items: 1, year: true, left } }],
      ]);
    }
  });

  it('reads what it has put in the place of a name it is given', async () => {
    const { answers } = await codeIn(
      'put',
      '$json = { a: 1 }; $execution = 2; return { v: [$json.a, $execution] }',
    );
    expect(answers).toMatchObject([{ value: { v: [1, 2] } }]);
  });

  it('begins anew each time, though it is compiled once', async () => {
    const source =
      'main.count = (main.count ?? 0) + 1; const text = /a/g; text.test("a"); return { v: [main.count, text.lastIndex] }';
    for (let time = 0; time < 3; time += 1) {
      const { answers } = await codeIn('anew', source);
      expect(answers).toMatchObject([{ value: { v: [1, 1] } }]);
    }
  });

  it('fails with its line each time, when it is no JavaScript and when it throws', async () => {
    for (let time = 0; time < 2; time += 1) {
      const { answers } = await codeIn('threw', 'const a = 1;\nconst a = 2;');
      expect(answers).toMatchObject([{ kind: 'threw' }]);
      const { answers: thrown } = await codeIn('threw', '\nnothing.of.it()');
      expect(thrown).toMatchObject([{ kind: 'threw', message: 'nothing is not defined', line: 2 }]);
    }
  });
});
