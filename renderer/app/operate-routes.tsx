import { type AnyRoute, createRoute } from '@tanstack/react-router';
import { TasksPage } from '../features/human-tasks/tasks-page.tsx';
import { readComparison } from '../features/runs/compare-model.ts';
import { ComparePage } from '../features/runs/compare-page.tsx';
import { fixedRuns } from '../features/runs/fix-model.ts';
import { RunDetailPage } from '../features/runs/run-detail-page.tsx';
import { readRunFilter } from '../features/runs/run-filter-model.ts';
import { readRunView } from '../features/runs/run-view-model.ts';
import { RunsPage } from '../features/runs/runs-page.tsx';
import { SessionPage } from '../features/runs/session-page.tsx';
import { FixRuns } from './fix-runs.tsx';
import { drawRunOfTask, RUN_PARTS } from './run-parts.tsx';

/** Addresses of the Runs and Tasks places, under the root of `routes.tsx`. */
export function operateRoutes(rootRoute: AnyRoute): AnyRoute[] {
  const runsRoute = createRoute({
    getParentRoute: () => rootRoute,
    path: '/runs',
    validateSearch: (search: Record<string, unknown>) => readRunFilter(search),
    component: () => <RunsPage filter={readRunFilter(runsRoute.useSearch())} />,
  });
  const runRoute = createRoute({
    getParentRoute: () => rootRoute,
    path: '/runs/$runId',
    validateSearch: (search: Record<string, unknown>) => readRunView(search),
    component: () => {
      const { runId } = runRoute.useParams();
      const view = readRunView(runRoute.useSearch());
      return <RunDetailPage key={runId} runId={runId} view={view} parts={RUN_PARTS} />;
    },
  });
  const compareRoute = createRoute({
    getParentRoute: () => rootRoute,
    path: '/compare',
    validateSearch: (search: Record<string, unknown>) => readComparison(search),
    component: () => <ComparePage {...readComparison(compareRoute.useSearch())} />,
  });
  const sessionRoute = createRoute({
    getParentRoute: () => rootRoute,
    path: '/sessions/$sessionId',
    component: () => {
      const { sessionId } = sessionRoute.useParams();
      return <SessionPage key={sessionId} sessionId={sessionId} />;
    },
  });
  const fixRoute = createRoute({
    getParentRoute: () => rootRoute,
    path: '/fix',
    validateSearch: (search: Record<string, unknown>) => search,
    component: () => <FixRuns runs={fixedRuns(fixRoute.useSearch())} />,
  });
  const tasksRoute = createRoute({
    getParentRoute: () => rootRoute,
    path: '/tasks',
    component: () => <TasksPage taskId={null} drawRun={drawRunOfTask} />,
  });
  const taskRoute = createRoute({
    getParentRoute: () => rootRoute,
    path: '/tasks/$taskId',
    component: () => <TasksPage taskId={taskRoute.useParams().taskId} drawRun={drawRunOfTask} />,
  });
  return [runsRoute, runRoute, compareRoute, sessionRoute, fixRoute, tasksRoute, taskRoute];
}
