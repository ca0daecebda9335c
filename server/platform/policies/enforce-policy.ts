import { environmentPolicyFindings } from '../../spec/environment-policy.ts';
import type { LoadedSpec } from '../../spec/load-spec.ts';
import { refuse } from '../refuse.ts';
import type { PreparedSpec } from '../specs/prepare-spec.ts';
import type { PolicyStore } from './policy-store.ts';

/**
 * Refuses what the stored policy of the environment blocks (contract/platform.md 3.11). A document
 * that does not load is left to the compile path.
 * @throws Refusal environment_policy_blocked with the findings.
 */
export function enforcePolicy(
  deps: { readonly policies: Pick<PolicyStore, 'find'> },
  prepared: Pick<PreparedSpec, 'environment'> & { readonly loaded: Pick<LoadedSpec, 'spec'> },
): void {
  if (prepared.environment === null || prepared.loaded.spec === undefined) return;
  const policy = deps.policies.find(prepared.environment);
  if (policy === undefined || !policy.enabled) return;
  const findings = environmentPolicyFindings(prepared.loaded.spec, policy);
  if (findings.length === 0) return;
  const diagnostics = findings.map(({ code, severity, message, path }) => ({
    code,
    severity,
    message,
    path,
  }));
  throw refuse('environment_policy_blocked', {
    message: diagnostics.map(({ code, message }) => `ERROR ${code}: ${message}`).join('\n'),
    details: { diagnostics },
  });
}
