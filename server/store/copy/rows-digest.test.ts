import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { StoredRow, StoredValue } from './copied-table.ts';
import { DigestOfRows } from './rows-digest.ts';

function digest(rows: readonly StoredRow[]) {
  const digest = new DigestOfRows();
  for (const row of rows) digest.add(row);
  return digest.result;
}

const value: fc.Arbitrary<StoredValue> = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.bigInt({ min: -9n, max: 9n }),
  fc.integer({ min: -9, max: 9 }),
  fc.uint8Array({ maxLength: 4 }).map((bytes) => Buffer.from(bytes)),
  fc.constant(null),
);
const rows = fc.array(fc.array(value, { minLength: 2, maxLength: 2 }), { maxLength: 12 });

test('rows have the same checksum in every order, and another one when one of them changes', () => {
  fc.assert(
    fc.property(rows, fc.nat(), value, (given, at, other) => {
      expect(digest([...given].reverse())).toEqual(digest(given));
      const row = given[at % Math.max(given.length, 1)];
      if (row === undefined) return;
      const changed = given.map((one) => (one === row ? [row[0] ?? null, other] : one));
      const isSame = Object.is(row[1], other) || Buffer.isBuffer(other);
      if (!isSame) expect(digest(changed)).not.toEqual(digest(given));
    }),
  );
});

test('a value of another kind, or cut otherwise from its neighbour, is another value', () => {
  const all = [
    ...[
      ['1', ''],
      [1n, ''],
      [1, ''],
      [Buffer.from('1'), ''],
      [null, ''],
      ['', '1'],
    ],
    ...[
      ['ab', 'c'],
      ['a', 'bc'],
      ['', null],
      [null, null],
    ],
  ] as StoredRow[];
  expect(new Set(all.map((row) => digest([row]).checksum)).size).toBe(all.length);
  expect(digest([[0]])).toEqual(digest([[-0]]));
  expect(digest([['x'], ['x']])).not.toEqual(digest([['x']]));
  expect(digest([])).toEqual({ rows: 0, checksum: '0'.repeat(32) });
});
