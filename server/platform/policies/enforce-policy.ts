import type { LoadedSpec } from '../../spec/load/load-spec.ts';
import { environmentPolicyFindings } from '../../spec/reports/environment-policy.ts';
import { listedFindings } from '../../spec/reports/listed-findings.ts';
import { refuse } from '../refuse.ts';
import type { PolicyStore } from './policies-repository.ts';

/**
 * Refuses what the stored policy of the environment blocks (contract/platform.md 3.11). A document
 * that does not load is left to the compile path.
 * @throws Refusal environment_policy_blocked with the findings.
 */
export function enforcePolicy(
  deps: { readonly policies: Pick<PolicyStore, 'find'> },
  prepared: {
    /** The one whose policy counts. */
    readonly environment: string | null;
    readonly loaded: Pick<LoadedSpec, 'spec'>;
  },
): void {
  if (prepared.environment === null || prepared.loaded.spec === undefined) return;
  const policy = deps.policies.find(prepared.environment);
  if (policy === undefined || !policy.enabled) return;
  const findings = environmentPolicyFindings(prepared.loaded.spec, policy);
  if (findings.length === 0) return;
  const diagnostics = listedFindings(findings).map(({ code, severity, message, path }) => ({
    code,
    severity,
    message,
    path,
  }));
  const lines = diagnostics.map(
    ({ code, severity, message }) => `${severity.toUpperCase()} ${code}: ${message}`,
  );
  throw refuse('environment_policy_blocked', {
    message: lines.join('\n'),
    details: { diagnostics },
  });
}
