import { t } from '../../preload/texts/t.ts';
import type { EnvironmentPolicyCode } from '../../server/spec/reports/environment-policy.ts';

/** What an environment's policy refuses. */
const REFUSED: Readonly<Record<EnvironmentPolicyCode, string>> = {
  E_ENV_POLICY_DIAGNOSTIC: t(
    'The policy of the environment lists a finding of this spec as one that stops it.',
  ),
  E_ENV_POLICY_WARNING: t('The policy of the environment takes each warning for an error.'),
  E_ENV_POLICY_HUMAN_REVIEW: t(
    'The policy of the environment wants a person to decide, and no step of the spec asks one.',
  ),
  E_ENV_POLICY_TOOL_PERMISSIONS: t(
    'The policy of the environment wants to know what tools may do, and an agent does not say it.',
  ),
  E_ENV_POLICY_UNRESTRICTED_TOOLS: t(
    'The policy of the environment lets no agent use the shell, files or any address.',
  ),
  E_ENV_POLICY_GUARDRAILS: t(
    'The policy of the environment wants a guardrail, and no agent has one.',
  ),
};

/** What a policy report finds, which a policy may refuse by its code. */
const FOUND: Readonly<Record<string, string>> = {
  E_UNSAFE_TOOL_IMPORT: t('A tool gets direct access to the system.'),
  E_UNSAFE_FUNCTION_IMPORT: t('A function gets direct access to the system.'),
  W_TOOL_NETWORK_UNRESTRICTED: t('An agent’s tools may reach any address.'),
  W_TOOL_SHELL_ALLOWED: t('An agent’s tools may run commands of the system.'),
  W_TOOL_FILESYSTEM_WRITE_ALLOWED: t('An agent’s tools may change files.'),
  W_TOOL_FILESYSTEM_READ_ALLOWED: t('An agent’s tools may read files.'),
  W_TOOL_POLICY_UNRESTRICTED: t('Nothing says what an agent’s tools may touch.'),
  W_HUMAN_APPROVAL_MISSING: t(
    'Something in the spec is for a person to look at, and no step asks one.',
  ),
};

const WORDS: ReadonlyMap<string, string> = new Map(Object.entries({ ...REFUSED, ...FOUND }));

/** What the code of a policy means; undefined for a code that is of no policy. */
export function policyWords(code: string | null): string | undefined {
  return code === null ? undefined : WORDS.get(code);
}
