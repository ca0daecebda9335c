import { expect, test } from 'vitest';
import { createFarewell } from './farewell.ts';

test('a window closes at once when it has nothing to send', async () => {
  const asked: object[] = [];
  const farewell = createFarewell<object>((window) => asked.push(window));
  await farewell.settle({});
  expect(asked).toEqual([]);
});

test('a window that has something to send is asked, and waited for', async () => {
  const window = {};
  const farewell = createFarewell<object>((one) =>
    setTimeout(() => farewell.setUnsent(one, false), 5),
  );
  farewell.setUnsent(window, true);
  farewell.setUnsent(window, true);
  await Promise.all([farewell.settle(window), farewell.settle(window)]);
  expect(farewell.hasUnsent(window)).toBe(false);
});

test('a window that never answers is not waited for longer than the limit', async () => {
  const window = {};
  const farewell = createFarewell<object>(() => undefined, 20);
  farewell.setUnsent(window, true);
  await farewell.settle(window);
  expect(farewell.hasUnsent(window)).toBe(false);
});
