import fc from 'fast-check';
import { expect, it } from 'vitest';
import { canonicalJson } from './canonical-json.ts';
import { sameJson } from './same-json.ts';

it('finds the same as two canonical texts do', () => {
  const small = fc.jsonValue({ maxDepth: 2 });
  fc.assert(
    fc.property(small, small, (one, other) => {
      expect(sameJson(one, other)).toBe(canonicalJson(one) === canonicalJson(other));
    }),
  );
});

it('finds every value the same as itself with its keys turned round', () => {
  const turned = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(turned);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([key, part]) => [key, turned(part)]),
    );
  };
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(sameJson(value, turned(value))).toBe(true);
    }),
  );
});

it.each([
  [[1, 2], [2, 1], false],
  [{ a: 1 }, { a: 1, b: null }, false],
  [{ a: 1, b: null }, { a: 1, c: null }, false],
  [{ toString: 1 }, {}, false],
  [{ a: 1 }, { toString: 1 }, false],
  [[], {}, false],
  [null, undefined, false],
  [undefined, undefined, true],
  [0, -0, true],
  ['1', 1, false],
])('%j and %j: %s', (one, other, expected) => {
  expect([sameJson(one, other), sameJson(other, one)]).toEqual([expected, expected]);
});
