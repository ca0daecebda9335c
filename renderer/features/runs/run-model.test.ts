import { expect, test } from 'vitest';
import type { RunDetail } from '../../../server/contract/dashboard/runs.ts';
import {
  droppedText,
  rateText,
  rowDuration,
  runDuration,
  stopEffect,
  usageText,
} from './run-model.ts';

const run: RunDetail = {
  run_id: 'r',
  status: 'failed',
  agent_name: 'desk',
  workflow_name: '',
  workflow_kind: 'workflow',
  current_node_id: null,
  current_step_index: null,
  continuation_id: null,
  session_id: null,
  spec_name: null,
  environment: null,
  offline: false,
  trace_event_count: 0,
  output_text: null,
  input_text: null,
  input_redacted: false,
  error: null,
  path: [],
  is_terminal: true,
  trace: [],
  trace_complete: null,
  trace_dropped: null,
  trace_dropped_count: null,
  checkpoints: [{ sequence: 1, type: 'step_failed', node: 'a', age: '1s' }],
  usage: null,
  created_at: '2026-11-21T12:00:00.000000+00:00',
  updated_at: null,
  started_at: null,
  completed_at: '2026-11-21T12:00:05.500000+00:00',
  runtime_mode: null,
};

test('a row and a page mean the same by what a run took: its start to its end', () => {
  const times = { created_at: run.created_at, started_at: '2026-11-21T12:00:02.000000+00:00' };
  const done = { ...times, status: 'completed', completed_at: run.completed_at };
  expect([rowDuration(done), runDuration(done, 0)]).toEqual([3500, 3500]);
  expect(rowDuration({ ...done, status: 'running', completed_at: null })).toBeNull();
});

test('the duration ends with the run, or runs on', () => {
  expect(runDuration(run, 0)).toBe(5500);
  const open = { ...run, completed_at: null };
  expect(runDuration(open, Date.parse('2026-11-21T12:01:00Z'))).toBe(60_000);
  expect(runDuration({ ...open, created_at: null }, 1)).toBeNull();
});

test('stopping says what it ends', () => {
  expect(stopEffect({ ...run, status: 'blocked' })).toMatch(/task disappears/);
  expect(stopEffect({ ...run, status: 'running' })).toMatch(/step in progress/);
});

test('usage names what was reported', () => {
  const usage = { input_tokens: 3, output_tokens: null, total_tokens: 8, cost_usd: 0.1 };
  expect(usageText(run)).toBeUndefined();
  expect(usageText({ ...run, usage: { ...usage, cost_approximate: true, currency: 'USD' } })).toBe(
    '8 tokens, 3 in, about 0.1 USD',
  );
});

test('what of a trace was not kept is counted where the platform counts it', () => {
  expect(droppedText(run)).toBeNull();
  const dropped = { trace_dropped: true, trace_dropped_count: null };
  expect(droppedText(dropped)).toBe('Some later events were not kept');
  expect(droppedText({ ...dropped, trace_dropped_count: 1 })).toBe('1 later event was not kept');
  expect(droppedText({ ...dropped, trace_dropped_count: 10_202 })).toBe(
    '10,202 later events were not kept',
  );
});

test('what a cost is made of is told only where there is one', () => {
  const usage = {
    ...{ input_tokens: 200, output_tokens: 100, total_tokens: 300, cost_usd: 0.0012 },
    ...{ cost_approximate: true, currency: 'EUR' },
  };
  expect(rateText({ usage })).toContain('0.004 EUR a thousand tokens');
  expect(rateText({ usage: { ...usage, cost_usd: null } })).toBe(undefined);
  expect(rateText({ usage: { ...usage, total_tokens: 0 } })).toBe(undefined);
  expect(rateText({ usage: null })).toBe(undefined);
});
