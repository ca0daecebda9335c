import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { callHandler, fieldsOf } from '../../../test/support/handler-call.ts';
import { createEvaluator } from '../../expressions/host/create-evaluator.ts';
import type { JsonObject } from '../../items/item.ts';
import { StepFailure } from '../handler.ts';

const evaluator = createEvaluator();
afterAll(() => evaluator.close());

async function gives(
  type: string,
  parameters: JsonObject,
  given: readonly JsonObject[],
  version = 1,
): Promise<JsonObject[]> {
  const [first] = fieldsOf(await callHandler(evaluator, { type, version, parameters, given }));
  return first ?? [];
}

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

describe('Remove Duplicates', () => {
  const given = [
    { a: 1, b: { c: 'x' }, n: 1 },
    { a: 1, b: { c: 'y' }, n: 2 },
    { a: 1, b: { c: 'x' }, n: 3 },
  ];
  const here = { operation: 'removeDuplicateInputItems' };

  it.each([
    [{}, [1, 2, 3]],
    [{ compare: 'allFieldsExcept', fieldsToExclude: 'n' }, [1, 2]],
    [{ compare: 'selectedFields', fieldsToCompare: 'a' }, [1]],
    [{ compare: 'selectedFields', fieldsToCompare: 'a, b.c' }, [1, 2]],
  ])('%j', async (parameters, numbers) => {
    for (const version of [1, 1.1, 2]) {
      const unique = await gives('removeDuplicates', { ...here, ...parameters }, given, version);
      expect(unique.map(({ n }) => n)).toEqual(numbers);
    }
  });

  it('gives only what it compared where it is asked to', async () => {
    const options = { removeOtherFields: true };
    const parameters = { compare: 'selectedFields', fieldsToCompare: 'b.c', options };
    expect(await gives('removeDuplicates', parameters, given)).toEqual([
      { b: { c: 'x' } },
      { b: { c: 'y' } },
    ]);
  });

  it.each([
    [[{ k: 1 }, { j: 1 }], 'k', 1, "'k' field is missing"],
    [[{ k: 1 }, { k: '1' }], 'k', 2, "'k' isn't always the same type"],
    [[{ k: 'a' }, { k: null }], 'k', 1, "'k' isn't always the same type"],
    [[{ k: 1 }], ' , ', 1, 'No fields specified'],
  ])('fails for %j', async (rows, fieldsToCompare, version, told) => {
    const parameters = { compare: 'selectedFields', fieldsToCompare };
    await expect(gives('removeDuplicates', parameters, rows, version)).rejects.toThrow(told);
  });

  it('passes over null from version 1.1 on', async () => {
    const rows = [{ k: 'a' }, { k: null }];
    const parameters = { compare: 'selectedFields', fieldsToCompare: 'k' };
    expect(await gives('removeDuplicates', parameters, rows, 1.1)).toEqual(rows);
  });

  it('says that it knows no earlier runs', async () => {
    const parameters = { operation: 'removeItemsSeenInPreviousExecutions' };
    await expect(gives('removeDuplicates', parameters, given, 2)).rejects.toThrow('earlier runs');
  });
});

describe('Summarize', () => {
  const given = [
    { g: 'a b', h: 1, n: 1, s: 'p' },
    { g: 'a b', h: 2, n: 4, s: 'p' },
    { g: 'c', h: 1, n: '9', s: '' },
    { g: 'c', h: 1, n: null },
  ];

  function of(aggregations: readonly string[], more: JsonObject = {}, field = 'n'): JsonObject {
    const values = aggregations.map((aggregation) => ({ aggregation, field }));
    return { fieldsToSummarize: { values }, ...more };
  }

  it('counts what is there, and sums and averages numbers only', async () => {
    const all = ['count', 'countUnique', 'sum', 'average', 'min', 'max'];
    expect(await gives('summarize', of(all), given, 1.1)).toEqual([
      { count_n: 3, unique_count_n: 3, sum_n: 5, average_n: 2.5, min_n: 1, max_n: '9' },
    ]);
    expect(await gives('summarize', of(['average', 'min']), [{ n: 'x' }], 1.1)).toEqual([
      { average_n: null, min_n: 'x' },
    ]);
  });

  it('splits by several fields, one item for each group or all in one', async () => {
    const split = { fieldsToSplitBy: 'g, h' };
    expect(await gives('summarize', of(['sum'], split), given, 1.1)).toEqual([
      { sum_n: 1, g: 'a b', h: 1 },
      { sum_n: 4, g: 'a b', h: 2 },
      { sum_n: 0, g: 'c', h: 1 },
    ]);
    const single = { ...split, options: { outputFormat: 'singleItem' } };
    expect(await gives('summarize', of(['sum'], single), given, 1.1)).toEqual([
      { 'a b': { 1: { sum_n: 1 }, 2: { sum_n: 4 } }, c: { 1: { sum_n: 0 } } },
    ]);
  });

  it('names groups by texts in version 1, and refuses a field that no item has', async () => {
    expect(await gives('summarize', of(['count'], { fieldsToSplitBy: 'g, h' }), given)).toEqual([
      { count_n: 1, g: 'a_b', h: '1' },
      { count_n: 1, g: 'a_b', h: '2' },
      { count_n: 1, g: 'c', h: '1' },
    ]);
    await expect(gives('summarize', of(['sum'], {}, 'zzz'), given)).rejects.toThrow('zzz');
    const going = of(['sum'], { options: { continueIfFieldNotFound: true } }, 'zzz');
    expect(await gives('summarize', going, given)).toEqual([{ sum_zzz: 0 }]);
    await expect(gives('summarize', {}, given, 1.1)).rejects.toThrow('at least one aggregation');
  });
});

describe('Rename Keys', () => {
  function pattern(replacement: JsonObject): JsonObject {
    return { additionalOptions: { regexReplacement: { replacements: [replacement] } } };
  }

  it.each([
    [
      { searchRegex: '^(.)_', replaceRegex: '$1' },
      { ab: 1, in: [{ Ab: 2, ac: 3 }] },
    ],
    [
      { searchRegex: '^a_', replaceRegex: '', options: { caseInsensitive: true } },
      { b: 1, in: [{ b: 2, c: 3 }] },
    ],
    [
      { searchRegex: '^a_', replaceRegex: '', options: { depth: 0 } },
      { b: 1, in: [{ A_b: 2, a_c: 3 }] },
    ],
    [
      { searchRegex: '^a_', replaceRegex: '', options: { depth: 1 } },
      { b: 1, in: [{ A_b: 2, a_c: 3 }] },
    ],
    [
      { searchRegex: '^a_', replaceRegex: '', options: { depth: 2 } },
      { b: 1, in: [{ A_b: 2, c: 3 }] },
    ],
  ])('by a pattern: %j', async (replacement, expected) => {
    const given = [{ a_b: 1, in: [{ A_b: 2, a_c: 3 }] }];
    expect(await gives('renameKeys', pattern(replacement), given)).toEqual([expected]);
  });

  it('reads names for each item, and fails where a pattern is none', async () => {
    const keys = { key: [{ currentKey: '={{ $json.old }}', newKey: 'z' }] };
    const given = [
      { old: 'a', a: 1 },
      { old: 'b', b: 2 },
    ];
    expect(await gives('renameKeys', { keys }, given)).toEqual([
      { old: 'a', z: 1 },
      { old: 'b', z: 2 },
    ]);
    const broken = pattern({ searchRegex: '(', replaceRegex: '' });
    await expect(gives('renameKeys', broken, given)).rejects.toThrow(StepFailure);
  });
});

describe('Item Lists', () => {
  const given = [
    { id: 2, l: [1, 2], k: 'a' },
    { id: 1, l: [3], k: 'a' },
  ];

  it.each([
    [3, { fieldToSplitOut: 'l' }, [{ l: 1 }, { l: 2 }, { l: 3 }]],
    [3.1, { operation: 'concatenateItems', aggregate: 'aggregateAllItemData' }, [{ data: given }]],
    [2, { operation: 'limit' }, [given[0]]],
    [
      2,
      { operation: 'sort', sortFieldsUi: { sortField: [{ fieldName: 'id' }] } },
      given.toReversed(),
    ],
    [
      1,
      {
        operation: 'removeDuplicates',
        compare: 'selectedFields',
        fieldsToCompare: { fields: [{ fieldName: 'k' }] },
      },
      [given[0]],
    ],
    [
      3,
      {
        operation: 'summarize',
        fieldsToSummarize: { values: [{ aggregation: 'sum', field: 'id' }] },
      },
      [{ sum_id: 3 }],
    ],
  ])('version %d: %j', async (version, parameters, expected) => {
    expect(await gives('itemLists', parameters, given, version)).toEqual(expected);
  });

  it.each([
    [1, { fieldToSplitOut: 'zzz' }, "Couldn't find the field 'zzz'"],
    [2.2, { fieldToSplitOut: 'k' }, 'is not an array'],
    [
      2,
      {
        operation: 'aggregateItems',
        fieldsToAggregate: { fieldToAggregate: [{ fieldToAggregate: 'zzz' }] },
      },
      'zzz',
    ],
    [3, { operation: 'nothing' }, 'nothing'],
  ])('version %d fails: %j', async (version, parameters, told) => {
    await expect(gives('itemLists', parameters, given, version)).rejects.toThrow(told);
  });
});
