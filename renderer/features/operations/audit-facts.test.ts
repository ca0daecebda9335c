import { expect, test } from 'vitest';
import { factsLine } from './audit-facts.ts';

test('facts of a run are told in words, and none that says nothing', () => {
  const created = {
    async_mode: true,
    target: 'workflow',
    spec_path: null,
    inline_spec: true,
    environment: 'prod',
    session_id: null,
    metadata: {},
    usage: { input_tokens: 3, output_tokens: 4, total_tokens: 7 },
  };
  expect(factsLine(created)).toBe('in the background · environment prod · 7 tokens');
  expect(factsLine({ ...created, async_mode: false, usage: { total_tokens: 0 } })).toBe(
    'environment prod',
  );
  expect(factsLine({ origin_run_id: 'run-0001abcdef', edited: ['a', 'b'] })).toBe(
    'from run …abcdef · edited: a and b',
  );
  expect(factsLine({ session_id: '[REDACTED]', environment: 'prod' })).toBe('environment prod');
  expect(factsLine({ attempts: 1, limit: 3 })).toBe('1 attempt · of 3 at most');
});

test('a budget is told by its name, once', () => {
  const budget = { name: 'Everything', unit: 'tokens' };
  expect(factsLine({ previous: budget, current: budget })).toBe('Everything');
  expect(factsLine({ previous: null, current: { require_guardrails: true } })).toBe('');
});

test('facts of another program: four of them, by their names', () => {
  const facts = {
    a_b: 1,
    b: null,
    c: '',
    i: {},
    j: [],
    d: 'x',
    e: { f: 2 },
    g: true,
    h: 'no room',
  };
  expect(factsLine(facts)).toBe('a b: 1 · d: x · e: {"f":2} · g');
});
