import { getCredentialNeeds, getCredentials } from '../contract/dashboard/credentials.ts';
import {
  getActivity as activityRoute,
  getOverview as overviewRoute,
} from '../contract/dashboard/overview.ts';
import { getSpend } from '../contract/dashboard/spend.ts';
import {
  getCredentials as credentialsRoute,
  getCredentialNeeds as needsRoute,
} from '../contract/platform/security.ts';
import type { HttpApp } from '../http/http-app.ts';
import { registerAnnotationRoutes } from './annotations/routes.ts';
import { registerAuditRoutes } from './audit/routes.ts';
import { toCredentialInventory, toCredentialNeeds } from './credentials/credential-view.ts';
import type { DashboardDeps, Operator } from './deps.ts';
import { registerHealthRoutes } from './health/routes.ts';
import { registerHumanTaskRoutes } from './human-tasks/routes.ts';
import { registerLaunchRoutes } from './launch/routes.ts';
import { getActivity } from './overview/get-activity.ts';
import { getOverview } from './overview/get-overview.ts';
import { readCredentials } from './platform-answers.ts';
import { registerPolicyRoutes } from './policies/routes.ts';
import { registerRunActionRoutes } from './run-actions/routes.ts';
import { registerRunRecordRoutes } from './run-record/routes.ts';
import { registerRunRoutes } from './runs/routes.ts';
import { unlessNotFound } from './runs/run-reads.ts';
import { registerSavedFilterRoutes } from './saved-filters/routes.ts';
import { registerSessionRoutes } from './session/routes.ts';
import { registerSettingsRoutes } from './settings/routes.ts';
import { scanSpend } from './spend/scan-spend.ts';
import { registerTraceRoutes } from './trace/routes.ts';
import { registerUsageRoutes } from './usage/routes.ts';
import { registerWebhookRoutes } from './webhooks/routes.ts';

/** Binds every operation of the dashboard. */
export function registerDashboard(app: HttpApp<Operator>, deps: DashboardDeps): void {
  registerHealthRoutes(app, deps);
  registerSessionRoutes(app, deps);
  registerRunRoutes(app, deps);
  registerRunRecordRoutes(app, deps);
  registerTraceRoutes(app, deps);
  registerRunActionRoutes(app, deps);
  registerHumanTaskRoutes(app, deps);
  registerLaunchRoutes(app, deps);
  registerPolicyRoutes(app, deps);
  registerAuditRoutes(app, deps);
  registerAnnotationRoutes(app, deps);
  registerSavedFilterRoutes(app, deps);
  registerSettingsRoutes(app, deps);
  registerUsageRoutes(app, deps);
  registerWebhookRoutes(app, deps);
  app.implement(overviewRoute, (_input, { principal, signal }) =>
    getOverview(deps, principal, signal),
  );
  app.implement(activityRoute, ({ query }, { principal, signal }) =>
    getActivity(deps, principal, query.hours, signal),
  );
  app.implement(getSpend, ({ query }, { principal, signal }) =>
    scanSpend(deps, principal, query, signal),
  );
  app.implement(getCredentials, async (_input, { principal, signal }) =>
    toCredentialInventory(
      await principal.platform().read(credentialsRoute, readCredentials, {}, { signal }),
    ),
  );
  app.implement(getCredentialNeeds, async (_input, { principal, signal }) => {
    const answer = principal.platform().call(needsRoute, {}, { signal });
    return toCredentialNeeds(await unlessNotFound(answer));
  });
}
