import { expect, test } from 'vitest';
import { getSession, sessionView } from '../../../server/contract/dashboard/runs.ts';
import { sessionTotals, silenceOf } from './session-model.ts';

const usage = (total: number | null, cost: number | null) => ({
  input_tokens: null,
  output_tokens: null,
  total_tokens: total,
  cost_usd: cost,
  cost_approximate: cost !== null,
  currency: 'EUR',
});
const run = (run_id: string, more: object) => ({
  run_id,
  status: 'completed',
  workflow_name: 'w',
  spec_name: null,
  created_age: '1h',
  current: false,
  created_at: '2026-11-23T09:00:00Z',
  started_at: '2026-11-23T09:00:01Z',
  completed_at: '2026-11-23T09:00:03Z',
  input_excerpt: 'in',
  output_excerpt: 'out',
  error_excerpt: null,
  usage: null,
  ...more,
});

test('a session adds up what its runs told, and says how many did', () => {
  const session = sessionView.parse({
    available: true,
    session_id: 's',
    total: 5,
    truncated: true,
    runs: [
      run('a', { usage: usage(100, 0.25) }),
      run('b', { usage: usage(50, null), completed_at: null }),
      run('c', {}),
    ],
  });
  expect(sessionTotals(session)).toEqual({
    runs: 3,
    left: 2,
    worked: 4_000,
    tokens: 150,
    cost: 0.25,
    currency: 'EUR',
    told: 2,
  });
  expect(getSession.responses[200]).toBe(sessionView);
});

test('a run without an answer says why', () => {
  expect(silenceOf({ status: 'blocked' })).toMatch(/person/);
  expect(silenceOf({ status: 'running' })).toMatch(/at work/);
  expect(silenceOf({ status: 'failed' })).toMatch(/no output/);
});
