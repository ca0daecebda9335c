import * as contract from '../../contract/dashboard/policies.ts';
import {
  previewEnvironmentPolicy,
  putEnvironmentPolicy,
} from '../../contract/platform/client-routes.ts';
import { getEnvironmentPolicy, listEnvironmentPolicies } from '../../contract/platform/policies.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { required } from '../../platform-client/answers.ts';
import { requireEnvironment } from '../access/environment-grants.ts';
import { audited } from '../audit/audit-log.ts';
import type { DashboardDeps, Operator } from '../deps.ts';
import { readPolicy } from '../platform-answers.ts';
import { policyDiff, toPolicyView } from './policy-view.ts';

/** Binds reading, previewing and replacing environment policies. The path's environment is checked too. */
export function registerPolicyRoutes(app: HttpApp<Operator>, deps: DashboardDeps): void {
  app.implement(contract.listPolicies, async (_input, { principal, signal }) => {
    const answer = await principal.platform().call(listEnvironmentPolicies, {}, { signal });
    const allowed = principal.environments;
    const rows = Object.entries(required(answer.policies, 'policies'))
      .filter(([name]) => allowed === null || allowed.includes(name))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([environment, policy]) => ({ environment, enabled: policy?.enabled !== false }));
    return { rows };
  });

  app.implement(contract.getPolicy, async ({ params }, { principal, signal }) => {
    requireEnvironment(principal.environments, params.environment);
    const body = await principal
      .platform()
      .read(getEnvironmentPolicy, readPolicy, { params }, { signal });
    return toPolicyView(body, params.environment);
  });

  app.implement(contract.previewPolicy, async ({ params, body }, { principal, signal }) => {
    requireEnvironment(principal.environments, params.environment);
    const platform = principal.platform();
    const current = await platform.read(getEnvironmentPolicy, readPolicy, { params }, { signal });
    const preview = await platform.call(previewEnvironmentPolicy, { params, body }, { signal });
    const affected = [...(preview.affected_run_ids ?? [])];
    return {
      diff: policyDiff(current.policy ?? {}, body),
      affected_run_ids: affected,
      affected_count: affected.length,
    };
  });

  app.implement(contract.putPolicy, async ({ params, body }, { principal }) => {
    const { environment } = params;
    requireEnvironment(principal.environments, environment);
    const platform = principal.platform();
    const facts = { action: 'policy.put' as const, target: environment, environment };
    const answer = await audited(deps.audit, principal, facts, () =>
      platform.read(putEnvironmentPolicy, readPolicy, { params, body }),
    );
    return toPolicyView(answer, environment);
  });
}
