import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { callHandler, givesOf } from '../../../test/support/handler-call.ts';
import { createEvaluator } from '../../expressions/host/create-evaluator.ts';
import type { JsonObject } from '../../items/item.ts';
import { StepFailure } from '../handler.ts';

const evaluator = createEvaluator();
afterAll(() => evaluator.close());

const gives = givesOf(evaluator);

const scalar = fc.oneof(fc.integer(), fc.string(), fc.boolean());

describe('Split Out', () => {
  const item = {
    id: 1,
    text: 'p',
    o: { a: 1, b: { c: 2 } },
    none: null,
    lists: [[1, 2], { k: 3 }],
  };

  it.each([
    ['text', {}, [{ text: 'p' }]],
    ['o', {}, [{ o: 1 }, { c: 2 }]],
    ['none', {}, [{ none: null }]],
    ['lists', {}, [{ 0: 1, 1: 2 }, { k: 3 }]],
    ['nope', { include: 'allOtherFields' }, []],
    ['lists', { include: '=' }, [{ lists: [1, 2] }, { lists: { k: 3 } }]],
    [
      'lists, text',
      { options: { destinationFieldName: 'x, y' } },
      [{ x: [1, 2], y: 'p' }, { x: { k: 3 } }],
    ],
    ['o.b', { options: { disableDotNotation: true } }, []],
  ])('%s with %j', async (fieldToSplitOut, more, expected) => {
    expect(await gives('splitOut', { fieldToSplitOut, ...more }, [item])).toEqual(expected);
  });

  it('reads its settings for each item', async () => {
    const given = [
      { field: 'a', a: [1] },
      { field: 'b', b: [2, 3] },
    ];
    const parameters = { fieldToSplitOut: '={{ $json.field }}' };
    expect(await gives('splitOut', parameters, given)).toEqual([{ a: 1 }, { b: 2 }, { b: 3 }]);
  });

  it('takes files apart, and carries them where it is asked to', async () => {
    const binary = { one: { mimeType: 'text/plain' }, two: { mimeType: 'text/html' } };
    const inputs = [[{ json: { id: 1, l: [1] }, binary }]];
    const split = async (fieldToSplitOut: string, options: JsonObject) => {
      const parameters = { fieldToSplitOut, options };
      return (await callHandler(evaluator, { type: 'splitOut', parameters, inputs })).outputs[0];
    };
    const apart = await split('$binary', {});
    expect(apart?.map((one) => Object.keys(one.binary ?? {}))).toEqual([['one'], ['two']]);
    expect(await split('l', { includeBinary: true })).toMatchObject([{ json: { l: 1 }, binary }]);
    expect((await split('l', {}))?.[0]?.binary).toBeUndefined();
  });

  it('is undone by Aggregate', async () => {
    const lists = fc.array(fc.record({ l: fc.array(scalar, { maxLength: 4 }) }), { maxLength: 6 });
    const fields = { fieldsToAggregate: { fieldToAggregate: [{ fieldToAggregate: 'l' }] } };
    await fc.assert(
      fc.asyncProperty(lists, async (given) => {
        const split = await gives('splitOut', { fieldToSplitOut: 'l' }, given);
        expect(await gives('aggregate', fields, split)).toEqual([
          { l: given.flatMap(({ l }) => l) },
        ]);
        const merging = { ...fields, options: { mergeLists: true } };
        expect(await gives('aggregate', merging, given)).toEqual(
          await gives('aggregate', fields, split),
        );
      }),
    );
  });
});

describe('Aggregate', () => {
  const given = [{ n: 1, l: [1, null] }, { n: null, l: [2] }, { l: 3 }];

  function fields(list: readonly JsonObject[], options: JsonObject = {}): JsonObject {
    return { fieldsToAggregate: { fieldToAggregate: list }, options };
  }

  it.each([
    [{}, { n: [1], l: [[1], [2], 3] }],
    [{ mergeLists: true }, { n: [1], l: [1, 2, 3] }],
    [{ keepMissing: true }, { n: [1, null, null], l: [[1, null], [2], 3] }],
    [
      { keepMissing: true, mergeLists: true },
      { n: [1, null, null], l: [1, null, 2, 3] },
    ],
  ])('with %j', async (options, expected) => {
    const two = [{ fieldToAggregate: 'n' }, { fieldToAggregate: 'l' }];
    expect(await gives('aggregate', fields(two, options), given)).toEqual([expected]);
  });

  it('makes objects of new names with dots, and ignores a new name that is not asked for', async () => {
    const named = { fieldToAggregate: 'n', renameField: true, outputFieldName: 'all.n' };
    expect(await gives('aggregate', fields([named]), given)).toEqual([{ all: { n: [1] } }]);
    const hidden = { fieldToAggregate: 'n', outputFieldName: 'x' };
    expect(await gives('aggregate', fields([hidden]), given)).toEqual([{ n: [1] }]);
  });

  it('refuses two fields of one name', async () => {
    const twice = fields([{ fieldToAggregate: 'n' }, { fieldToAggregate: 'n' }]);
    await expect(gives('aggregate', twice, given)).rejects.toThrow('used more than once');
  });

  it('leaves out what has none of the fields', async () => {
    const parameters = {
      aggregate: 'aggregateAllItemData',
      include: 'specifiedFields',
      fieldsToInclude: 'n',
    };
    expect(await gives('aggregate', parameters, given)).toEqual([
      { data: [{ n: 1 }, { n: null }] },
    ]);
  });

  it('gathers files, those of one name under new ones', async () => {
    const file = { mimeType: 'text/plain', fileName: 'a.txt' };
    const other = { mimeType: 'text/plain', fileName: 'b.txt' };
    const inputs = [[file, other, file].map((data) => ({ json: {}, binary: { data } }))];
    const filesOf = async (options: JsonObject) => {
      const parameters = { aggregate: 'aggregateAllItemData', options };
      const { outputs } = await callHandler(evaluator, { type: 'aggregate', parameters, inputs });
      return outputs[0]?.[0]?.binary;
    };
    expect(await filesOf({ includeBinaries: true })).toEqual({
      data: file,
      data_1: other,
      data_2: file,
    });
    const unique = await filesOf({ includeBinaries: true, keepOnlyUnique: true });
    expect(unique).toEqual({ data: file, data_1: other });
  });
});

describe('Sort', () => {
  const rows = fc.array(fc.record({ n: fc.integer({ min: 0, max: 4 }), at: fc.nat() }), {
    minLength: 1,
  });
  const byCode = { type: 'code', code: 'return a.json.n - b.json.n;' };
  const byField = { sortFieldsUi: { sortField: [{ fieldName: 'n' }] } };

  it('by fields and by code gives all items, equal ones as they came', async () => {
    await fc.assert(
      fc.asyncProperty(rows, async (given) => {
        const expected = given.toSorted((one, other) => one.n - other.n);
        expect(await gives('sort', byField, given)).toEqual(expected);
        expect(await gives('sort', byCode, given)).toEqual(expected);
      }),
      { numRuns: 30 },
    );
  });

  it('by chance gives all items, in another order', async () => {
    const given = Array.from({ length: 100 }, (_, n) => ({ n }));
    const shuffled = await gives('sort', { type: 'random' }, given);
    expect(shuffled).not.toEqual(given);
    expect(shuffled.toSorted((one, other) => Number(one['n']) - Number(other['n']))).toEqual(given);
  });

  it.each([
    [{ type: 'code', code: 'a.json.n > 1' }, "doesn't return"],
    [{ type: 'code', code: 'return nope.x;' }, 'nope is not defined [line 1]'],
    [{ sortFieldsUi: { sortField: [{ fieldName: 'zzz' }] } }, "Couldn't find the field 'zzz'"],
    [{}, 'No sorting specified'],
  ])('fails with %j', async (parameters, told) => {
    await expect(gives('sort', parameters, [{ n: 2 }, { n: 1 }])).rejects.toThrow(told);
  });

  it('looks for a field of the whole name before it goes along the dots', async () => {
    const given = [
      { 'o.d': 2, o: { d: 0 } },
      { 'o.d': 1, o: { d: 5 } },
    ];
    const parameters = { sortFieldsUi: { sortField: [{ fieldName: 'o.d' }] } };
    expect(await gives('sort', parameters, given)).toEqual(given.toReversed());
  });
});

describe('Limit', () => {
  it('gives the first and the last, which together are all', async () => {
    const rows = fc.array(fc.record({ at: fc.nat() }), { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(rows, fc.nat({ max: 12 }), async (given, most) => {
        const first = await gives('limit', { maxItems: most }, given);
        const left = Math.max(0, given.length - most);
        const last = await gives('limit', { maxItems: left, keep: 'lastItems' }, given);
        expect([...first, ...last]).toEqual(given);
      }),
    );
  });

  it('takes its number from the first item', async () => {
    const given = [{ n: 2 }, { n: 1 }, { n: 1 }];
    expect(await gives('limit', { maxItems: '={{ $json.n }}' }, given)).toHaveLength(2);
  });

  it('fails where an expression of a setting that it reads fails', async () => {
    const parameters = { maxItems: '={{ $("Nobody").first().json.n }}' };
    await expect(gives('limit', parameters, [{ n: 1 }])).rejects.toThrow(StepFailure);
  });
});
