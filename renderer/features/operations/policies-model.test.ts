import { expect, test } from 'vitest';
import { POLICY_KNOBS } from '../../../server/contract/dashboard/policies.ts';
import {
  changeRows,
  environmentNames,
  isSamePolicy,
  NEW_POLICY,
  SWITCHES,
  storedPolicy,
} from './policies-model.ts';

const view = { environment: 'prod', previous_policy: null, diff: [] };

test('every knob of a policy has its place in the form', () => {
  const shown = [...SWITCHES.map(({ name }) => name), 'blocked_diagnostic_codes'];
  expect(shown.sort()).toEqual([...POLICY_KNOBS].sort());
});

test('an environment without a policy has none, not one of defaults', () => {
  expect(storedPolicy({ ...view, policy: {} })).toBeUndefined();
  expect(storedPolicy({ ...view, policy: { enabled: false } })).toEqual({
    ...NEW_POLICY,
    enabled: false,
  });
});

test('the order of blocked codes is no change', () => {
  const of = (...codes: string[]) => ({ ...NEW_POLICY, blocked_diagnostic_codes: codes });
  expect(isSamePolicy(of('a', 'b'), of('b', 'a'))).toBe(true);
  expect(isSamePolicy(of('a'), of('a', 'b'))).toBe(false);
  expect(isSamePolicy(NEW_POLICY, { ...NEW_POLICY, require_guardrails: true })).toBe(false);
});

test('a first policy says what it asks for, a change what it changes', () => {
  const of = (key: string, before: string | null, after: string | null) => ({ key, before, after });
  expect(
    changeRows([
      of('enabled', null, 'true'),
      of('require_guardrails', null, 'false'),
      of('blocked_diagnostic_codes', null, '(none)'),
      of('fail_on_warnings', 'true', 'false'),
    ]),
  ).toEqual([
    ['Enforced', 'not set', 'on'],
    ['Warnings stop a spec', 'on', 'off'],
  ]);
});

test('names come from connections and policies, each once', () => {
  expect(environmentNames(['prod', 'dev'], ['prod'], [''])).toEqual(['dev', 'prod']);
});
