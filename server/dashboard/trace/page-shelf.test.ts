import { expect, test } from 'vitest';
import { PageShelf, type TracePageRead } from './page-shelf.ts';
import { createTraceChunk } from './trace-chunk.ts';
import { createSpanClock, toTraceEvent } from './trace-view.ts';

const log = {};

/** Answers pages with a preview of so many characters, and counts how often each was read. */
function pages(characters: number, isFull = true) {
  const reads = new Map<number, number>();
  const read = (from: number) => async (): Promise<TracePageRead> => {
    reads.set(from, (reads.get(from) ?? 0) + 1);
    await new Promise((resolve) => setTimeout(resolve, 1));
    const clock = createSpanClock();
    const event = toTraceEvent({ type: 'step', output_preview: 'x'.repeat(characters) }, clock);
    return { chunk: createTraceChunk(from, [event]), clock, isFull };
  };
  return { reads, read };
}

test('readers of one page are given the same, at once and a moment later', async () => {
  const { reads, read } = pages(100);
  const shelf = new PageShelf();
  const [one, two] = await Promise.all([shelf.page(log, 0, read(0)), shelf.page(log, 0, read(0))]);
  expect(two).toBe(one);
  expect(await shelf.page(log, 0, read(0))).toBe(one);
  expect(shelf.kept(log, 0)).toBe(one);
  expect(await shelf.page({}, 0, read(0))).not.toBe(one);
  expect(reads.get(0)).toBe(2);
});

test('a page that a reader holds is shared however much was read since', async () => {
  const { reads, read } = pages(100_000);
  const shelf = new PageShelf();
  const held = await shelf.page(log, 0, read(0));
  for (let from = 1; from < 60; from += 1) await shelf.page(log, from, read(from));
  expect(await shelf.page(log, 0, read(0))).toBe(held);
  expect(reads.get(0)).toBe(1);
});

test('a page that may grow is read anew, and so is one that failed', async () => {
  const { reads, read } = pages(100, false);
  const shelf = new PageShelf();
  await shelf.page(log, 0, read(0));
  await shelf.page(log, 0, read(0));
  expect(reads.get(0)).toBe(2);
  const failing = () => Promise.reject(new Error('the platform is away'));
  await expect(shelf.page(log, 1, failing)).rejects.toThrow('the platform is away');
  expect((await shelf.page(log, 1, read(1))).chunk.from).toBe(1);
});
