import { type AnyRoute, createRoute } from '@tanstack/react-router';
import { ActivityPage } from '../features/sharing/activity-page.tsx';
import { ExposurePage } from '../features/sharing/exposure-page.tsx';
import { MembersPage } from '../features/sharing/members-page.tsx';

/** Addresses of who sees a project, who may work in it and what they did. */
export function sharingRoutes(rootRoute: AnyRoute): AnyRoute[] {
  const exposureRoute = createRoute({
    getParentRoute: () => rootRoute,
    path: '/projects/$projectId/exposure',
    component: () => <ExposurePage projectId={exposureRoute.useParams().projectId} />,
  });
  const membersRoute = createRoute({
    getParentRoute: () => rootRoute,
    path: '/projects/$projectId/members',
    component: () => <MembersPage projectId={membersRoute.useParams().projectId} />,
  });
  const activityRoute = createRoute({
    getParentRoute: () => rootRoute,
    path: '/projects/$projectId/activity',
    component: () => <ActivityPage projectId={activityRoute.useParams().projectId} />,
  });
  return [exposureRoute, membersRoute, activityRoute];
}
