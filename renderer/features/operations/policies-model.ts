import type { z } from 'zod';
import { t } from '../../../preload/texts/t.ts';
import {
  type POLICY_KNOBS,
  type policyDiffEntry,
  policyUpdateInput,
  type policyView,
} from '../../../server/contract/dashboard/policies.ts';
import { NEEDS_REVIEW } from '../../../server/spec/reports/policy-report.ts';

/** What a policy asks for, whole: a write replaces all of it. */
export type Policy = z.output<typeof policyUpdateInput>;
export type PolicyView = z.output<typeof policyView>;

type Knob = (typeof POLICY_KNOBS)[number];
export type Switch = Exclude<Knob, 'blocked_diagnostic_codes'>;

/** Each switch with what it does, and an example of what it stops. */
export const SWITCHES: readonly {
  readonly name: Switch;
  readonly label: string;
  readonly about: string;
}[] = [
  {
    name: 'enabled',
    label: t('Enforced'),
    about: t('Off: the policy is kept, and stops nothing.'),
  },
  {
    name: 'require_human_review',
    label: t('A person must decide'),
    about: t('A spec without an enabled human step does not run, whatever else it does.'),
  },
  {
    name: 'require_tool_permissions',
    label: t('Tools need permissions'),
    about: t('An agent that includes tools without saying what they may do does not run.'),
  },
  {
    name: 'deny_unrestricted_tools',
    label: t('No unrestricted tools'),
    about: t('An agent whose tools may use the shell, files or any address does not run.'),
  },
  {
    name: 'require_guardrails',
    label: t('Guardrails are required'),
    about: t('A spec in which no agent has a guardrail does not run.'),
  },
  {
    name: 'fail_on_warnings',
    label: t('Warnings stop a spec'),
    about: t('Each warning of the policy report counts as an error.'),
  },
];

/** Findings of the policy report that can be blocked by their code. */
export const KNOWN_CODES: readonly string[] = [...NEEDS_REVIEW, 'W_HUMAN_APPROVAL_MISSING'].sort();

/** The stored policy, what it leaves out as its default; undefined when none is stored. */
export function storedPolicy({ policy }: PolicyView): Policy | undefined {
  return Object.keys(policy).length === 0 ? undefined : policyUpdateInput.parse(policy);
}

/** What a first policy begins with. */
export const NEW_POLICY: Policy = policyUpdateInput.parse({});

type Change = z.output<typeof policyDiffEntry>;

const VALUES: Readonly<Record<string, string>> = {
  true: t('on'),
  false: t('off'),
  '(none)': t('none'),
};

/** What a change does, a row for each rule; a first policy says only what it asks for. */
export function changeRows(
  diff: readonly Change[],
): readonly (readonly [string, string, string])[] {
  return diff
    .filter(({ before, after }) => before !== null || !['false', '(none)'].includes(after ?? ''))
    .map(({ key, before, after }) => [
      SWITCHES.find(({ name }) => name === key)?.label ?? t('Findings that stop a spec'),
      before === null ? t('not set') : (VALUES[before] ?? before),
      after === null ? t('not set') : (VALUES[after] ?? after),
    ]);
}

/** True when both ask for the same; the order of codes decides nothing. */
export function isSamePolicy(left: Policy, right: Policy): boolean {
  const text = (policy: Policy): string =>
    JSON.stringify({
      ...policy,
      blocked_diagnostic_codes: [...policy.blocked_diagnostic_codes].sort(),
    });
  return text(left) === text(right);
}

/** Environments that are connected, have a policy, or are being added, each once and sorted. */
export function environmentNames(...lists: readonly (readonly string[])[]): readonly string[] {
  return [...new Set(lists.flat())].filter((name) => name !== '').sort();
}
