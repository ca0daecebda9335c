import {
  type EnvironmentPolicy,
  getEnvironmentPolicy,
  listEnvironmentPolicies,
  policyWriteRoutes,
} from '../../contract/platform/policies.ts';
import type { HttpApp } from '../../http/http-app.ts';
import type { JsonObject } from '../../kernel/json.ts';
import type { PlatformDeps } from '../deps.ts';
import type { Principal } from '../principal.ts';
import { refuse } from '../refuse.ts';
import { takeLock } from '../take-lock.ts';
import { policyDiff, previewPolicy } from './preview-policy.ts';

function asJson(policy: EnvironmentPolicy): JsonObject {
  return { ...policy, blocked_diagnostic_codes: [...policy.blocked_diagnostic_codes] };
}

/** Environment policies: read, replace, preview. */
export function registerPolicyRoutes(app: HttpApp<Principal>, deps: PlatformDeps): void {
  const writes = policyWriteRoutes(deps.config.limits);
  app.implement(listEnvironmentPolicies, () => {
    const policies = { ...deps.policies.all() };
    return { policies, count: Object.keys(policies).length };
  });
  app.implement(getEnvironmentPolicy, ({ params: { environment } }) => ({
    environment,
    policy: deps.policies.find(environment) ?? null,
    previous_policy: null,
  }));
  app.implement(writes.putEnvironmentPolicy, async ({ params, body }, { principal }) => {
    const { environment } = params;
    const resource = 'environment-policies';
    const release = await takeLock(deps, resource);
    if (release === undefined) throw refuse('resource_locked', { details: { resource } });
    try {
      const previous = await deps.commits.turn(() => {
        const before = deps.policies.replace(environment, body);
        deps.recordAudit({
          event_type: 'policy.changed',
          actor: principal.name,
          metadata: {
            surface: 'environment_policy_enforcement',
            environment,
            previous: before === null ? null : asJson(before),
            current: asJson(body),
            changed_fields: Object.keys(policyDiff(before, body)).sort(),
          },
        });
        return before;
      });
      return { environment, policy: body, previous_policy: previous };
    } finally {
      await release();
    }
  });
  app.implement(writes.previewEnvironmentPolicy, ({ params, body }) =>
    previewPolicy(deps, params.environment, body),
  );
}
