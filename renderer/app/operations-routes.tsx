import { type AnyRoute, createRoute } from '@tanstack/react-router';
import { AdminPage } from '../features/operations/admin-page.tsx';
import { type AuditView, readAuditView } from '../features/operations/audit-model.ts';
import { AuditPage } from '../features/operations/audit-page.tsx';
import { CredentialsPage } from '../features/operations/credentials-page.tsx';
import { FailuresPage, type FailuresView } from '../features/operations/failures-page.tsx';
import { HealthPage } from '../features/operations/health-page.tsx';
import { LaunchPage } from '../features/operations/launch-page.tsx';
import { OverviewPage } from '../features/operations/overview-page.tsx';
import { beginOverview } from '../features/operations/overview-reads.ts';
import { PoliciesPage } from '../features/operations/policies-page.tsx';
import { SpendPage } from '../features/operations/spend-page.tsx';
import { WebhooksPage } from '../features/operations/webhooks-page.tsx';

/** Addresses of the Operate place, under the root of `routes.tsx`. */
export function operationsRoutes(rootRoute: AnyRoute): AnyRoute[] {
  const overviewRoute = createRoute({
    getParentRoute: () => rootRoute,
    path: '/operate',
    loader: beginOverview,
    component: OverviewPage,
  });
  const healthRoute = createRoute({
    getParentRoute: () => rootRoute,
    path: '/operate/health',
    component: HealthPage,
  });
  const webhooksRoute = createRoute({
    getParentRoute: () => rootRoute,
    path: '/operate/webhooks',
    component: WebhooksPage,
  });
  const credentialsRoute = createRoute({
    getParentRoute: () => rootRoute,
    path: '/operate/credentials',
    component: CredentialsPage,
  });
  const auditRoute = createRoute({
    getParentRoute: () => rootRoute,
    path: '/operate/audit',
    validateSearch: (search: Record<string, unknown>): AuditView => readAuditView(search),
    component: () => <AuditPage view={auditRoute.useSearch()} />,
  });
  const policiesRoute = createRoute({
    getParentRoute: () => rootRoute,
    path: '/operate/policies',
    validateSearch: (search: Record<string, unknown>): { environment?: string } =>
      typeof search['environment'] === 'string' ? { environment: search['environment'] } : {},
    component: () => <PoliciesPage environment={policiesRoute.useSearch().environment ?? ''} />,
  });
  const failuresRoute = createRoute({
    getParentRoute: () => rootRoute,
    path: '/operate/failures',
    validateSearch: (search: Record<string, unknown>): FailuresView => ({
      ...(search['since'] === '24h' || search['since'] === '7d' ? { since: search['since'] } : {}),
      ...(typeof search['cause'] === 'string' || typeof search['cause'] === 'number'
        ? { cause: String(search['cause']) }
        : {}),
    }),
    component: () => <FailuresPage view={failuresRoute.useSearch()} />,
  });
  const spendRoute = createRoute({
    getParentRoute: () => rootRoute,
    path: '/operate/spend',
    component: SpendPage,
  });
  const adminRoute = createRoute({
    getParentRoute: () => rootRoute,
    path: '/operate/administration',
    component: AdminPage,
  });
  const launchRoute = createRoute({
    getParentRoute: () => rootRoute,
    path: '/operate/launch',
    validateSearch: (search: Record<string, unknown>) => search,
    component: () => {
      const { run } = launchRoute.useSearch();
      const runId = run === undefined || run === null ? undefined : String(run);
      return <LaunchPage key={runId ?? ''} run={runId} />;
    },
  });
  return [
    launchRoute,
    spendRoute,
    adminRoute,
    failuresRoute,
    policiesRoute,
    overviewRoute,
    healthRoute,
    webhooksRoute,
    credentialsRoute,
    auditRoute,
  ];
}
