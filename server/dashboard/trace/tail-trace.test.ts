import { afterEach, beforeEach, expect, test } from 'vitest';
import { createPlatformClient } from '../../platform-client/client.ts';
import { PageShelf } from './page-shelf.ts';
import { tailTrace } from './tail-trace.ts';
import { TraceLog } from './trace-log.ts';
import type { TraceLogs } from './trace-logs.ts';
import type { TraceSource } from './trace-source.ts';

const platform = createPlatformClient({
  baseUrl: 'http://127.0.0.1:9',
  userAgent: 'test',
  newRequestId: () => 'one',
});
const shelf = new PageShelf();
/** So long that the log keeps its last page only. */
const output_preview = 'x'.repeat(12_000);
let left = new AbortController();
beforeEach(() => {
  left = new AbortController();
});
afterEach(() => left.abort());

/** A trace that grows by hand, and answers that are held back where a test says so. */
function growing(count: number) {
  const state = { count, hold: new Map<number, Promise<void>>(), held: 0, isOver: false };
  const source: TraceSource = {
    platform,
    status: async () => 'running',
    async look(offset, seen) {
      const length = Math.max(0, Math.min(100, state.count - offset));
      const events = Array.from({ length }, (_none, index) => ({
        type: `step-${offset + index + 1}`,
        output_preview,
      }));
      const status = state.isOver ? 'completed' : 'running';
      const look = { total: state.count, window: null, isUnbounded: true, status };
      const hold = seen === null ? state.hold.get(offset) : undefined;
      if (hold !== undefined) state.held += 1;
      await hold;
      return { ...look, events, cursor: String(state.count) };
    },
  };
  return { state, source };
}

/** Readers of one log. */
function readersOf(source: TraceSource, from: number) {
  const log = new TraceLog(source, { shelf, followed: () => 1 }, from);
  const logs: TraceLogs = {
    follow: () => ({ log, leave: () => undefined, drop: () => undefined }),
  };
  const topic = { platform, runId: 'r1', eventType: undefined };
  return (after: number) => {
    const { signal } = left;
    const steps = tailTrace({ logs, topic, after, numbered: true, signal });
    const types: string[] = [];
    return {
      types,
      async until(type: string): Promise<void> {
        for (;;) {
          const { value, done } = await steps.next();
          const text = value !== undefined && 'frames' in value ? value.frames : new Uint8Array();
          for (const [found] of new TextDecoder().decode(text).matchAll(/step-\d+/g)) {
            types.push(found);
          }
          if (done || types.includes(type)) return;
        }
      },
    };
  };
}

const stepsBetween = (after: number, to: number) =>
  Array.from({ length: to - after }, (_none, index) => `step-${after + index + 1}`);

test('who is given a page that was asked for before its events were there misses none', async () => {
  const { state, source } = growing(120);
  const reader = readersOf(source, 0);
  const ahead = reader(0);
  await ahead.until('step-120');
  state.count = 130;
  await ahead.until('step-130');
  const { promise, resolve } = Promise.withResolvers<void>();
  state.hold.set(100, promise);
  const behind = reader(100);
  const first = behind.until('step-130');
  await expect.poll(() => state.held).toBe(1);
  state.count = 400;
  state.isOver = true;
  await ahead.until('step-400');
  const joined = reader(140);
  const second = joined.until('step-400');
  resolve();
  await Promise.all([first, second]);
  expect(behind.types).toEqual(stepsBetween(100, 130));
  expect(joined.types).toEqual(stepsBetween(140, 400));
});

test('who goes on far behind the start is told nothing twice while another begins there', async () => {
  const { source } = growing(300);
  const reader = readersOf(source, 0);
  const [fresh, resumed] = [reader(0), reader(250)];
  await Promise.all([fresh.until('step-300'), resumed.until('step-300')]);
  expect(fresh.types).toEqual(stepsBetween(0, 300));
  expect(resumed.types).toEqual(stepsBetween(250, 300));
});

test('who names a place that the platform no longer has goes on at the end', async () => {
  const { state, source } = growing(20);
  const reader = readersOf(source, 5000);
  const back = reader(5000);
  const told = back.until('step-22');
  await reader(0).until('step-20');
  state.count = 22;
  await told;
  expect(back.types).toEqual(stepsBetween(20, 22));
});
