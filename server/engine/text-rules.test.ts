import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isTerminalStatus, RUN_STATUSES } from '../contract/platform/run-status.ts';
import { listOf } from './append-list.ts';
import { conditionHolds } from './conditions.ts';
import { failure, failureClass, thrownType } from './failure.ts';
import {
  continueAnswer,
  decisionText,
  expiryAnswer,
  type HumanRequest,
  selectsUnknownOption,
} from './human.ts';
import { slidingWindow, summaryInput, withRetrieved, withSummary } from './memory.ts';
import { type Message, message } from './message.ts';
import { offlineAnswer } from './offline-model.ts';
import { pythonLiteral } from './python-text.ts';
import { canTransition } from './run-status.ts';
import { toolRefusal, urlHost } from './tool-policy.ts';
import { previewOf } from './trace.ts';
import { addUsage, parseUsage } from './usage.ts';

const facts = {
  output: 'Ship CVE-1 now',
  metadata: { node_kind: 'function', n: 1 },
  variables: {},
  status: 'completed' as const,
};

test.each([
  [{ type: 'always' }, true],
  [{ type: 'never' }, false],
  [{ type: 'output_contains', value: 'cve' }, true],
  [{ type: 'output_contains', value: 'cve', case_sensitive: true }, false],
  [{ type: 'output_equals', value: 'ship cve-1 NOW' }, true],
  [{ type: 'metadata_equals', key: 'n', value: 1 }, true],
  [{ type: 'metadata_equals', key: 'toString', value: 'x' }, false],
  [{ type: 'variable_equals', key: 'mode', value: 'quick' }, false],
  [{ type: 'status_is', value: 'completed' }, true],
  [{ type: 'status_is', value: 'failed' }, false],
  [{ type: 'all_of', conditions: [{ type: 'always' }, { type: 'never' }] }, false],
  [{ type: 'any_of', conditions: [{ type: 'never' }, { type: 'always' }] }, true],
  [{ type: 'not', condition: { type: 'never' } }, true],
] as const)('condition %j is %j', (condition, expected) => {
  expect(conditionHolds(structuredClone(condition) as never, facts)).toBe(expected);
});

test.each([
  ['a', "'a'"],
  ["it's", '"it\'s"'],
  [`both ' and "`, `'both \\' and "'`],
  ['DROP\\s+TABLE', "'DROP\\\\s+TABLE'"],
  ['line\n\ttab', "'line\\n\\ttab'"],
  ['\u0007é😀\u00a0\u2028', "'\\x07é😀\\xa0\\u2028'"],
  [{ query: 'x', deep: [1, 1.5, true, null] }, "{'query': 'x', 'deep': [1, 1.5, True, None]}"],
])('%j is written %s', (value, expected) => {
  expect(pythonLiteral(value)).toBe(expected);
});

test.each([
  ['https://Docs.Example.com./x', 'docs.example.com'],
  [' //cdn.example.com/a', 'cdn.example.com'],
  ['ftp://user:pw@host.example:21/f', 'host.example'],
  ['http://[::1]:8080/', '::1'],
  ['see https://a.example', undefined],
  ['mailto:a@b.example', undefined],
  ['https:///nothing', undefined],
  ['plain', undefined],
])('the host of %j is %j', (text, expected) => {
  expect(urlHost(text)).toBe(expected);
});

test('domain lists match the domain and its subdomains, in values and keys at any depth', () => {
  const policy = {
    include: [],
    exclude: [],
    allowed_domains: ['example.com'],
    denied_domains: ['x.example.com'],
  };
  expect(toolRefusal(policy, 't', { a: ['https://docs.example.com/'] })).toBeUndefined();
  expect(toolRefusal(policy, 't', { a: { 'https://x.example.com': 1 } })).toMatch(/denied_domains/);
  expect(toolRefusal(policy, 't', { a: 'https://notexample.com' })).toMatch(
    /not in allowed_domains/,
  );
  expect(toolRefusal({ ...policy, exclude: ['t'] }, 't', {})).toMatch(/excluded/);
  expect(toolRefusal(null, 't', { a: 'https://any.example' })).toBeUndefined();
});

const user = message('user', 'u');
const reply = message('assistant', 'a');
const system = message('system', 's');

test('a sliding window counts the system messages that it keeps', () => {
  expect(slidingWindow([system, user, reply, user], 2, true)).toEqual([system, user]);
  expect(slidingWindow([system, user, reply, user], 0, true)).toEqual([system]);
  expect(slidingWindow([system, user, reply, user], 0, false)).toEqual([]);
  expect(slidingWindow([system, user, reply], 9, false)).toEqual([system, user, reply]);
});

test('a summary covers what stands before the last user message', () => {
  expect(summaryInput([system, user, reply, user])).toBe('user: u\nassistant: a');
  expect(summaryInput([user])).toBe('');
  expect(withSummary([system, user, reply, user], 'x').map((item) => item.content)).toEqual([
    's',
    'Conversation summary:\nx',
    'u',
  ]);
});

test('what a retriever found goes in front', () => {
  expect(withRetrieved([user], ['one', { content: 'two' }])[0]?.content).toBe(
    'Relevant retrieved memory:\none\ntwo',
  );
  expect(withRetrieved([user], null)).toEqual([user]);
});

test('the offline runtime answers by the fixed rules', () => {
  const tools = [{ name: 't', description: '', parameters: {} }];
  const ask = message('user', 'Please SEARCH this');
  const said = (...messages: Message[]) => ({ messages: listOf(messages), tools: [] });
  expect(offlineAnswer(said()).text).toBe('Final answer: ');
  expect(offlineAnswer(said(ask)).text).toBe('Final answer: Please SEARCH this');
  expect(offlineAnswer({ ...said(ask), tools })).toEqual({
    text: 'I need to search.',
    tool_calls: [
      { id: 'web_search_1', name: 'web_search', arguments: { query: 'Please SEARCH this' } },
    ],
  });
  const results = [message('tool', 'one', 'x'), message('tool', 'two', 'y')];
  expect(offlineAnswer({ ...said(ask, ...results), tools }).text).toBe(
    'Final answer based on tool results: one\ntwo',
  );
  const long = [...results, ...Array.from({ length: 80 }, () => ask), ...results];
  for (let again = 0; again < 2; again += 1) {
    expect(offlineAnswer(said(...long)).text).toBe(
      'Final answer based on tool results: one\ntwo\none\ntwo',
    );
  }
});

test('usage reads the aliases and drops what is no count', () => {
  expect(parseUsage({ prompt_tokens: 2, completion_tokens: 3 })).toEqual({
    input_tokens: 2,
    output_tokens: 3,
    total_tokens: 5,
  });
  expect(
    parseUsage({ input_tokens: true, output_tokens: -1, total_tokens: Number.NaN }),
  ).toBeUndefined();
  expect(parseUsage('x')).toBeUndefined();
  const one = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
  expect(addUsage(one, one)).toEqual({ input_tokens: 2, output_tokens: 2, total_tokens: 4 });
  expect(addUsage(one, undefined)).toBe(one);
});

const request: HumanRequest = {
  id: 'r',
  type: 'selection',
  request_type: 'selection',
  title: '',
  prompt: '',
  context: {},
  options: ['a', 'b'],
  default_option: 'a',
  response_role: null,
  requested_by: 's',
  assignee: null,
  timeout_seconds: null,
  on_timeout: 'fail',
  metadata: {},
};

test('a decision passes the documented text on', () => {
  expect(decisionText({ decision: 'approved', content: 'x' }, 'in')).toBe('in');
  expect(decisionText({ decision: 'rejected' }, 'in')).toBe('Rejected by human reviewer: ');
  expect(decisionText({ decision: 'edited', content: null }, 'in')).toBe('in');
  expect(decisionText({ decision: 'provided', content: 'x' }, 'in')).toBe('x');
  expect(decisionText({ decision: 'selected', selected_option: 'b', content: 'x' }, 'in')).toBe(
    'b',
  );
  expect(decisionText({ decision: 'selected', content: 'x' }, 'in')).toBe('x');
});

test('continue answers what needs no person, expiry takes the default option', () => {
  expect(continueAnswer(request)).toEqual({ decision: 'selected', selected_option: 'a' });
  expect(continueAnswer({ ...request, default_option: null })).toBeUndefined();
  expect(continueAnswer({ ...request, type: 'freeform' })).toBeUndefined();
  expect(continueAnswer({ ...request, type: 'review' })).toEqual({ decision: 'approved' });
  expect(expiryAnswer({ ...request, type: 'correction' })).toEqual({ decision: 'approved' });
  expect(selectsUnknownOption(request, { decision: 'selected', selected_option: 'z' })).toBe(true);
  expect(selectsUnknownOption(request, { decision: 'selected', selected_option: 'b' })).toBe(false);
  expect(selectsUnknownOption(request, { decision: 'provided', selected_option: 'z' })).toBe(false);
});

test('of eight statuses five are terminal, and never left, except failed by continue (RP-029)', () => {
  expect([RUN_STATUSES.length, RUN_STATUSES.filter(isTerminalStatus).toSorted()]).toEqual([
    8,
    ['cancelled', 'completed', 'expired', 'failed', 'timed_out'],
  ]);
  for (const from of RUN_STATUSES.filter(isTerminalStatus)) {
    for (const to of RUN_STATUSES) {
      expect(canTransition(from, to)).toBe(from === 'failed' && to === 'running');
    }
  }
  expect(canTransition('blocked', 'expired')).toBe(true);
  expect(canTransition('running', 'expired')).toBe(false);
});

test('a failure type decides the HTTP answer, unknown names become RuntimeError', () => {
  expect(thrownType('TypeError')).toBe('RuntimeError');
  expect(failureClass('ToolResultGuardrailViolation')).toBe('guardrail_violation');
  expect(failureClass('TokenBudgetExceeded')).toBe('token_budget_exceeded');
  expect(failureClass('RunLimitExceeded')).toBe('run_limit_exceeded');
  expect(failureClass('RunStopped')).toBe('run_stopped');
  expect(failureClass('SpecParseError')).toBe('spec_invalid');
  expect(failureClass('EnvironmentPolicyError')).toBe('environment_policy_blocked');
  expect(failureClass('ValueError')).toBe('invalid_request');
  expect(failureClass('RuntimeError')).toBe('internal_error');
  expect(failure('GuardrailViolation', 'x').stop).toBe(true);
});

test('a preview is redacted before it is cut, and never longer than 500 characters', () => {
  const redact = (text: string) => text.replaceAll('secret', '***');
  expect(previewOf('a secret', redact)).toBe('a ***');
  expect(previewOf('é'.repeat(500), redact)).toBe('é'.repeat(500));
  expect(previewOf('😀'.repeat(501), redact)).toBe(`${'😀'.repeat(500)}...[truncated]`);
  fc.assert(
    fc.property(fc.string({ maxLength: 9000 }), (text) => {
      expect([...previewOf(text, redact)].length).toBeLessThanOrEqual(514);
    }),
    { numRuns: 50 },
  );
});
