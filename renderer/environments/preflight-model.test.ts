import { expect, test } from 'vitest';
import { policyInShort, policyRows } from './policy-words.ts';
import { lacking, needRows } from './preflight-model.ts';

test('each need is present, missing, withheld, or a provider that may need no key', () => {
  const entry = (env_var: string, present: boolean, usable = present) => ({
    ...{ env_var, present, usable, status: 'x', value: null },
  });
  const rows = needRows(
    { providers: ['openai', 'ollama', 'anthropic'], secrets: ['A', 'B', 'C', 'constructor'] },
    {
      providers: {
        openai: entry('OPENAI_API_KEY', true),
        ollama: entry('OLLAMA_API_KEY', false),
        anthropic: entry('ANTHROPIC_API_KEY', false),
      },
      extra: { A: entry('A', true), B: entry('B', false), C: entry('C', true, false) },
    },
  );
  expect(rows.map(({ name, state }) => [name, state])).toEqual([
    ['openai', 'present'],
    ['ollama', 'keyless'],
    ['anthropic', 'missing'],
    ['A', 'present'],
    ['B', 'missing'],
    ['C', 'withheld'],
    ['constructor', 'unknown'],
  ]);
  expect(lacking(rows).map(({ variable }) => variable)).toEqual(['ANTHROPIC_API_KEY', 'B', 'C']);
  expect(needRows({ providers: [], secrets: ['A'] }, null)[0]?.state).toBe('unknown');
});

test('a policy is told in words, also rules that nobody here knows', () => {
  const policy = { enabled: true, require_guardrails: true, blocked_diagnostic_codes: ['W_X'] };
  expect(policyRows({ ...policy, new_rule: { a: 1 } })).toEqual([
    { rule: 'Policy is enforced', value: 'Yes' },
    { rule: 'Guardrails are required', value: 'Yes' },
    { rule: 'Findings that stop a spec', value: 'W_X' },
    { rule: 'new rule', value: '{"a":1}' },
  ]);
  expect(policyInShort(policy)).toBe('guardrails are required; findings that stop a spec');
  expect(policyInShort({ enabled: false })).toContain('switched off');
  expect(policyInShort(null)).toBe('No policy is stored');
});
