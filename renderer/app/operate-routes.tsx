import { type AnyRoute, createRoute } from '@tanstack/react-router';
import { RunViewPage } from '../features/test-runs/run-view-page.tsx';
import { RunsListPage } from '../features/test-runs/runs-list-page.tsx';
import { TaskListPage } from '../features/test-runs/task-list-page.tsx';

/** Addresses of the Runs and Tasks places, under the root of `routes.tsx`. */
export function operateRoutes(rootRoute: AnyRoute): AnyRoute[] {
  const runsRoute = createRoute({
    getParentRoute: () => rootRoute,
    path: '/runs',
    component: RunsListPage,
  });
  const runRoute = createRoute({
    getParentRoute: () => rootRoute,
    path: '/runs/$runId',
    component: () => {
      const { runId } = runRoute.useParams();
      return <RunViewPage key={runId} runId={runId} />;
    },
  });
  const tasksRoute = createRoute({
    getParentRoute: () => rootRoute,
    path: '/tasks',
    component: TaskListPage,
  });
  return [runsRoute, runRoute, tasksRoute];
}
