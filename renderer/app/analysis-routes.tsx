import { type AnyRoute, createRoute } from '@tanstack/react-router';
import { FreshnessPage } from '../features/artifacts/freshness/freshness-page.tsx';
import { ProjectFreshnessPage } from '../features/artifacts/freshness/project-freshness-page.tsx';
import { ReviewPage } from '../features/gaps/review/review-page.tsx';
import { textOf } from './search-text.ts';

/** Addresses of all analyses of a project and of what they have become since. */
export function analysisRoutes(rootRoute: AnyRoute): AnyRoute[] {
  const freshnessRoute = createRoute({
    getParentRoute: () => rootRoute,
    path: '/projects/$projectId/freshness',
    component: () => <ProjectFreshnessPage projectId={freshnessRoute.useParams().projectId} />,
  });
  const artifactFreshnessRoute = createRoute({
    getParentRoute: () => rootRoute,
    path: '/projects/$projectId/artifacts/$artifactId/freshness',
    component: () => <FreshnessPage {...artifactFreshnessRoute.useParams()} />,
  });
  const reviewRoute = createRoute({
    getParentRoute: () => rootRoute,
    path: '/projects/$projectId/gaps',
    validateSearch: (search: Record<string, unknown>) => ({
      ref: textOf(search['ref']),
      artifact: textOf(search['artifact']),
    }),
    component: () => {
      const { ref, artifact } = reviewRoute.useSearch();
      const { projectId } = reviewRoute.useParams();
      return (
        <ReviewPage
          key={`${projectId} ${ref} ${artifact}`}
          projectId={projectId}
          draftRef={ref}
          artifactId={artifact}
        />
      );
    },
  });
  return [freshnessRoute, artifactFreshnessRoute, reviewRoute];
}
