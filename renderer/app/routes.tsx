import { createRootRoute, createRoute } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { GapPage } from '../features/gaps/gap-page.tsx';
import { LedgerPage } from '../features/gaps/ledger/ledger-page.tsx';
import { ImportOutcome } from '../features/gaps/outcome/import-outcome.tsx';
import { ImportBatchPage } from '../features/import/import-batch-page.tsx';
import { ImportResultPage } from '../features/import/import-result-page.tsx';
import { ProjectPage } from '../features/projects/project-page.tsx';
import { SettingsPage } from '../features/settings/settings-page.tsx';
import { WelcomePage } from '../features/welcome/welcome-page.tsx';
import type { MeaningMergeProps } from '../ui/meaning-merge-props.ts';
import { ListSkeleton } from '../ui/page.tsx';
import { analysisRoutes } from './analysis-routes.tsx';
import { LiveDraftRun } from './live-draft-run.tsx';
import { operateRoutes } from './operate-routes.tsx';
import { operationsRoutes } from './operations-routes.tsx';
import { projectRoutes } from './project-routes.tsx';
import { ProjectRepairView, RepairView } from './repair-view.tsx';
import { RootLayout } from './root-layout.tsx';
import { textOf } from './search-text.ts';

const rootRoute = createRootRoute({ component: RootLayout });

function lineOf(value: unknown): number | undefined {
  const line = Number(value);
  return Number.isInteger(line) && line > 0 ? line : undefined;
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

const ReimportMeaning = lazy(async () => ({
  default: (await import('../features/editor/compare/reimport-meaning.tsx')).ReimportMeaning,
}));

function ReimportMeaningView(props: MeaningMergeProps) {
  return (
    <Suspense fallback={<ListSkeleton rows={6} />}>
      <ReimportMeaning {...props} />
    </Suspense>
  );
}

const importRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/projects/$projectId/imports/$analysisId',
  validateSearch: (search) => ({
    ref: textOf(search['ref']) ?? '',
    of: textOf(search['of']),
  }),
  component: () => {
    const { projectId, analysisId } = importRoute.useParams();
    const { ref, of } = importRoute.useSearch();
    return (
      <ImportResultPage
        projectId={projectId}
        analysisId={analysisId}
        draftRef={ref}
        reimportOf={of}
        meaning={ReimportMeaningView}
        outcome={ImportOutcome}
      />
    );
  },
});

const importBatchRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/projects/$projectId/imports',
  validateSearch: (search) => ({ view: textOf(search['view']) }),
  component: () => {
    const { projectId } = importBatchRoute.useParams();
    return <ImportBatchPage projectId={projectId} view={importBatchRoute.useSearch().view} />;
  },
});

const repairRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/projects/$projectId/repairs/$causeId',
  validateSearch: (search) => ({
    again: textOf(search['again']),
    scope: search['scope'] === 'project' ? ('project' as const) : undefined,
  }),
  component: () => {
    const { projectId, causeId } = repairRoute.useParams();
    const { again, scope } = repairRoute.useSearch();
    const View = scope === 'project' ? ProjectRepairView : RepairView;
    return (
      <View key={`${causeId} ${again}`} projectId={projectId} causeId={causeId} repairId={again} />
    );
  },
});

const EditorPage = lazy(async () => ({
  default: (await import('../features/editor/editor-page.tsx')).EditorPage,
}));
const ArtifactPage = lazy(async () => ({
  default: (await import('../features/artifacts/artifact-page.tsx')).ArtifactPage,
}));
const ArtifactFlow = lazy(async () => ({
  default: (await import('../features/editor/compose/artifact-flow.tsx')).ArtifactFlow,
}));
const ArtifactDrawing = lazy(async () => ({
  default: (await import('../features/editor/compose/artifact-drawing.tsx')).ArtifactDrawing,
}));

const draftRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/projects/$projectId/drafts/$',
  validateSearch: (search) => ({
    line: lineOf(search['line']),
    path: textOf(search['path']),
    credential: textOf(search['credential']),
  }),
  component: () => {
    const { projectId, _splat } = draftRoute.useParams();
    const { line, path, credential } = draftRoute.useSearch();
    const ref = _splat ?? '';
    return (
      <Suspense fallback={<ListSkeleton rows={12} />}>
        <EditorPage
          key={`${projectId}/${ref}`}
          projectId={projectId}
          draftRef={ref}
          line={line}
          credential={credential}
          path={path}
          liveRun={LiveDraftRun}
        />
      </Suspense>
    );
  },
});

const gapsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/projects/$projectId/gaps/$analysisId',
  validateSearch: (search) => ({
    ref: textOf(search['ref']),
    artifact: textOf(search['artifact']),
    gap: textOf(search['gap']),
    source: textOf(search['source']),
  }),
  component: () => {
    const { projectId, analysisId } = gapsRoute.useParams();
    const { ref, artifact, gap, source } = gapsRoute.useSearch();
    return (
      <GapPage
        key={analysisId}
        projectId={projectId}
        analysisId={analysisId}
        draftRef={ref}
        artifactId={artifact}
        gapId={gap}
        sourceId={source}
      />
    );
  },
});

const ledgerRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/projects/$projectId/gaps/$analysisId/ledger',
  validateSearch: (search) => ({
    ref: textOf(search['ref']),
    element: textOf(search['element']),
  }),
  component: () => {
    const { projectId, analysisId } = ledgerRoute.useParams();
    const { ref, element } = ledgerRoute.useSearch();
    return (
      <LedgerPage
        key={`${analysisId} ${element}`}
        projectId={projectId}
        analysisId={analysisId}
        draftRef={ref}
        element={element}
      />
    );
  },
});

const artifactRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/projects/$projectId/artifacts/$artifactId',
  component: () => {
    const { projectId, artifactId } = artifactRoute.useParams();
    return (
      <Suspense fallback={<ListSkeleton />}>
        <ArtifactPage
          projectId={projectId}
          artifactId={artifactId}
          drawing={ArtifactDrawing}
          flow={ArtifactFlow}
        />
      </Suspense>
    );
  },
});

const settingsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings',
  validateSearch: (search: Record<string, unknown>): { section?: string } =>
    typeof search['section'] === 'string' ? { section: search['section'] } : {},
  component: () => <SettingsPage section={settingsRoute.useSearch().section} />,
});

const LogsPage = lazy(async () => ({
  default: (await import('../features/logs/logs-page.tsx')).LogsPage,
}));

const logsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings/logs',
  component: () => (
    <Suspense fallback={<ListSkeleton rows={12} />}>
      <LogsPage />
    </Suspense>
  ),
});

const DiagnosticsPage = lazy(async () => ({
  default: (await import('../features/diagnostics/diagnostics-page.tsx')).DiagnosticsPage,
}));

const diagnosticsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings/diagnostics',
  component: () => (
    <Suspense fallback={<ListSkeleton rows={6} />}>
      <DiagnosticsPage />
    </Suspense>
  ),
});

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  // The page stands in place of the frame: whoever is asked there has no workbench yet.
  component: () => null,
});

/** The tree of addresses; `paths.ts` writes them. */
export const routeTree = rootRoute.addChildren([
  welcomeRoute,
  projectRoute,
  importBatchRoute,
  repairRoute,
  importRoute,
  draftRoute,
  gapsRoute,
  ledgerRoute,
  artifactRoute,
  settingsRoute,
  logsRoute,
  diagnosticsRoute,
  signInRoute,
  ...analysisRoutes(rootRoute),
  ...projectRoutes(rootRoute),
  ...operateRoutes(rootRoute),
  ...operationsRoutes(rootRoute),
]);
