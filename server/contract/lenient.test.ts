import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readLenient } from './lenient.ts';
import { jsonObject } from './platform/fields.ts';
import { getTrace } from './platform/run-reads.ts';
import { getRun } from './platform/runs.ts';
import type { Route } from './route.ts';

const RUN = {
  run_id: 'r1',
  status: 'running',
  agent_name: 'a',
  workflow_name: null,
  workflow_kind: 'agent',
  session_id: null,
  input_text: 'in',
  output_text: null,
  current_step_index: 3,
  current_node_id: null,
  visited_steps: ['a', 'b'],
  visited_nodes: [],
  pending_human_request: null,
  continuation_id: null,
  trace_event_count: 7,
  usage: null,
  metadata: {},
  error: null,
  created_at: '2026-01-01T00:00:00.000000+00:00',
  updated_at: '2026-01-01T00:00:00.000000+00:00',
  started_at: null,
  completed_at: null,
  deadline_at: 5,
};

describe('an answer of a platform of another make', () => {
  it('is read as it is where it keeps to the contract', () => {
    expect(readLenient(getRun.responses[200], RUN)).toEqual(RUN);
  });

  it('loses what is of another type, and nothing else', () => {
    const foreign = {
      ...RUN,
      current_step_index: 'three',
      visited_steps: ['a', 7, 'b'],
      visited_nodes: 'none',
      trace_event_count: '7',
      usage: { input_tokens: 'many' },
      metadata: 'x',
      error: 'It broke.',
      created_at: 1_767_225_600,
      deadline_at: '2026-01-01T00:00:00Z',
    };
    expect(readLenient(getRun.responses[200], foreign)).toEqual({
      ...RUN,
      current_step_index: null,
      trace_event_count: 0,
      usage: { input_tokens: 0, output_tokens: 0, total_tokens: 0 },
      created_at: '',
      deadline_at: null,
    });
  });

  it('is no answer where nothing is left to show', () => {
    for (const body of [null, 7, 'text', [], { ...RUN, status: 'sleeping' }]) {
      expect(readLenient(getRun.responses[200], body)).toBe(undefined);
    }
  });

  it('keeps the entries of a list that can be read', () => {
    const schema = z.object({
      list: z.array(z.object({ kind: z.enum(['a', 'b']), note: z.string().optional() })),
      map: z.record(z.string(), z.number()),
      open: jsonObject(),
      on: z.boolean(),
      part: z.object({ name: z.string() }),
    });
    const list = [{ kind: 'a', note: 4 }, { kind: 'c' }, { kind: 'b', note: 'x' }, null];
    expect(readLenient(schema, { list, map: { one: 1, two: 'two' }, open: 1, on: 'yes' })).toEqual({
      list: [{ kind: 'a' }, { kind: 'b', note: 'x' }],
      map: { one: 1 },
      open: {},
      on: false,
      part: { name: '' },
    });
  });

  it('never makes a reader throw', () => {
    const routes: readonly Route[] = [getRun, getTrace];
    for (const { responses } of routes) {
      for (const body of [{}, { events: {} }, { events: [1, {}] }, { run_id: {} }]) {
        expect(() => readLenient(responses[200] ?? z.unknown(), body)).not.toThrow();
      }
    }
  });
});
