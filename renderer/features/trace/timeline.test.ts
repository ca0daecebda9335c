import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { TraceEvent } from '../../../server/contract/dashboard/trace.ts';
import { mergeTimeline, timelineRows } from './timeline.ts';
import { filterRows } from './trace-model.ts';
import { toWaterfall } from './waterfall.ts';

const iso = (ms: number): string => new Date(1_000_000 + ms).toISOString();

function traceEvent(type: string, at: number, id: string): TraceEvent {
  return {
    ts: iso(at),
    type,
    node: 'draft',
    duration_ms: 0,
    kind: 'node',
    input_preview: null,
    output_preview: null,
    error: null,
    event_id: id,
    span_id: null,
    parent_span_id: null,
    offline: false,
  };
}

const state = (sequence: number, at: number) => ({
  sequence,
  type: 'step_completed',
  node: 'draft',
  at: iso(at),
});
const audit = (id: string, event_type: string, at: number) => ({
  id,
  event_type,
  run_id: 'r',
  continuation_id: null,
  actor: 'ada',
  operator: null,
  created_at: iso(at),
  metadata: { decision: 'approved' },
});
const operator = (id: string, at: number) => ({
  id,
  operator: 'bo',
  action: 'run.continue',
  environment: null,
  target: 'r',
  outcome: 'error' as const,
  created_at: iso(at),
});
const note = (id: string, at: number) => ({
  id,
  run_id: 'r',
  body: 'The driver is too old.',
  tags: [],
  created_by: 'ada',
  created_at: iso(at),
  updated_at: iso(at),
  version: 1,
});

test('trace, checkpoints, decisions, notes and audit stand in one order of time', () => {
  const { rows } = toWaterfall([traceEvent('guard_checked', 10, 'a'), traceEvent('done', 30, 'b')]);
  const merged = mergeTimeline(
    rows,
    timelineRows({
      states: [state(1, 20), state(2, 30)],
      audit: [audit('2', 'human.decision', 25), audit('1', 'run.created', 0)],
      operators: [operator('9', 40)],
      notes: [note('n', 35)],
    }),
  );
  expect(merged.map(({ id, kind }) => `${kind} ${id}`)).toEqual([
    'audit audit-1',
    'node a',
    'checkpoint checkpoint-1',
    'human audit-2',
    'node b',
    'checkpoint checkpoint-2',
    'note note-n',
    'audit operator-9',
  ]);
  expect(merged.at(-1)?.state).toBe('failed');
  const found = (text: string) =>
    filterRows(merged, { kinds: [], text, node: null, failed: false }).map(({ id }) => id);
  expect(found('too old')).toEqual(['note-n']);
  expect(found('approved')).toEqual(['audit-1', 'audit-2']);
});

const times = fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 30 });

test('every item of every source appears exactly once, and each source keeps its order', () => {
  fc.assert(
    fc.property(times, times, times, times, times, (trace, states, audits, operators, notes) => {
      const { rows } = toWaterfall(trace.map((at, index) => traceEvent('done', at, `t${index}`)));
      const sources = {
        states: states.map((at, index) => state(index + 1, at)),
        audit: audits.map((at, index) => audit(`${index}`, 'run.created', at)),
        operators: operators.map((at, index) => operator(`${index}`, at)),
        notes: notes.map((at, index) => note(`${index}`, at)),
      };
      const beside = timelineRows(sources);
      const merged = mergeTimeline(rows, beside);
      const ids = merged.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids.toSorted()).toEqual(
        [
          ...trace.map((_, index) => `t${index}`),
          ...states.map((_, index) => `checkpoint-${index + 1}`),
          ...audits.map((_, index) => `audit-${index}`),
          ...operators.map((_, index) => `operator-${index}`),
          ...notes.map((_, index) => `note-${index}`),
        ].toSorted(),
      );
      expect(merged.filter(({ item }) => item === undefined)).toEqual(rows);
      expect(merged.filter(({ item }) => item !== undefined)).toEqual(beside);
      // Nothing beside the trace stands before a line that had begun earlier.
      merged.forEach((row, index) => {
        const later = merged.slice(index + 1).filter(({ item }) => item === undefined);
        expect(
          row.item === undefined || later.every(({ start }, at) => at > 0 || start > row.start),
        ).toBe(true);
      });
    }),
  );
});
