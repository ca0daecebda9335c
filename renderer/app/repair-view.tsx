import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { t } from '../../preload/texts/t.ts';
import type { EstateCause } from '../../server/contract/studio/estate.ts';
import { listRepairs } from '../../server/contract/studio/repairs.ts';
import { estateOf } from '../../server/gaps/estate/estate.ts';
import { routeQuery } from '../data/query-client.ts';
import type { RepairFile } from '../features/gaps/repair/repair-model.ts';
import { RepairPage } from '../features/gaps/repair/repair-page.tsx';
import { sharedFolder, shownName } from '../features/import/batch-model.ts';
import { estateFiles } from '../features/import/estate/estate-files.ts';
import { estateNames, useProjectEstate } from '../features/import/estate/estate-queries.ts';
import type { BatchRow } from '../features/import/import-batch-store.ts';
import { useBatch } from '../features/import/use-batch.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { ListSkeleton, Page } from '../ui/page.tsx';
import { AppLink } from './app-link.tsx';
import { paths } from './paths.ts';

const NO_ROWS: readonly BatchRow[] = [];

interface RepairViewProps {
  readonly projectId: string;
  readonly causeId: string;
  /** A repair that was made before, to be made again. */
  readonly repairId: string | undefined;
}

function repairFile(row: BatchRow, folder: string): RepairFile[] {
  const { report, analysisId, facts } = row;
  const { path, draft } = report;
  return draft === null || analysisId === null
    ? []
    : [{ path, name: shownName(row, folder), draft, analysisId, facts }];
}

/** The repair of a cause in the drafts of the latest import: what the import and the gaps know of it. */
export function RepairView(props: RepairViewProps) {
  const { projectId, causeId } = props;
  const batch = useBatch(projectId);
  const rows = batch?.rows ?? NO_ROWS;
  const cause = useMemo(
    () => estateOf(estateFiles(rows)).causes.find(({ id }) => id === causeId),
    [rows, causeId],
  );
  const files = useMemo(() => {
    const folder = sharedFolder(rows.map(({ report }) => report));
    return rows
      .filter(({ causes }) => causes.some(({ id }) => id === causeId))
      .flatMap((row) => repairFile(row, folder));
  }, [rows, causeId]);
  return (
    <CauseRepair
      {...props}
      {...{ cause, files }}
      waiting={batch === undefined || batch?.phase === 'running'}
      of={t('the latest import')}
      causesPath={paths.importBatch(projectId, 'causes')}
    />
  );
}

/** The repair of a cause in all drafts of a project that have it. */
export function ProjectRepairView(props: RepairViewProps) {
  const { projectId, causeId } = props;
  const { data, error, refetch } = useProjectEstate(projectId);
  const cause = data?.causes.find(({ id }) => id === causeId);
  const files = useMemo(() => {
    const refs = new Set(data?.causes.find(({ id }) => id === causeId)?.files);
    const drafts = data?.drafts.filter(({ ref }) => refs.has(ref)) ?? [];
    const names = estateNames(drafts);
    return drafts.map((draft): RepairFile => {
      const { ref, analysis_id: analysisId, workflow: facts } = draft;
      return { path: ref, name: names.get(ref) ?? ref, draft: ref, analysisId, facts };
    });
  }, [data, causeId]);
  if (error !== null) {
    return (
      <Page title={t('Repair')} testId="repair-page">
        <ErrorState error={error} onRetry={() => void refetch()} />
      </Page>
    );
  }
  return (
    <CauseRepair
      {...props}
      {...{ cause, files }}
      waiting={data === undefined}
      of={t('this project')}
      causesPath={paths.estate(projectId, 'causes')}
    />
  );
}

function CauseRepair(
  props: RepairViewProps & {
    readonly cause: EstateCause | undefined;
    readonly files: readonly RepairFile[];
    readonly waiting: boolean;
    /** Whose drafts they are. */
    readonly of: string;
    readonly causesPath: string;
  },
) {
  const { projectId, causeId, repairId, cause, files, causesPath } = props;
  const repairs = useQuery(routeQuery(listRepairs, { params: { project_id: projectId } }));
  const start = useMemo(
    () =>
      repairs.data?.find(({ id, cause: of }) =>
        repairId === undefined ? of === causeId : id === repairId,
      ),
    [repairs.data, causeId, repairId],
  );
  if (props.waiting || repairs.isPending) {
    return (
      <Page title={t('Repair')} testId="repair-page">
        <ListSkeleton rows={8} />
      </Page>
    );
  }
  return cause === undefined || files.length === 0 ? (
    <Page title={t('Repair')} testId="repair-page">
      <EmptyState title={t('No draft of {of} has this cause', { of: props.of })}>
        <AppLink to={causesPath}>{t('All causes')}</AppLink>
      </EmptyState>
    </Page>
  ) : (
    <RepairPage {...{ projectId, cause, files, causesPath, start }} />
  );
}
