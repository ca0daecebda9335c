import { expect, test } from 'vitest';
import { inSlices } from './in-slices.ts';
import { oneByOne } from './time-slices.ts';

/** Turns that the event loop makes until the work is over. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let over = false;
  const turn = (): void => {
    turns += 1;
    if (!over) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  over = true;
  return turns;
}

function busy(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

test('items that take long are made between turns of the event loop, in their order', async () => {
  let made: number[] = [];
  const turns = await turnsDuring(async () => {
    made = await oneByOne([1, 2, 3, 4, 5, 6], (item, index) => {
      busy(10);
      return item * 10 + index;
    });
  });
  expect(made).toEqual([10, 21, 32, 43, 54, 65]);
  expect(turns).toBeGreaterThanOrEqual(5);
  expect(await turnsDuring(() => oneByOne([1, 2, 3], (item) => item))).toBe(0);
});

test('a window is read in slices between turns, in its order', async () => {
  const items = Array.from({ length: 1100 }, (_, index) => index);
  let made: number[] = [];
  const turns = await turnsDuring(async () => {
    made = await inSlices(items, (slice) => slice.filter((item) => item % 2 === 0));
  });
  expect(made).toEqual(items.filter((item) => item % 2 === 0));
  expect(turns).toBeGreaterThanOrEqual(4);
});
