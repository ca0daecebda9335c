import { t } from '../../preload/texts/t.ts';

const RULES: Readonly<Record<string, string>> = {
  enabled: t('Policy is enforced'),
  fail_on_warnings: t('Warnings stop a spec'),
  require_human_review: t('Human review is required where a spec is risky'),
  require_tool_permissions: t('Tools need permissions'),
  deny_unrestricted_tools: t('Unrestricted tools are denied'),
  require_guardrails: t('Guardrails are required'),
  blocked_diagnostic_codes: t('Findings that stop a spec'),
};

/** A rule of a platform's policy, in words. */
export interface PolicyRow {
  readonly rule: string;
  readonly value: string;
}

function valueText(value: unknown): string {
  if (typeof value === 'boolean') {
    return value ? t('Yes') : t('No');
  }
  if (Array.isArray(value)) {
    return value.length === 0 ? t('None') : value.map(String).join(', ');
  }
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** All rules of a policy; those that this window does not know keep their names. */
export function policyRows(policy: Readonly<Record<string, unknown>>): readonly PolicyRow[] {
  return Object.entries(policy).map(([name, value]) => ({
    rule: RULES[name] ?? name.replaceAll('_', ' '),
    value: valueText(value),
  }));
}

/** What a policy asks for, in one line. */
export function policyInShort(policy: Readonly<Record<string, unknown>> | null): string {
  if (policy === null) {
    return t('No policy is stored');
  }
  if (policy['enabled'] === false) {
    return t('A policy is stored, and switched off');
  }
  const asked = Object.entries(policy).flatMap(([name, value]) => {
    const on = value === true || (Array.isArray(value) && value.length > 0);
    return on && name !== 'enabled'
      ? [(RULES[name] ?? name.replaceAll('_', ' ')).toLowerCase()]
      : [];
  });
  return asked.length === 0 ? t('Stored, asks for nothing') : asked.join('; ');
}
