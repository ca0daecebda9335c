import { expect, test } from 'vitest';
import { ApiError } from './api-error.ts';
import { restful } from './rest.ts';

const FINE = { status: 'success', error: null, errorUpdatedAt: 0, dataUpdatedAt: 1 } as const;
const NONE = { ...FINE, status: 'pending', dataUpdatedAt: 0 } as const;

test('what changes is read often, what rests seldom, and again often after a change', () => {
  let now = 0;
  const waitFor = restful<{ n: number; age: string }>(
    ({ n }) => n,
    {},
    () => now,
  );
  const at = (time: number, n: number, queryHash = 'a') => {
    now = time;
    return waitFor({ queryHash, state: { ...FINE, data: { n, age: String(time) } } });
  };
  expect(waitFor({ queryHash: 'a', state: { ...NONE, data: undefined } })).toBe(3_000);
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
    waitFor({ queryHash: String(list), state: { ...FINE, data: 1 } });
  }
  now = 60_000;
  expect(waitFor({ queryHash: '99', state: { ...FINE, data: 1 } })).toBe(10_000);
  expect(waitFor({ queryHash: '0', state: { ...FINE, data: 1 } })).toBe(3_000);
});

const down = (more: { readonly status?: number; readonly retryAfter?: number } = {}) =>
  new ApiError({
    ...{ status: 504, code: 'upstream_error', message: 'm', requestId: null, details: {} },
    ...{ retryAfter: null, ...more },
  });

test('what failed is read again soon, less often while it goes on, and not before it was said', () => {
  const waitFor = restful<number>((n) => n, { busy: 8_000, rest: 60_000 });
  const query = { queryHash: 'q', state: { ...FINE, data: 1 } };
  const failing = (at: number, error: unknown = down()) => {
    Object.assign(query.state, { status: 'error', error, errorUpdatedAt: at });
    return waitFor(query);
  };
  expect(failing(1_000)).toBe(3_000);
  expect(failing(4_000)).toBe(3_000);
  expect(failing(21_000)).toBe(10_000);
  expect(failing(900_000)).toBe(30_000);
  expect(failing(930_000, down({ retryAfter: 45 }))).toBe(45_000);
  expect(failing(930_000, down({ retryAfter: 86_400 }))).toBe(300_000);
  // An answer ends the row of failures.
  Object.assign(query.state, { status: 'success', error: null, dataUpdatedAt: 940_000 });
  expect(waitFor(query)).toBe(8_000);
  expect(failing(950_000)).toBe(3_000);
  // What only a person can change is not asked for again and again.
  expect(failing(960_000, down({ status: 403 }))).toBe(8_000);
});
