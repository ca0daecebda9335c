import { expect, test } from 'vitest';
import type { TraceEvent } from '../../../server/contract/dashboard/trace.ts';
import { axisOf, barOf } from './trace-axis.ts';
import { decidedText, decisionOf, stepRows } from './trace-steps.ts';
import { toWaterfall } from './waterfall.ts';

const at = (second: number) => new Date(Date.UTC(2026, 10, 21, 10, 0, second)).toISOString();
const event = (type: string, second: number, more: Partial<TraceEvent> = {}): TraceEvent => ({
  ts: at(second),
  type,
  node: '',
  duration_ms: 0,
  kind: 'node',
  input_preview: null,
  output_preview: null,
  error: null,
  event_id: `${type}${second}`,
  span_id: null,
  parent_span_id: null,
  offline: false,
  ...more,
});
const events = [
  event('workflow_started', 0, { span_id: 'w1' }),
  event('human_intervention_requested', 2, { kind: 'human', node: 'lead', parent_span_id: 'w1' }),
  event('workflow_resumed', 600, { span_id: 'w2' }),
  event('workflow_completed', 603, { span_id: 'w2' }),
];

test('a wait lasts until the answer and spans the cut of the axis', () => {
  const { rows } = toWaterfall(events, true);
  const wait = rows.find((row) => row.wait);
  expect(wait).toMatchObject({ durationMs: 598_000, state: 'done', node: 'lead' });
  const axis = axisOf(rows);
  expect(axis.cuts).toHaveLength(1);
  expect(wait === undefined ? 0 : barOf(wait, axis).width).toBeGreaterThan(1);
});

test('a wait names who ended it, and how; a decision before it was another one', () => {
  const { rows } = toWaterfall(events, true);
  const decisions = [
    { actor: 'ada', at: at(600), choice: 'Refund' },
    { actor: null, at: at(1), choice: 'early' },
  ];
  const found = rows.map((row) => decisionOf(row, decisions)?.choice);
  expect(found.filter((choice) => choice !== undefined)).toEqual(['Refund']);
  expect(decidedText({ actor: 'ada', at: at(1), choice: 'Refund' })).toBe('ada: Refund');
  expect(decidedText({ actor: 'anonymous', at: at(1), choice: 'x' })).toMatch(/without a name/);
});

test('steps that leave no events have a line from the saved states, in their place', () => {
  const { rows } = toWaterfall(events, true);
  const states = [
    { type: 'run_started', node: '', at: at(0) },
    { type: 'step_completed', node: 'tidy', at: at(1) },
    { type: 'human_pause', node: 'lead', at: at(2) },
    { type: 'step_completed', node: 'lead', at: at(600) },
    { type: 'step_failed', node: 'book', at: at(602) },
  ];
  const all = stepRows(rows, states, new Map([['tidy', 'function']]));
  expect(all.map(({ what, node, durationMs }) => [what, node, durationMs])).toEqual([
    ['workflow', '', 2_000],
    ['function', 'tidy', 1_000],
    ['waits for', 'lead', 598_000],
    ['workflow', '', 3_000],
    ['step', 'book', 2_000],
  ]);
  expect(all.at(-1)).toMatchObject({ state: 'failed' });
});
