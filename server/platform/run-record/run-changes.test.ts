import { expect, test } from 'vitest';
import { createRunChanges, watchMemory } from './run-changes.ts';

const never = new AbortController().signal;
const turn = (ms = 20) => new Promise((resolve) => setTimeout(resolve, ms));

function world(memory = watchMemory()) {
  const asked = { versions: 0, version: 1 };
  let known = 0;
  /** True when it is another one than before. */
  const version = (): boolean => {
    asked.versions += 1;
    const before = known;
    known = asked.version;
    return before !== known;
  };
  const told: (readonly string[])[] = [];
  const changes = createRunChanges({
    memory,
    others: {
      begin: () => version(),
      look: (ids) => (version() ? ids : []),
    },
    tell: (ids) => told.push(ids),
  });
  return { changes, asked, told };
}

test('a write wakes those who watch its run, also one before they began to wait', async () => {
  const { changes } = world();
  const [a, b] = [changes.watch('a'), changes.watch('b')];
  const wait = a?.next(5000, never);
  changes.note('a');
  expect(await wait).toBe(true);
  changes.note('a');
  await turn();
  expect(await a?.next(5000, never)).toBe(true);
  expect(await b?.next(10, never)).toBe(false);
});

test('a leaver and a stop end a wait; nothing is looked for after the last one left', async () => {
  const { changes, asked } = world();
  const [first, second] = [changes.watch('a'), changes.watch('a')];
  const left = new AbortController();
  const wait = first?.next(5000, left.signal);
  left.abort();
  expect(await wait).toBe(false);
  const other = second?.next(5000, never);
  changes.close();
  expect(await other).toBe(false);
  first?.end();
  second?.end();
  const { versions } = asked;
  await turn(600);
  expect(asked.versions).toBe(versions);
  expect(await changes.watch('a')?.next(5000, never)).toBe(false);
});

test('a commit of somebody else wakes all, which is looked for only while somebody watches', async () => {
  const { changes, asked } = world();
  await turn(600);
  expect(asked.versions).toBe(0);
  const watch = changes.watch('a');
  asked.version = 2;
  expect(await watch?.next(5000, never)).toBe(true);
  expect(await watch?.next(700, never)).toBe(false);
  watch?.end();
});

test('another thread is told of a write only while somebody watches its run', async () => {
  const memory = watchMemory();
  const [main, thread] = [world(memory), world(memory)];
  thread.changes.note('a');
  await turn();
  expect(thread.told).toEqual([]);
  const watch = main.changes.watch('a');
  thread.changes.note('a');
  thread.changes.note('b');
  thread.changes.note('a');
  await turn();
  expect(thread.told).toEqual([['a']]);
  watch?.end();
  thread.changes.note('a');
  await turn();
  expect(thread.told).toHaveLength(1);
});
