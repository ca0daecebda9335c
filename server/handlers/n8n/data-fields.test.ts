import { afterAll, describe, expect, it } from 'vitest';
import { givesOf } from '../../../test/support/handler-call.ts';
import { createEvaluator } from '../../expressions/host/create-evaluator.ts';
import type { JsonObject } from '../../items/item.ts';
import { StepFailure } from '../handler.ts';

const evaluator = createEvaluator();
afterAll(() => evaluator.close());

const gives = givesOf(evaluator);

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
