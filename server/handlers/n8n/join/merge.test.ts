import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { callHandler, fieldsOf } from '../../../../test/support/handler-call.ts';
import { createEvaluator } from '../../../expressions/host/create-evaluator.ts';
import type { Item, JsonObject } from '../../../items/item.ts';
import { StepFailure } from '../../handler.ts';

const evaluator = createEvaluator();
afterAll(() => evaluator.close());

const A = [
  { id: 1, v: 'a1', x: { p: 1 } },
  { id: 2, v: 'a2' },
  { id: 4, v: '' },
];
const B = [
  { id: 1, v: 'b1', x: { q: 2 } },
  { id: 1, v: 'b1b' },
  { id: 2, v: null },
  { id: 3, v: 'b3' },
];

type Input = readonly JsonObject[] | null;

function itemsOf(input: Input): Item[] | null {
  return input?.map((json) => ({ json })) ?? null;
}

async function merged(
  parameters: JsonObject,
  { inputs = [A, B], version = 3.1 }: { inputs?: readonly Input[]; version?: number } = {},
): Promise<JsonObject[] | null | undefined> {
  const given = inputs.map(itemsOf);
  const answer = await callHandler(evaluator, {
    type: 'merge',
    version,
    parameters,
    inputs: given,
  });
  return fieldsOf(answer)[0];
}

function byId(more: JsonObject = {}, options: JsonObject = {}): JsonObject {
  return { mode: 'combine', fieldsToMatchString: 'id', options, ...more };
}

function clash(values: JsonObject): JsonObject {
  return { clashHandling: { values } };
}

const POSITION = { mode: 'combine', combineBy: 'combineByPosition' };

describe('Merge by fields', () => {
  it('keeps everything: pairs, then what is left of either input', async () => {
    expect(await merged(byId({ joinMode: 'keepEverything' }))).toEqual([
      { id: 1, v: 'b1', x: { p: 1, q: 2 } },
      { id: 1, v: 'b1b', x: { p: 1 } },
      { id: 2, v: null },
      { id: 4, v: '' },
      { id: 3, v: 'b3' },
    ]);
  });

  it.each([
    ['the first input', { resolveClash: 'preferInput1' }, { id: 2, v: 'a2' }],
    ['what is not empty', { overrideEmpty: true }, { id: 2, v: 'a2' }],
    ['whole fields', { mergeMode: 'shallowMerge' }, { id: 2, v: null }],
  ])('prefers %s', async (_, values, second) => {
    const [first, , other] = (await merged(byId({}, clash(values)))) ?? [];
    expect(other).toEqual(second);
    const isShallow = values['mergeMode' as keyof typeof values] !== undefined;
    expect(Object.keys((first?.['x'] ?? {}) as object).sort()).toEqual(
      isShallow ? ['q'] : ['p', 'q'],
    );
  });

  it('merges what is inside: lists by index, and a list is never mixed with an object', async () => {
    const one = [{ id: 1, l: [1, { a: 1 }, 3], m: [1], n: { a: 1 }, o: { a: null, b: [] } }];
    const other = [
      { id: 1, l: [2, { b: 2 }], m: { length: 9 }, n: [2], o: { a: { c: 1 }, b: null } },
    ];
    expect(await merged(byId(), { inputs: [one, other] })).toEqual([
      { id: 1, l: [2, { a: 1, b: 2 }, 3], m: [1], n: [2], o: { a: { c: 1 }, b: null } },
    ]);
  });

  it('puts numbers behind all names, also of items that matched none', async () => {
    const parameters = byId({ joinMode: 'keepEverything' }, clash({ resolveClash: 'addSuffix' }));
    expect((await merged(parameters))?.slice(2)).toEqual([
      { id_1: 2, v_1: 'a2', id_2: 2, v_2: null },
      { id_1: 4, v_1: '' },
      { id_2: 3, v_2: 'b3' },
    ]);
  });

  it.each([
    ['keepMatches', null, null],
    ['keepNonMatches', A, B],
    ['keepEverything', A, B],
    ['enrichInput1', A, null],
    ['enrichInput2', null, B],
  ])(
    '%s goes on with one input as far as it has something to give',
    async (joinMode, left, right) => {
      for (const none of [null, []]) {
        expect(await merged(byId({ joinMode }), { inputs: [A, none] })).toEqual(left ?? []);
        expect(await merged(byId({ joinMode }), { inputs: [none, B] })).toEqual(right ?? []);
      }
    },
  );

  it('gives each item of an input once: as matched or as not matched', async () => {
    const rows = fc.array(fc.record({ id: fc.integer({ min: 0, max: 5 }), n: fc.nat() }), {
      minLength: 1,
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(rows, rows, async (one, other) => {
        for (const outputDataFrom of ['input1', 'input2']) {
          const parts = await Promise.all(
            ['keepMatches', 'keepNonMatches'].map((joinMode) =>
              merged(byId({ joinMode, outputDataFrom }), { inputs: [one, other] }),
            ),
          );
          const text = (row: unknown): string => JSON.stringify(row);
          const all = outputDataFrom === 'input1' ? one : other;
          expect(parts.flat().map(text).sort()).toEqual(all.map(text).sort());
        }
      }),
      { numRuns: 50 },
    );
  });

  it('joins 100,000 items with as many, also where few values are many', async () => {
    const many = Array.from({ length: 100_000 }, (_, at) => ({
      id: at,
      flag: at % 2 === 0 ? '1' : 'true',
    }));
    const joined = await merged(byId(), { inputs: [many, many.toReversed()] });
    expect(joined).toHaveLength(100_000);
    const fuzzy = {
      mode: 'combine',
      fieldsToMatchString: 'flag',
      options: { fuzzyCompare: true, multipleMatches: 'first' },
    };
    const texts = many.map(() => ({ flag: '1' }));
    expect(await merged(fuzzy, { inputs: [many, texts] })).toHaveLength(50_000);
  });

  it('fails where the pairs would be too many', async () => {
    const many = Array.from({ length: 1_000 }, () => ({ id: 1 }));
    await expect(merged(byId(), { inputs: [many, many] })).rejects.toThrow('1000000 items');
    const each = { mode: 'combine', combineBy: 'combineAll' };
    await expect(merged(each, { inputs: [many, many] })).rejects.toThrow(StepFailure);
  });

  it.each([
    [{ mode: 'combine', options: {} }, 3.2],
    [{ mode: 'combine', mergeByFields: { values: [{ field1: '', field2: '' }] } }, 2.1],
    [{ mode: 'combine', mergeByFields: { values: [{ field1: 'nope', field2: 'id' }] } }, 2],
  ])('fails without fields to match: %j', async (parameters, version) => {
    await expect(merged(parameters, { version })).rejects.toThrow(StepFailure);
  });
});

describe('Merge by position', () => {
  it('takes any number of inputs, as far as the shortest or the longest goes', async () => {
    const inputs = [A, B, [{ n: 1 }]];
    const three = { ...POSITION, numberInputs: 3 };
    expect(await merged(three, { inputs })).toEqual([{ id: 1, v: 'b1', x: { p: 1, q: 2 }, n: 1 }]);
    const filled = await merged({ ...three, options: { includeUnpaired: true } }, { inputs });
    expect(filled).toHaveLength(4);
    expect(filled?.[3]).toEqual(B[3]);
    const first = { ...three, options: clash({ resolveClash: 'preferInput1' }) };
    expect(await merged(first, { inputs })).toMatchObject([{ v: 'a1', n: 1 }]);
  });

  it('gives nothing when an input has nothing, but for version 2', async () => {
    expect(await merged(POSITION, { inputs: [null, B] })).toEqual([]);
    const old = { mode: 'combine', combinationMode: 'mergeByPosition' };
    expect(await merged(old, { inputs: [null, B], version: 2.1 })).toEqual(B);
  });
});

describe('Merge, version 1', () => {
  it.each([
    [{ mode: 'mergeByIndex' }, [1, 1, 2]],
    [{ mode: 'mergeByIndex', join: 'inner' }, [1, 1, 2]],
    [{ mode: 'mergeByIndex', join: 'outer' }, [1, 1, 2, 3]],
    [{ mode: 'mergeByKey', propertyName1: 'id', propertyName2: 'id' }, [1, 2, 4]],
    [{ mode: 'keepKeyMatches', propertyName1: 'id', propertyName2: 'id' }, [1, 2]],
    [{ mode: 'removeKeyMatches', propertyName1: 'id', propertyName2: 'id' }, [4]],
    [{ mode: 'passThrough' }, [1, 2, 4]],
    [{ mode: 'multiplex' }, [1, 1, 2, 3, 1, 1, 2, 3, 1, 1, 2, 3]],
  ])('%j', async (parameters, ids) => {
    const given = await merged(parameters, { version: 1 });
    expect(given?.map(({ id }) => id)).toEqual(ids);
  });

  it.each([
    ['always', ['b', null]],
    ['blank', ['a', null]],
    ['undefined', ['a', '']],
  ])('overwrites %s', async (overwrite, expected) => {
    const inputs = [
      [
        { id: 1, v: 'a' },
        { id: 2, v: '' },
      ],
      [
        { id: '1', v: 'b' },
        { id: 2, v: null },
      ],
    ];
    const parameters = { mode: 'mergeByKey', propertyName1: 'id', propertyName2: 'id', overwrite };
    const given = await merged(parameters, { version: 1, inputs });
    expect(given?.map(({ v }) => v)).toEqual(expected);
  });
});

describe('Merge of whole inputs', () => {
  it.each([
    [{ mode: 'chooseBranch', useDataOfInput: 2 }, 3.1, B],
    [{ mode: 'chooseBranch', output: 'input2' }, 2, B],
    [{ mode: 'chooseBranch', output: 'empty' }, 2, [{}]],
    [{ mode: 'wait' }, 1, [{}]],
  ])('%j', async (parameters, version, expected) => {
    expect(await merged(parameters, { version })).toEqual(expected);
  });

  it('reads expressions with the items of the first input that has some', async () => {
    const parameters = { mode: 'chooseBranch', useDataOfInput: '={{ $json.id + 1 }}' };
    expect(await merged(parameters, { inputs: [null, [{ id: 1 }]] })).toEqual([{ id: 1 }]);
  });

  it('appends what is there', async () => {
    expect(
      await merged({ numberInputs: 4 }, { inputs: [null, [{ b: 1 }], [], [{ d: 1 }]] }),
    ).toEqual([{ b: 1 }, { d: 1 }]);
  });
});
