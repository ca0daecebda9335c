import { expect, test } from 'vitest';
import { restful } from './rest.ts';

test('what changes is read often, what rests seldom, and again often after a change', () => {
  let now = 0;
  const waitFor = restful<{ n: number; age: string }>(
    ({ n }) => n,
    {},
    () => now,
  );
  const at = (time: number, n: number, queryHash = 'a') => {
    now = time;
    return waitFor({ queryHash, state: { data: { n, age: String(time) } } });
  };
  expect(waitFor({ queryHash: 'a', state: { data: undefined } })).toBe(3_000);
  expect(at(0, 1)).toBe(3_000);
  expect(at(4_000, 1)).toBe(3_000);
  expect(at(10_000, 1)).toBe(5_000);
  expect(at(600_000, 1)).toBe(10_000);
  expect(at(601_000, 2)).toBe(3_000);
  expect(at(601_000, 1, 'b')).toBe(3_000);
  expect(at(614_000, 2)).toBe(6_500);
});

test('however many lists were read, few are remembered', () => {
  let now = 0;
  const waitFor = restful<number>(
    (n) => n,
    {},
    () => now,
  );
  for (let list = 0; list < 100; list += 1) {
    waitFor({ queryHash: String(list), state: { data: 1 } });
  }
  now = 60_000;
  expect(waitFor({ queryHash: '99', state: { data: 1 } })).toBe(10_000);
  expect(waitFor({ queryHash: '0', state: { data: 1 } })).toBe(3_000);
});
