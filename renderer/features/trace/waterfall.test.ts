import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { TraceEvent } from '../../../server/contract/dashboard/trace.ts';
import { createWaterfalls, toWaterfall } from './waterfall.ts';

const TYPES = [
  'workflow_started',
  'run_started',
  'run_completed',
  'run_failed',
  'workflow_resumed',
  'human_intervention_requested',
  'tool_called',
  'run_recovered',
];
const span = fc.option(fc.constantFrom('a', 'b', 'c', 'd', 'e'));

/** Any events at all, their times in the order of their writing. */
const traces = fc
  .array(fc.record({ type: fc.constantFrom(...TYPES), span, parent: span }), {
    minLength: 20,
    maxLength: 60,
    size: 'max',
  })
  .map((drawn) =>
    drawn.map(
      ({ type, span: span_id, parent: parent_span_id }, at): TraceEvent => ({
        ...{ ts: new Date(1_000_000 + at * 10).toISOString(), type, node: span_id ?? '' },
        ...{ duration_ms: 0, kind: 'node', input_preview: null, output_preview: null },
        ...{ error: null, event_id: `e${at}`, span_id, parent_span_id, offline: false },
        ...(type === 'run_started' && at % 2 === 0 ? { called: 'm' } : {}),
      }),
    ),
  );

test('a trace that comes in parts is drawn as the whole of it', () => {
  fc.assert(
    fc.property(traces, fc.array(fc.nat(60)), fc.boolean(), (events, cuts, over) => {
      const draw = createWaterfalls();
      for (const cut of cuts.toSorted((a, b) => a - b)) {
        expect(draw(events.slice(0, cut))).toEqual(toWaterfall(events.slice(0, cut)));
      }
      expect(draw(events, over)).toEqual(toWaterfall(events, over));
      // Held still at an earlier moment, and let go again.
      expect(draw(events.slice(0, 5))).toEqual(toWaterfall(events.slice(0, 5)));
      expect(draw(events)).toEqual(toWaterfall(events));
    }),
  );
});

test('what no event has changed is the same line as before', () => {
  const [trace = []] = fc.sample(traces, { numRuns: 1, seed: 7 });
  const draw = createWaterfalls();
  const before = draw(trace.slice(0, 18)).rows;
  const tool = { ...(trace[0] as TraceEvent), type: 'tool_called', span_id: null };
  const after = draw([...trace.slice(0, 18), tool]).rows;
  expect(after).toHaveLength(before.length + 1);
  expect(before.every((row, at) => row === after[at])).toBe(true);
});
