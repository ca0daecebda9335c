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

/** Names that the platform gives to facts of audit events, but those that are words themselves. */
const NAMES = [
  ...['async_mode', 'target', 'spec_path', 'inline_spec', 'environment', 'overlays', 'session_id'],
  ...['metadata', 'skills_overlay', 'add', 'disable', 'status', 'usage', 'valid', 'workflow_kind'],
  ...['source', 'request_id', 'decision', 'has_content', 'selected_option', 'continued', 'reason'],
  ...['attempts', 'limit', 'webhook_id', 'host', 'events', 'enabled', 'because', 'event_id'],
  ...['repeated', 'timeout_seconds', 'expired_at', 'expires_at', 'on_timeout', 'assignee'],
  ...['error_type', 'error_message', 'deadline_at', 'timed_out_at', 'status_at_timeout'],
  ...['from_sha256', 'to_sha256', 'repeats', 'kept', 'skipped', 'renamed'],
  ...['origin_run_id', 'checkpoint_sequence', 'surface', 'previous', 'current'],
  ...['changed_fields', 'currency', 'providers_requested', 'extras_requested', 'provider_count'],
  ...['include_service_references', 'extra_count', 'service_reference_count'],
  ...['providers_present', 'extras_present', 'service_references_present'],
];

test.each(NAMES)('the fact %s is told in words, or left to the details', (name) => {
  expect(factsLine({ [name]: 'x' })).not.toBe(`${name.replaceAll('_', ' ')}: x`);
});

test('what a check found, and what became of steps and skills', () => {
  expect(factsLine({ inline_spec: true, valid: true })).toBe('valid');
  expect(factsLine({ valid: false, source: 'run' })).toBe('not valid · of a run');
  expect(factsLine({ added: ['a'], renamed: { b: 'c' } })).toBe('added: a · renamed: b');
  expect(factsLine({ add: ['skill'], disable: [] })).toBe('added: skill');
});
