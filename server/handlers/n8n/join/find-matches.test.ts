import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Item } from '../../../items/item.ts';
import { findMatches, type Matching } from './find-matches.ts';
import { areEqual, type Equality } from './loose-equality.ts';

const KINDS = ['exact', 'loose', 'loose_with_zero'] as const;
const value = fc.constantFrom(
  ...[undefined, null, '', 0, '0', 1, '1', 2, '2', true, false, 'true', 'false', 'x'],
  ...[[], [1], {}, { a: 1, b: [null] }],
);
const list = fc.array(fc.tuple(value, value), { maxLength: 12 });

function itemsOf(rows: readonly (readonly [unknown, unknown])[]): Item[] {
  return rows.map(([k, l]) => ({ json: { k, l } }));
}

function matching(equality: Equality, firstOnly = false): Matching {
  const pairs = ['k', 'l'].map((field) => ({ field1: field, field2: field }));
  return { pairs, equality, dotted: true, firstOnly };
}

function fits(one: Item | undefined, other: Item, equality: Equality): boolean {
  return ['k', 'l'].every(
    (key) => one?.json[key] !== undefined && areEqual(one.json[key], other.json[key], equality),
  );
}

describe('items of two inputs match', () => {
  it.each([
    ['1', 1, false, true, true],
    [true, 'true', false, true, true],
    [true, 1, false, true, true],
    ['true', '1', false, false, false],
    ['', null, false, true, true],
    [null, [], false, true, true],
    [undefined, '', false, true, true],
    [null, 0, false, false, true],
    [null, '0', false, false, true],
    ['', 0, false, false, false],
    [{ a: 1, b: 2 }, { b: 2, a: 1 }, true, true, true],
    ['2.0', 2, false, false, false],
  ])('%j and %j', (one, other, ...expected) => {
    expect(KINDS.map((kind) => areEqual(one, other, kind))).toEqual(expected);
    expect(KINDS.map((kind) => areEqual(other, one, kind))).toEqual(expected);
  });

  it('exactly where comparing each with each finds it, in their order', () => {
    fc.assert(
      fc.property(
        list,
        list,
        fc.constantFrom(...KINDS),
        fc.boolean(),
        (left, right, kind, first) => {
          const [ones, others] = [itemsOf(left), itemsOf(right)];
          const { matched, unmatched1, matched2 } = findMatches(
            ones,
            others,
            matching(kind, first),
          );
          const expected = ones.flatMap((item, one) => {
            const places = others.flatMap((other, at) => (fits(item, other, kind) ? [at] : []));
            return places.length === 0
              ? []
              : [{ one, others: first ? places.slice(0, 1) : places }];
          });
          expect(matched).toEqual(expected);
          expect([...matched.map(({ one }) => one), ...unmatched1].sort((a, b) => a - b)).toEqual([
            ...ones.keys(),
          ]);
          expect(matched2).toEqual(new Set(expected.flatMap((match) => match.others)));
        },
      ),
    );
  });
});
