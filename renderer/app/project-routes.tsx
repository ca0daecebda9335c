import { type AnyRoute, createRoute } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { ArtifactsPage } from '../features/artifacts/artifacts-page.tsx';
import { VersionDifference } from '../features/editor/compose/version-difference.tsx';
import { EnvironmentsPage } from '../features/environments/environments-page.tsx';
import { FindPage } from '../features/find/find-page.tsx';
import { ProjectEstatePage } from '../features/import/estate/project-estate-page.tsx';
import { ListSkeleton } from '../ui/page.tsx';
import { sharingRoutes } from './sharing-routes.tsx';

const ComposePage = lazy(async () => ({
  default: (await import('../features/editor/compose/compose-page.tsx')).ComposePage,
}));

const CompareVersionsPage = lazy(async () => ({
  default: (await import('../features/editor/compose/compare-versions-page.tsx'))
    .CompareVersionsPage,
}));
const CompositionPage = lazy(async () => ({
  default: (await import('../features/editor/compose/composition-page.tsx')).CompositionPage,
}));

function wordOf(value: unknown): string | undefined {
  return value === undefined || value === null || value === '' ? undefined : String(value);
}

/** Addresses of the pages in `project-places.ts`, under the root of `routes.tsx`. */
export function projectRoutes(rootRoute: AnyRoute): AnyRoute[] {
  const findRoute = createRoute({
    getParentRoute: () => rootRoute,
    path: '/projects/$projectId/find',
    component: () => <FindPage projectId={findRoute.useParams().projectId} />,
  });
  const artifactsRoute = createRoute({
    getParentRoute: () => rootRoute,
    path: '/projects/$projectId/artifacts',
    validateSearch: (search: Record<string, unknown>): { ref?: string } => {
      const ref = wordOf(search['ref']);
      return ref === undefined ? {} : { ref };
    },
    component: () => {
      const { projectId } = artifactsRoute.useParams();
      const { ref } = artifactsRoute.useSearch();
      return (
        <ArtifactsPage
          key={`${projectId} ${ref}`}
          projectId={projectId}
          draftRef={ref}
          difference={VersionDifference}
        />
      );
    },
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
  const compositionRoute = createRoute({
    getParentRoute: () => rootRoute,
    path: '/projects/$projectId/artifacts/$artifactId/composition',
    component: () => (
      <Suspense fallback={<ListSkeleton rows={12} />}>
        <CompositionPage {...compositionRoute.useParams()} />
      </Suspense>
    ),
  });
  const compareRoute = createRoute({
    getParentRoute: () => rootRoute,
    path: '/projects/$projectId/compare',
    validateSearch: (search: Record<string, unknown>): { left?: string; right?: string } => {
      const [left, right] = [wordOf(search['left']), wordOf(search['right'])];
      return {
        ...(left === undefined ? {} : { left }),
        ...(right === undefined ? {} : { right }),
      };
    },
    component: () => {
      const { projectId } = compareRoute.useParams();
      const { left, right } = compareRoute.useSearch();
      return (
        <Suspense fallback={<ListSkeleton rows={12} />}>
          <CompareVersionsPage projectId={projectId} left={left} right={right} />
        </Suspense>
      );
    },
  });
  const composeRoute = createRoute({
    getParentRoute: () => rootRoute,
    path: '/projects/$projectId/compose',
    validateSearch: (search: Record<string, unknown>): { base?: string; from?: string } => {
      const [base, from] = [wordOf(search['base']), wordOf(search['from'])];
      return { ...(base === undefined ? {} : { base }), ...(from === undefined ? {} : { from }) };
    },
    component: () => {
      const { projectId } = composeRoute.useParams();
      const { base, from } = composeRoute.useSearch();
      return (
        <Suspense fallback={<ListSkeleton rows={12} />}>
          <ComposePage key={projectId} projectId={projectId} base={base} from={from} />
        </Suspense>
      );
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
  return [
    findRoute,
    artifactsRoute,
    compositionRoute,
    compareRoute,
    composeRoute,
    environmentsRoute,
    estateRoute,
    ...sharingRoutes(rootRoute),
  ];
}
