import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sameJson } from '../../kernel/same-json.ts';
import { compareValues, sortedPlaces } from './compare-values.ts';

describe('values have the order of the source', () => {
  it.each([
    [null, true, -1],
    ['10', '9', -1],
    [9, '10', -1],
    [1, '1', 1],
    [undefined, 1, 1],
    [1, undefined, 1],
    [{ a: 1, b: 2 }, { b: 2, a: 1 }, 0],
  ])('%j to %j', (one, other, order) => {
    expect(compareValues(one, other)).toBe(order);
    expect(sameJson(one, other)).toBe(order === 0);
  });

  it('sorts by one column after another, and leaves equal items as they came', () => {
    const rows = fc.array(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 3 })));
    fc.assert(
      fc.property(rows, fc.boolean(), (list, descends) => {
        const places = sortedPlaces(list.length, [
          { values: list.map(([first]) => first), descends },
          { values: list.map(([, second]) => second), descends: false },
        ]);
        expect(places.toSorted((one, other) => one - other)).toEqual([...list.keys()]);
        const key = (at = 0): number => {
          const [first, second] = list[at] ?? [0, 0];
          return (descends ? -first : first) * 1e6 + second * 1e4 + at;
        };
        const keys = places.map(key);
        expect(keys).toEqual(keys.toSorted((one, other) => one - other));
      }),
    );
  });
});
