import { expect, test } from 'vitest';
import {
  createDecisionQueue,
  HOLD_MS,
  type QueueState,
  type TakenDecision,
} from './decision-queue.ts';

/** A service that answers when told to, and a clock that is moved by hand. */
function bench() {
  let now = 1_000_000;
  let keys = 0;
  const timers: { at: number; run: () => void }[] = [];
  const kept = new Map<string, TakenDecision>();
  const sent: string[] = [];
  const refused: string[] = [];
  let answer: 'accept' | 'down' | 'refuse' = 'accept';
  let state: QueueState = { held: null, leaving: [], accepted: new Set() };
  const unsent: number[] = [];
  const queue = createDecisionQueue({
    now: () => now,
    newKey: () => `key-${++keys}`,
    after(ms, run) {
      const timer = { at: now + ms, run };
      timers.push(timer);
      return () => void timers.splice(0, timers.length, ...timers.filter((one) => one !== timer));
    },
    send(decision) {
      sent.push(`${decision.taskId} ${decision.body.decision} ${decision.key}`);
      return answer === 'accept' ? Promise.resolve() : Promise.reject(new Error(answer));
    },
    mayHelp: (error) => (String(error).includes('down') ? 'the services do not answer' : undefined),
    keep: (decision) => void kept.set(decision.key, decision),
    forget: (key) => void kept.delete(key),
    isKept: (key) => kept.has(key),
    onChange(next) {
      state = next;
      unsent.push((next.held === null ? 0 : 1) + next.leaving.length);
    },
    onAccepted: () => undefined,
    onRefused: (decision) => refused.push(decision.taskId),
  });
  return {
    queue,
    kept,
    sent,
    refused,
    unsent,
    state: () => state,
    setAnswer(next: typeof answer) {
      answer = next;
    },
    take: (taskId: string, decision = 'approved') =>
      queue.hold({
        taskId,
        title: decision,
        subject: 'invoice',
        body: { decision },
        connection: null,
      }),
    async pass(ms: number) {
      now += ms;
      for (const timer of timers.filter(({ at }) => at <= now)) {
        timers.splice(timers.indexOf(timer), 1);
        timer.run();
      }
      await Promise.resolve();
      await Promise.resolve();
      await Promise.resolve();
    },
  };
}

test('within its seconds nothing is sent, after them it is', async () => {
  const { take, pass, sent, kept, state } = bench();
  take('t1');
  await pass(HOLD_MS - 1);
  expect(sent).toEqual([]);
  expect(kept.size).toBe(1);
  await pass(1);
  expect(sent).toEqual(['t1 approved key-1']);
  expect(kept.size).toBe(0);
  expect(state()).toMatchObject({ held: null, leaving: [] });
  take('t1', 'rejected');
  expect(state().held).toBeNull();
});

test('between being held and being on its way a decision is never out of sight', async () => {
  const { take, pass, queue, unsent } = bench();
  take('t1');
  queue.flush();
  await pass(0);
  expect(unsent).toEqual([1, 1, 0]);
});

test('undo sends nothing and leaves nothing behind', async () => {
  const { take, pass, queue, sent, kept } = bench();
  take('t1');
  queue.undo();
  await pass(HOLD_MS * 3);
  expect(sent).toEqual([]);
  expect(kept.size).toBe(0);
});

test('the next decision sends the one before; another one on the same task replaces it', async () => {
  const { take, pass, sent } = bench();
  take('t1');
  take('t2');
  await pass(0);
  expect(sent).toEqual(['t1 approved key-1']);
  take('t2', 'rejected');
  await pass(HOLD_MS);
  expect(sent).toEqual(['t1 approved key-1', 't2 rejected key-3']);
});

test('what cannot be sent is kept, said and tried again under the same key', async () => {
  const { take, pass, queue, sent, kept, state, setAnswer } = bench();
  setAnswer('down');
  take('t1');
  queue.flush();
  await pass(0);
  expect(state().leaving).toMatchObject([{ problem: 'the services do not answer' }]);
  expect(kept.size).toBe(1);
  await pass(1_000);
  setAnswer('accept');
  await pass(1_999);
  expect(sent).toHaveLength(2);
  await pass(1);
  expect(new Set(sent)).toEqual(new Set(['t1 approved key-1']));
  expect(sent).toHaveLength(3);
  expect(kept.size).toBe(0);
});

test('a refusal is told once and not repeated', async () => {
  const { take, pass, queue, sent, kept, refused, setAnswer } = bench();
  setAnswer('refuse');
  take('t1');
  queue.flush();
  await pass(60_000);
  expect(sent).toHaveLength(1);
  expect(refused).toEqual(['t1']);
  expect(kept.size).toBe(0);
});

test('a decision given up is not tried again', async () => {
  const { take, pass, queue, sent, state, setAnswer } = bench();
  setAnswer('down');
  take('t1');
  queue.flush();
  await pass(0);
  queue.discard('key-1');
  setAnswer('accept');
  queue.retry();
  await pass(60_000);
  expect(sent).toHaveLength(1);
  expect(state().leaving).toEqual([]);
});

test('the next page sends what the last one kept, unless it was taken back or sent meanwhile', async () => {
  const before = bench();
  before.take('t1');
  before.take('t2');
  const left = [...before.kept.values()];
  const { queue, kept, sent, pass } = bench();
  for (const decision of left) kept.set(decision.key, decision);
  queue.restore(left);
  kept.delete('key-1');
  await pass(HOLD_MS);
  expect(sent).toEqual([]);
  await pass(3_000);
  expect(sent).toEqual(['t2 approved key-2']);
});
