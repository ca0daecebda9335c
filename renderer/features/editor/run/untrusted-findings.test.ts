import { expect, test } from 'vitest';
import { ApiError } from '../../../data/api-error.ts';
import { untrustedFindings } from './untrusted-findings.ts';

function refusal(...findings: readonly [path: string, capability: string, reason: string][]) {
  const details = {
    stage: 'pre-expansion scan',
    findings: findings.map(([path, capability, reason]) => ({ path, capability, reason })),
  };
  return new ApiError({
    code: 'spec_capability_refused',
    message: '',
    status: 409,
    details,
  } as never);
}

const CODE = ['components.functions.tidy.implementation', 'execute', 'only the registry'] as const;

test('what a trusted folder may do is said as such, at its place', () => {
  expect(untrustedFindings(refusal([...CODE]))).toEqual([
    {
      code: 'E_UNTRUSTED',
      severity: 'error',
      message: 'Code and commands run only from a trusted folder.',
      path: 'components.functions.tidy.implementation',
      suggestion: null,
    },
  ]);
});

test('what trust does not change keeps its words beside it, and says nothing alone', () => {
  const secret = ['agent.key', 'secret', 'a secret may not stand in a spec'] as const;
  const both = untrustedFindings(refusal([...CODE], [...secret]));
  expect(both.map(({ message }) => message)).toEqual([
    'Code and commands run only from a trusted folder.',
    'A secret may not stand in a spec.',
  ]);
  expect(untrustedFindings(refusal([...secret]))).toEqual([]);
  expect(untrustedFindings(new Error('gone'))).toEqual([]);
});
