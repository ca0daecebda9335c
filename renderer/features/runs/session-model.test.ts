import { expect, test } from 'vitest';
import { getSession, sessionView } from '../../../server/contract/dashboard/runs.ts';
import { pausesOf, sessionTotals, silenceOf } from './session-model.ts';

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

const asked = (continuation_id: string, timestamp: string) => ({
  timestamp,
  metadata: { continuation_id, request: { title: 'Is it right?', prompt: 'longer' } },
});
const at = (seconds: number) => `2026-11-23T09:00:0${seconds}Z`;

test('each wait of a run has its own question, end and answer; the last may be open', () => {
  const events = [asked('one', at(1)), asked('two', at(5))];
  const states = [
    { type: 'human_pause', created_at: at(1) },
    { type: 'human_resume', created_at: at(3) },
    { type: 'human_pause', created_at: at(5) },
  ];
  const decisions = [{ actor: 'ada', at: at(4), choice: 'approved' }];
  const [first, second] = pausesOf(events, states, decisions);
  expect(first).toMatchObject({ task: 'one', question: 'Is it right?', decided: decisions[0] });
  expect((first?.until ?? 0) - (first?.from ?? 0)).toBe(2_000);
  expect(second).toMatchObject({ task: 'two', until: null, decided: null });
});

test('a wait of a platform that tells little is told as far as it goes', () => {
  expect(pausesOf([{ timestamp: at(1) }], [], [])).toMatchObject([
    { task: '', question: 'A person was asked.', until: null, decided: null },
  ]);
});
