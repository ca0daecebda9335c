import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type BulkStep, sumOf, workThrough } from './bulk-work.ts';

const items = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ id: `r${at}`, label: `run ${at}` }));

test('every item ends as done or failed, once, and never more than four are worked at together', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.boolean(), { maxLength: 40 }), async (outcomes) => {
      const steps = new Map<string, BulkStep>();
      const ends: string[] = [];
      let [open, most] = [0, 0];
      await workThrough(
        items(outcomes.length),
        async ({ id }) => {
          open += 1;
          most = Math.max(most, open);
          await Promise.resolve();
          open -= 1;
          if (outcomes[Number(id.slice(1))] === true) {
            throw new Error(`no ${id}`);
          }
          return `ok ${id}`;
        },
        {
          tell: (id, step) => {
            steps.set(id, step);
            if (step.state !== 'busy') {
              ends.push(id);
            }
          },
          messageOf: String,
        },
      );
      expect(most).toBeLessThanOrEqual(4);
      expect(new Set(ends).size).toBe(ends.length);
      const failed = outcomes.filter(Boolean).length;
      expect(sumOf(steps.values())).toEqual({ done: outcomes.length - failed, failed, left: 0 });
    }),
  );
});

test('after it is stopped nothing more is begun, and what was begun ends', async () => {
  const stop = new AbortController();
  const told: string[] = [];
  await workThrough(
    items(20),
    async ({ id }) => {
      stop.abort();
      return id;
    },
    {
      tell: (id, { state }) => told.push(`${id} ${state}`),
      messageOf: String,
      signal: stop.signal,
    },
  );
  expect(told.sort()).toEqual(['r0 busy', 'r0 done']);
});
