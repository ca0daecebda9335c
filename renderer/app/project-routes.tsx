import { type AnyRoute, createRoute } from '@tanstack/react-router';
import { ArtifactsPage } from '../features/artifacts/artifacts-page.tsx';
import { ProjectEstatePage } from '../features/import/estate/project-estate-page.tsx';

/** Addresses of the pages in `project-places.ts`, under the root of `routes.tsx`. */
export function projectRoutes(rootRoute: AnyRoute): AnyRoute[] {
  const artifactsRoute = createRoute({
    getParentRoute: () => rootRoute,
    path: '/projects/$projectId/artifacts',
    component: () => <ArtifactsPage projectId={artifactsRoute.useParams().projectId} />,
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
  return [artifactsRoute, estateRoute];
}
