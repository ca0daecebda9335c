// The choice of the next run, driven over random arrivals and ends: limits hold, nobody starves,
// queues take turns, and nothing idles while something may run.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ConcurrencyLimits } from '../execution-limits.ts';
import { fullGroups, type GroupCount, headStart, nextQueue, type QueueGroups } from './next-run.ts';

interface Entry extends QueueGroups {
  readonly id: number;
  readonly rank: number;
}

const QUEUES = ['default', 'bulk', 'urgent'];
const NAMES = [null, 'a', 'b'];
const STEP_SECONDS = 60;

/** A queue in memory that asks the choice, as the store's claim does. */
class Queue {
  readonly limits: ConcurrencyLimits;
  readonly turns = new Map<string, number>();
  readonly executing: Entry[] = [];
  waiting: Entry[] = [];
  #turn = 0;

  constructor(limits: ConcurrencyLimits) {
    this.limits = limits;
  }

  counts(): GroupCount[] {
    return this.executing.map((entry) => ({ ...entry, runs: 1 }));
  }

  heads(): Entry[] {
    const full = fullGroups(this.counts(), this.limits);
    const isFull = (names: readonly string[], name: string | null) =>
      name !== null && names.includes(name);
    const free = this.waiting.filter(
      (entry) =>
        !isFull(full.queues, entry.queue) &&
        !isFull(full.workflows, entry.workflow) &&
        !isFull(full.callers, entry.caller) &&
        !isFull(full.keys, entry.concurrency_key),
    );
    return QUEUES.flatMap((queue) => {
      const [head] = free
        .filter((entry) => entry.queue === queue)
        .sort((a, b) => a.rank - b.rank || a.id - b.id);
      return head === undefined ? [] : [head];
    });
  }

  claim(): Entry | undefined {
    const chosen = nextQueue(this.heads(), this.turns);
    if (chosen === undefined) return undefined;
    this.#turn += 1;
    this.turns.set(chosen.queue, this.#turn);
    this.waiting = this.waiting.filter(({ id }) => id !== chosen.id);
    this.executing.push(chosen);
    return chosen;
  }
}

const limited = fc.oneof(
  fc.constant(new Map<string, number>()),
  fc.integer({ min: 1, max: 3 }).map((most) => new Map([['*', most]])),
  fc.integer({ min: 1, max: 2 }).map(
    (most) =>
      new Map([
        ['a', most],
        ['bulk', most],
      ]),
  ),
);
const limits = fc.record({
  queues: limited,
  workflows: limited,
  callers: limited,
  perKey: fc.integer({ min: 0, max: 2 }),
});
const arrival = fc.record({
  queue: fc.constantFrom(...QUEUES),
  workflow: fc.constantFrom(...NAMES),
  caller: fc.constantFrom(...NAMES),
  concurrency_key: fc.constantFrom(...NAMES),
  priority: fc.integer({ min: -10, max: 10 }),
});

function enter(queue: Queue, given: { priority: number } & QueueGroups, id: number, at: number) {
  const { priority, ...groups } = given;
  queue.waiting.push({ ...groups, id, rank: at - headStart(priority, STEP_SECONDS) });
}

test('no limit is passed, and a claim fails only when everything that waits is at a limit', () => {
  const act = fc.oneof(
    arrival.map((given) => ({ kind: 'arrive' as const, given })),
    fc.constant({ kind: 'claim' as const }),
    fc.nat().map((at) => ({ kind: 'end' as const, at })),
  );
  const run = fc.property(limits, fc.array(act, { maxLength: 120 }), (given, acts) => {
    const queue = new Queue(given);
    for (const [at, each] of acts.entries()) {
      if (each.kind === 'arrive') enter(queue, each.given, at, at);
      else if (each.kind === 'end') {
        queue.executing.splice(each.at % Math.max(1, queue.executing.length), 1);
      } else {
        const hadHead = queue.heads().length > 0;
        expect(queue.claim() !== undefined).toBe(hadHead);
        for (const full of ['queues', 'workflows', 'callers'] as const) {
          const of = { queues: 'queue', workflows: 'workflow', callers: 'caller' } as const;
          for (const [name, most] of given[full]) {
            if (name === '*') continue;
            const own = queue.executing.filter((entry) => entry[of[full]] === name).length;
            expect(own).toBeLessThanOrEqual(most);
          }
        }
        if (given.perKey > 0) {
          for (const key of ['a', 'b']) {
            const own = queue.executing.filter((entry) => entry.concurrency_key === key).length;
            expect(own).toBeLessThanOrEqual(given.perKey);
          }
        }
      }
    }
  });
  fc.assert(run, { numRuns: 300 });
});

test('whatever arrives after it, a run is begun: each one that waits is served in the end', () => {
  const run = fc.property(
    limits,
    arrival,
    fc.array(arrival, { minLength: 1, maxLength: 12 }),
    (given, first, stream) => {
      const queue = new Queue(given);
      enter(queue, { ...first, priority: -10 }, 0, 0);
      // One run arrives each second, and one executes a second: the worst that still keeps up.
      for (let at = 1; at < 6000; at += 1) {
        const next = stream[at % stream.length];
        if (next !== undefined) enter(queue, next, at, at);
        if (queue.claim()?.id === 0) return;
        queue.executing.length = 0;
      }
      expect.fail('the first run was never served');
    },
  );
  fc.assert(run, { numRuns: 25 });
});

test('queues that always have something take turns, however many wait in one of them', () => {
  const queue = new Queue({
    queues: new Map(),
    workflows: new Map(),
    callers: new Map(),
    perKey: 1,
  });
  const none = { workflow: null, caller: null, concurrency_key: null, priority: 0 };
  for (let id = 0; id < 300; id += 1) enter(queue, { ...none, queue: 'bulk' }, id, id);
  enter(queue, { ...none, queue: 'default' }, 1000, 1000);
  enter(queue, { ...none, queue: 'urgent' }, 1001, 1001);
  const served = [queue.claim(), queue.claim(), queue.claim(), queue.claim()];
  expect(served.map((entry) => entry?.queue)).toEqual(['bulk', 'default', 'urgent', 'bulk']);
});
