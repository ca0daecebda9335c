import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../kernel/json.ts';
import { applyDelta, deltaOf, diffObjects } from './json-delta.ts';

const object = fc.dictionary(fc.string(), fc.jsonValue()) as fc.Arbitrary<JsonObject>;

test('a delta applied to the first object gives the second', () => {
  fc.assert(
    fc.property(object, object, (a, b) => {
      const before = JSON.parse(JSON.stringify(a)) as JsonObject;
      const after = JSON.parse(JSON.stringify(b)) as JsonObject;
      const delta = diffObjects(before, after, (_key, value) => value);
      expect(applyDelta(before, JSON.parse(JSON.stringify(delta)))).toEqual(after);
    }),
  );
});

test('the part of a delta for some members does to them what the whole does', () => {
  const named = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), fc.jsonValue());
  const names = fc.subarray(['a', 'b', 'c', 'd']).map((list) => new Set(list));
  const some = (value: JsonObject, kept: ReadonlySet<string>) =>
    Object.fromEntries(Object.entries(value).filter(([name]) => kept.has(name)));
  fc.assert(
    fc.property(named as typeof object, named as typeof object, names, (before, after, kept) => {
      const delta = diffObjects(before, after, (_key, value) => value);
      const whole = applyDelta(before, delta);
      expect(applyDelta(some(before, kept), deltaOf(delta, kept))).toEqual(some(whole, kept));
    }),
  );
});

test('a list that grows costs what was added', () => {
  const delta = diffObjects({ visited: ['a', 'b'] }, { visited: ['a', 'b', 'c'] }, (_k, v) => v);
  expect(delta).toEqual({ list: { visited: { keep: 2, tail: ['c'] } } });
});

test('what a delta keeps is masked', () => {
  const delta = diffObjects({}, { token: 'abc', n: 1 }, (key, value) =>
    key === 'token' ? '[REDACTED]' : value,
  );
  expect(delta).toEqual({ set: { token: '[REDACTED]', n: 1 } });
});
