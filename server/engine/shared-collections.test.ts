import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  append,
  findLastItem,
  itemsFrom,
  itemsOf,
  listLength,
  listOf,
  replaceLast,
} from './append-list.ts';
import { getNamed, setNamed } from './name-map.ts';
import { areBelow, countBelow, deleteSeq, getSeq, seqValues, setSeq } from './seq-map.ts';

test('an append-only list is the same as an array', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.nat(9), { maxLength: 40 }), { maxLength: 8 }),
      fc.nat(120),
      (parts, start) => {
        let list = listOf<number>([]);
        for (const part of parts) {
          const before = JSON.stringify(list);
          const next = append(list, ...part);
          expect(JSON.stringify(list)).toBe(before);
          list = next;
        }
        const flat = parts.flat();
        const from = Math.min(start, flat.length);
        expect(listLength(list)).toBe(flat.length);
        expect(itemsOf(list)).toEqual(flat);
        expect(itemsFrom(list, from)).toEqual(flat.slice(from));
        expect(JSON.stringify(list)).toBe(JSON.stringify(listOf(flat)));
        expect(findLastItem(list, (item) => item === 5)).toBe(flat.findLast((item) => item === 5));
        const at = flat.lastIndexOf(5);
        const changed = itemsOf(
          replaceLast(
            list,
            (item) => item === 5,
            () => 77,
          ),
        );
        expect(changed).toEqual(at === -1 ? flat : flat.with(at, 77));
      },
    ),
    { numRuns: 150 },
  );
});

test('a map of numbers keeps their order and shares nothing that it changes', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(3000), fc.boolean()), { maxLength: 60 }), (moves) => {
      let map = {};
      const known = new Map<number, number>();
      for (const [key, add] of moves) {
        const before = JSON.stringify(map);
        const next = add ? setSeq(map, key, key) : deleteSeq(map, key);
        expect(JSON.stringify(map)).toBe(before);
        map = next;
        if (add) known.set(key, key);
        else known.delete(key);
        expect(getSeq(map, key)).toBe(known.get(key));
        expect(countBelow(map, key)).toBe([...known.keys()].filter((one) => one < key).length);
        expect(areBelow(map, key)).toBe([...known.keys()].every((one) => one < key));
      }
      expect([...seqValues(map)]).toEqual([...known.values()].sort((a, b) => a - b));
      if (known.size === 0) expect(map).toEqual({});
    }),
    { numRuns: 150 },
  );
});

test('a map of names takes any name', () => {
  const names = ['__proto__', 'constructor', '', 'é', 'toString', ...Array(50).keys()].map(String);
  let map = {};
  for (const name of names) map = setNamed(map, name, name.length);
  expect(names.map((name) => getNamed(map, name))).toEqual(names.map((name) => name.length));
  expect(getNamed(map, 'valueOf')).toBeUndefined();
  expect(JSON.parse(JSON.stringify(map))).toEqual(map);
});
