import { expect, it } from 'vitest';
import { createRequestQueue } from './request-queue.ts';

function setUp() {
  const asked: string[] = [];
  const open: ((answer: string) => void)[] = [];
  const queue = createRequestQueue((request: string) => {
    asked.push(request);
    return new Promise<string>((resolve) => {
      open.push(resolve);
    });
  });
  const answer = async (): Promise<void> => {
    open.shift()?.(`to ${asked.at(-1) ?? ''}`);
    await Promise.resolve();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { asked, queue, answer };
}

it('asks one question at a time, in order', async () => {
  const { asked, queue, answer } = setUp();
  const first = queue.ask('a');
  const second = queue.ask('b');
  expect(asked).toEqual(['a']);
  await answer();
  expect(asked).toEqual(['a', 'b']);
  await answer();
  expect(await Promise.all([first, second])).toEqual(['to a', 'to b']);
});

it('never asks what was given up or superseded while it waited', async () => {
  const { asked, queue, answer } = setUp();
  const gone = new AbortController();
  const first = queue.ask('a');
  const dropped = queue.ask('b', { signal: gone.signal });
  const older = queue.ask('c1', { key: 'c' });
  const newer = queue.ask('c2', { key: 'c' });
  gone.abort();
  await answer();
  await answer();
  expect(asked).toEqual(['a', 'c2']);
  expect(await Promise.all([first, dropped, older, newer])).toEqual([
    'to a',
    undefined,
    undefined,
    'to c2',
  ]);
});

it('goes on after a failure', async () => {
  const queue = createRequestQueue((request: string) =>
    request === 'bad' ? Promise.reject(new Error('no')) : Promise.resolve(request),
  );
  const bad = queue.ask('bad');
  const good = queue.ask('good');
  await expect(bad).rejects.toThrow('no');
  expect(await good).toBe('good');
});
