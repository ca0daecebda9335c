import { expect, test } from 'vitest';
import { type TraceEvent, traceEvent } from '../../../server/contract/dashboard/trace.ts';
import { coverageText, nodeUse } from './node-use.ts';

const call = (node: string, input: number, output: number): TraceEvent =>
  traceEvent.parse({
    ts: '2026-11-23T09:00:00Z',
    type: 'run_completed',
    node,
    duration_ms: 5,
    kind: 'llm',
    input_preview: null,
    output_preview: null,
    error: null,
    event_id: null,
    span_id: null,
    parent_span_id: null,
    offline: false,
    tokens: { input, output, total: input + output },
  });
const silent = { ...call('draft', 0, 0), tokens: undefined };
const events = [call('draft', 10, 20), call('check', 100, 60), call('draft', 5, 5), silent];

test('tokens are summed by node, and the cost of the run is shared out by them', () => {
  const run = { total_tokens: 250, cost_usd: 0.5, currency: 'EUR' };
  const use = nodeUse(events as TraceEvent[], run);
  expect(use).toEqual({
    nodes: [
      { node: 'check', calls: 1, input: 100, output: 60, total: 160, cost: 0.32 },
      { node: 'draft', calls: 2, input: 15, output: 25, total: 40, cost: 0.08 },
    ],
    told: 200,
    total: 250,
  });
  expect(coverageText(use, run)).toMatch(/^200 of 250 tokens .* approximate/);
});

test('without a price nothing has a cost, and the words say so', () => {
  const run = { total_tokens: 30, cost_usd: null, currency: 'USD' };
  const use = nodeUse([call('draft', 10, 20)], run);
  expect(use.nodes[0]?.cost).toBeNull();
  expect(coverageText(use, run)).toMatch(/^All 30 tokens .* No price is set/);
});

test('tokens that calls of models told are not counted again with the agent that made them', () => {
  const agent = { ...call('draft', 30, 12), span_id: 's1' };
  const asked = (input: number, output: number): TraceEvent => ({
    ...call('draft', input, output),
    ...{ type: 'model_completed', called: 'm-1', parent_span_id: 's1' },
  });
  const use = nodeUse([asked(10, 4), asked(20, 8), agent, call('check', 1, 1)], null);
  expect(use.nodes).toMatchObject([
    { node: 'draft', calls: 2, total: 42 },
    { node: 'check', calls: 1, total: 2 },
  ]);
});
