// Calls of models and tools as lines of the waterfall.
import { expect, test } from 'vitest';
import type { TraceEvent } from '../../../server/contract/dashboard/trace.ts';
import { nodesOf, takenOverOf } from './trace-model.ts';
import { toWaterfall } from './waterfall.ts';

function event(at: number, type: string, span: string, over: Partial<TraceEvent> = {}): TraceEvent {
  return {
    ...{ ts: new Date(1_000_000 + at).toISOString(), type, node: 'draft', duration_ms: 0 },
    ...{ kind: 'llm', input_preview: null, output_preview: null, error: null, offline: false },
    ...{ event_id: `${type}-${span}`, span_id: span, parent_span_id: null },
    ...over,
  };
}

const inside = { parent_span_id: 'a', called: 'm-1' };
const EVENTS = [
  event(0, 'run_started', 'a'),
  event(10, 'model_started', 'm', inside),
  event(400, 'model_failed', 'm', { ...inside, duration_ms: 390, error: 'overloaded' }),
  event(410, 'model_started', 'n', inside),
  event(900, 'model_completed', 'n', {
    ...{ ...inside, duration_ms: 490 },
    tokens: { input: 30, output: 6, total: 36 },
  }),
  event(910, 'tool_started', 't', { ...inside, kind: 'tool', called: 'search' }),
];

test('a call is a line below its agent, with what was called, how long it took and its tokens', () => {
  const { rows } = toWaterfall(EVENTS);
  expect(
    rows.map(({ what, depth, state, durationMs }) => [what, depth, state, durationMs]),
  ).toEqual([
    ['run', 0, 'running', 0],
    ['model m-1', 1, 'failed', 390],
    ['model m-1', 1, 'done', 490],
    ['tool search', 1, 'running', 0],
  ]);
  expect(rows[2]?.tokens).toEqual({ input: 30, output: 6, total: 36 });
});

test('how its calls stand does not say how a node stands', () => {
  expect(nodesOf(toWaterfall(EVENTS).rows)).toEqual({ busy: ['draft'], failed: [] });
  const ended = [...EVENTS.slice(0, -1), event(950, 'run_completed', 'a', { duration_ms: 950 })];
  expect(nodesOf(toWaterfall(ended).rows)).toEqual({ busy: [], failed: [] });
});

test('a take-over is told, and ends the calls of the worker that is gone', () => {
  const taken = event(2_000, 'run_recovered', 'r', { span_id: null });
  const again = event(2_010, 'tool_started', 't', {
    ...{ ...inside, kind: 'tool', called: 'search' },
    event_id: 'again',
  });
  const events = [...EVENTS, taken, again];
  const { rows } = toWaterfall(events);
  expect(rows.slice(3).map(({ what, state, durationMs }) => [what, state, durationMs])).toEqual([
    ['tool search', 'failed', 1_090],
    ['taken over after its worker stopped answering', 'point', 0],
    ['tool search', 'running', 0],
  ]);
  expect(rows[0]?.state).toBe('running');
  expect(takenOverOf(events)).toEqual({ at: taken.ts, times: 1 });
  expect(takenOverOf(EVENTS)).toBeNull();
});
