import { afterAll, describe, expect, it } from 'vitest';
import { callHandler, fieldsOf } from '../../../../test/support/handler-call.ts';
import { createEvaluator } from '../../../expressions/host/create-evaluator.ts';
import type { JsonObject } from '../../../items/item.ts';

const evaluator = createEvaluator({ codeMs: 3_000, memoryMb: 64 });
afterAll(() => evaluator.close());

const PEOPLE = [
  { id: 1, name: 'Ann', at: { city: 'Rome' } },
  { id: 2, name: 'Bob' },
  { id: 4, name: 'Dan' },
];
const VISITS = [
  { who: 1, days: 3 },
  { who: 1, days: 4 },
  { who: 2, days: null },
];

function query(text: string, inputs: readonly (readonly JsonObject[])[] = [PEOPLE, VISITS]) {
  return callHandler(evaluator, {
    type: 'merge',
    version: 3.2,
    parameters: { mode: 'combineBySql', query: text, numberInputs: inputs.length },
    inputs: inputs.map((rows) => rows.map((json) => ({ json }))),
  });
}

async function rows(text: string, inputs?: readonly (readonly JsonObject[])[]) {
  return fieldsOf(await query(text, inputs))[0];
}

describe('Merge by a query', () => {
  it.each([
    ['SELECT * FROM input1 WHERE id > 1 ORDER BY name DESC', [PEOPLE[2], PEOPLE[1]]],
    ['SELECT at->city AS city FROM input1 WHERE id = 1', [{ city: 'Rome' }]],
    [
      'SELECT p.name, v.days FROM input1 p JOIN input2 v ON p.id = v.who WHERE v.days > 3',
      [{ name: 'Ann', days: 4 }],
    ],
    [
      'SELECT who, COUNT(*) AS n, SUM(days) AS days FROM input2 GROUP BY who',
      [
        { who: 1, n: 2, days: 7 },
        { who: 2, n: 1 },
      ],
    ],
    ['SELECT DISTINCT who FROM input2', [{ who: 1 }, { who: 2 }]],
    [
      'SELECT name FROM input1 WHERE id IN (SELECT who FROM input2)',
      [{ name: 'Ann' }, { name: 'Bob' }],
    ],
    [
      'SELECT id FROM input1 UNION ALL SELECT who AS id FROM input2 WHERE days = 3',
      [{ id: 1 }, { id: 2 }, { id: 4 }, { id: 1 }],
    ],
    ['SELECT * FROM input1 WHERE id = 9', []],
  ])('%s', async (text, expected) => {
    expect(await rows(text)).toEqual(expected);
  });

  it('reads as many inputs as there are, also one without items', async () => {
    expect(await rows('SELECT * FROM input3', [[], [], [{ a: 1 }]])).toEqual([{ a: 1 }]);
    expect(await rows('SELECT * FROM input1', [[], PEOPLE])).toEqual([]);
  });

  it('pairs a row with the items that it is made of, where it is made of one of each', async () => {
    const joined = await query(
      'SELECT p.name, v.days FROM input1 AS p LEFT JOIN input2 AS v ON p.id = v.who',
    );
    expect(joined.outputs[0]?.map(({ pairedItem }) => pairedItem)).toEqual([
      [{ item: 0 }, { item: 0, input: 1 }],
      [{ item: 0 }, { item: 1, input: 1 }],
      [{ item: 1 }, { item: 2, input: 1 }],
      [{ item: 2 }],
    ]);
    const counted = await query('SELECT COUNT(*) AS n FROM input1');
    expect(counted.outputs).toEqual([[{ json: { n: 3 }, pairedItem: null }]]);
  });

  it.each([
    ['SELEC * FROM input1', 'Parse error'],
    ['SELECT * FROM input7', 'input7'],
    ['', 'one statement'],
    ['SELECT 1; SELECT 2', 'one statement'],
    ['UPDATE input1 SET id = 5', 'no rows'],
    ["SELECT * FROM CSV('/etc/passwd')", 'no rows'],
    ["SELECT * INTO CSV('/tmp/x.csv') FROM input1", ''],
  ])('fails in words: %s', async (text, words) => {
    await expect(query(text)).rejects.toThrow(words);
  });

  it('sees nothing of the program, whatever functions it makes', async () => {
    const looks =
      "SELECT JAVASCRIPT('typeof process + typeof require + typeof fetch + typeof askTheHost') AS a FROM input1";
    const found = await rows(looks).catch((error: Error) => error.message);
    expect(JSON.stringify(found)).not.toMatch(/"(object|function)/);
    const made = '``function () { return typeof process + typeof require + typeof askTheHost }``';
    await query(`CREATE FUNCTION look AS ${made}`).catch(() => undefined);
    const seen = await rows('SELECT look() AS a FROM input1 WHERE id = 1').catch(() => 'refused');
    expect([[{ a: 'undefinedundefinedundefined' }], 'refused']).toContainEqual(seen);
  });

  it('is ended where it takes too long or too much, and the next one is well', async () => {
    const many = Array.from({ length: 3_000 }, (_, id) => ({ id, text: 'x'.repeat(100) }));
    const each = query('SELECT a.id, b.id AS o, a.text FROM input1 a, input2 b', [many, many]);
    await expect(each).rejects.toMatchObject({
      code: expect.stringMatching(/timeout|out_of_memory/),
    });
    expect(await rows('SELECT name FROM input1 WHERE id = 1')).toEqual([{ name: 'Ann' }]);
  }, 30_000);
});
