import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { uuidAt } from './ids.ts';

const moments = fc.integer({ min: 0, max: 2 ** 48 - 1 });

describe('ids of the platform (contract/platform.md, ids)', () => {
  test('have the shape of a UUID version 4', () => {
    const shape = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
    fc.assert(fc.property(moments, (at) => shape.test(uuidAt(at, randomUUID()))));
  });

  test('sort by the time they were made', () => {
    fc.assert(
      fc.property(moments, moments, (one, other) => {
        fc.pre(one !== other);
        const [earlier, later] = one < other ? [one, other] : [other, one];
        return uuidAt(earlier, randomUUID()) < uuidAt(later, randomUUID());
      }),
    );
  });

  test('differ within one moment', () => {
    const ids = Array.from({ length: 1000 }, () => uuidAt(1_800_000_000_000, randomUUID()));
    expect(new Set(ids).size).toBe(1000);
  });
});
