import { createRootRoute, createRoute } from '@tanstack/react-router';
import { ImportResultPage } from '../features/import/import-result-page.tsx';
import { ProjectPage } from '../features/projects/project-page.tsx';
import { WelcomePage } from '../features/welcome/welcome-page.tsx';
import { operateRoutes } from './operate-routes.tsx';
import { RootLayout } from './root-layout.tsx';

const rootRoute = createRootRoute({ component: RootLayout });

/** A value of the address's query, as text. */
function textOf(value: unknown): string | undefined {
  return value === undefined || value === null || value === '' ? undefined : String(value);
}

const welcomeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  component: WelcomePage,
});

const projectRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/projects/$projectId',
  component: () => {
    const { projectId } = projectRoute.useParams();
    return <ProjectPage key={projectId} projectId={projectId} />;
  },
});

const importRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/projects/$projectId/imports/$analysisId',
  validateSearch: (search) => ({ ref: textOf(search['ref']) ?? '' }),
  component: () => {
    const { projectId, analysisId } = importRoute.useParams();
    const { ref } = importRoute.useSearch();
    return <ImportResultPage projectId={projectId} analysisId={analysisId} draftRef={ref} />;
  },
});

/** The tree of addresses; `paths.ts` writes them. */
export const routeTree = rootRoute.addChildren([
  welcomeRoute,
  projectRoute,
  importRoute,
  ...operateRoutes(rootRoute),
]);
