import { expect, test } from 'vitest';
import { ENVIRONMENT_POLICY_CODES } from '../../server/spec/reports/environment-policy.ts';
import { NEEDS_REVIEW } from '../../server/spec/reports/policy-report.ts';
import { policyWords } from './policy-words.ts';

test('every code that a policy can refuse with has a sentence of its own (OD-103)', () => {
  const codes = [...ENVIRONMENT_POLICY_CODES, ...NEEDS_REVIEW, 'W_HUMAN_APPROVAL_MISSING'];
  const words = codes.map((code) => policyWords(code) ?? code);
  expect(words.filter((text) => !/^[A-Z].+\.$/.test(text))).toEqual([]);
  expect(new Set(words).size).toBe(codes.length);
  expect(policyWords('E_OTHER')).toBeUndefined();
  expect(policyWords('constructor')).toBeUndefined();
  expect(policyWords(null)).toBeUndefined();
});
