import type { EnvironmentPolicy } from '../../contract/platform/policies.ts';
import { fault } from '../rules/finding.ts';
import type { Spec } from '../schema/spec-types.ts';
import type { Diagnostic } from '../values/diagnostic.ts';
import { type PolicyReport, policyReport } from './policy-report.ts';

/** All that a policy of an environment refuses with. */
export const ENVIRONMENT_POLICY_CODES = [
  'E_ENV_POLICY_DIAGNOSTIC',
  'E_ENV_POLICY_WARNING',
  'E_ENV_POLICY_HUMAN_REVIEW',
  'E_ENV_POLICY_TOOL_PERMISSIONS',
  'E_ENV_POLICY_UNRESTRICTED_TOOLS',
  'E_ENV_POLICY_GUARDRAILS',
] as const;

export type EnvironmentPolicyCode = (typeof ENVIRONMENT_POLICY_CODES)[number];

/** A refusal: its code is one of the list, so that all of them can be told in words. */
function refused(
  code: EnvironmentPolicyCode,
  at: string,
  message: string,
  advice: string | null = null,
) {
  return fault(code, at, message, advice);
}

function onDiagnostics(report: PolicyReport, policy: EnvironmentPolicy): Diagnostic[] {
  const blocked = new Set(policy.blocked_diagnostic_codes);
  const findings: Diagnostic[] = [];
  for (const { code, severity, message, path } of report.diagnostics) {
    const add = (finding: EnvironmentPolicyCode, why: string): void => {
      findings.push({ ...refused(finding, '', `${why}: ${code}. ${message}`), path });
    };
    if (blocked.has(code)) add('E_ENV_POLICY_DIAGNOSTIC', 'The environment blocks this finding');
    if (policy.fail_on_warnings && severity === 'warning') {
      add('E_ENV_POLICY_WARNING', 'The environment does not accept warnings');
    }
  }
  return findings;
}

function onTools(report: PolicyReport, policy: EnvironmentPolicy): Diagnostic[] {
  const findings: Diagnostic[] = [];
  const { agent_policies } = report.tools;
  for (const { agent, include, permissions } of agent_policies) {
    if (!policy.require_tool_permissions || include.length === 0 || permissions !== null) continue;
    const message = 'The environment demands permissions beside selected tools.';
    const at = `${agent}.tools.permissions`;
    findings.push(refused('E_ENV_POLICY_TOOL_PERMISSIONS', at, message, 'Add permissions.'));
  }
  for (const { agent, unrestricted } of agent_policies) {
    if (!policy.deny_unrestricted_tools || !unrestricted) continue;
    const message = 'The environment does not accept tools without restrictions.';
    const at = `${agent}.tools`;
    findings.push(
      refused('E_ENV_POLICY_UNRESTRICTED_TOOLS', at, message, 'Restrict the permissions.'),
    );
  }
  return findings;
}

/** What an environment policy blocks in a spec; nothing when the policy is switched off. */
export function environmentPolicyFindings(spec: Spec, policy: EnvironmentPolicy): Diagnostic[] {
  if (!policy.enabled) return [];
  const report = policyReport(spec);
  const findings = onDiagnostics(report, policy);
  if (policy.require_human_review && report.human_review.workflow_steps.length === 0) {
    const message = 'The environment demands an enabled human step, and no workflow has one.';
    findings.push(refused('E_ENV_POLICY_HUMAN_REVIEW', 'workflow', message, 'Add a human step.'));
  }
  findings.push(...onTools(report, policy));
  if (policy.require_guardrails && !report.guardrails.agents.some(({ configured }) => configured)) {
    const message = 'The environment demands guardrails, and no agent has one.';
    const advice = 'Add a guardrail to the root agent.';
    findings.push(refused('E_ENV_POLICY_GUARDRAILS', 'agent.guardrails', message, advice));
  }
  return findings;
}
