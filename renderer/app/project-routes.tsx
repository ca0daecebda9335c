import { type AnyRoute, createRoute } from '@tanstack/react-router';
import { ArtifactsPage } from '../features/artifacts/artifacts-page.tsx';
import { EnvironmentsPage } from '../features/environments/environments-page.tsx';
import { ProjectEstatePage } from '../features/import/estate/project-estate-page.tsx';

/** Addresses of the pages in `project-places.ts`, under the root of `routes.tsx`. */
export function projectRoutes(rootRoute: AnyRoute): AnyRoute[] {
  const artifactsRoute = createRoute({
    getParentRoute: () => rootRoute,
    path: '/projects/$projectId/artifacts',
    component: () => <ArtifactsPage projectId={artifactsRoute.useParams().projectId} />,
  });
  const environmentsRoute = createRoute({
    getParentRoute: () => rootRoute,
    path: '/projects/$projectId/environments',
    validateSearch: (search: Record<string, unknown>): { alias?: string; open?: string } => ({
      ...(typeof search['alias'] === 'string' ? { alias: search['alias'] } : {}),
      ...(typeof search['open'] === 'string' ? { open: search['open'] } : {}),
    }),
    component: () => {
      const { projectId } = environmentsRoute.useParams();
      const { alias, open } = environmentsRoute.useSearch();
      return <EnvironmentsPage projectId={projectId} alias={alias} open={open} />;
    },
  });
  const estateRoute = createRoute({
    getParentRoute: () => rootRoute,
    path: '/projects/$projectId/estate',
    validateSearch: (search: Record<string, unknown>): { view?: string } =>
      typeof search['view'] === 'string' ? { view: search['view'] } : {},
    component: () => {
      const { projectId } = estateRoute.useParams();
      return <ProjectEstatePage projectId={projectId} view={estateRoute.useSearch().view} />;
    },
  });
  return [artifactsRoute, environmentsRoute, estateRoute];
}
