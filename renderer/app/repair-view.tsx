import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { listRepairs } from '../../server/contract/studio/repairs.ts';
import { estateOf } from '../../server/gaps/estate/estate.ts';
import { routeQuery } from '../data/query-client.ts';
import type { RepairFile } from '../features/gaps/repair/repair-model.ts';
import { RepairPage } from '../features/gaps/repair/repair-page.tsx';
import { sharedFolder, shownName } from '../features/import/batch-model.ts';
import { estateFiles } from '../features/import/estate/estate-files.ts';
import type { BatchRow } from '../features/import/import-batch-store.ts';
import { useBatch } from '../features/import/use-batch.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { ListSkeleton, Page } from '../ui/page.tsx';
import { AppLink } from './app-link.tsx';
import { paths } from './paths.ts';

const NO_ROWS: readonly BatchRow[] = [];

function repairFile(row: BatchRow, folder: string): RepairFile[] {
  const { report, analysisId, facts } = row;
  const { path, draft } = report;
  return draft === null || analysisId === null
    ? []
    : [{ path, name: shownName(row, folder), draft, analysisId, facts }];
}

/** The repair of a cause in the drafts of the latest import: what the import and the gaps know of it. */
export function RepairView(props: {
  readonly projectId: string;
  readonly causeId: string;
  /** A repair that was made before, to be made again. */
  readonly repairId: string | undefined;
}) {
  const { projectId, causeId, repairId } = props;
  const batch = useBatch(projectId);
  const repairs = useQuery(routeQuery(listRepairs, { params: { project_id: projectId } }));
  const rows = batch?.rows ?? NO_ROWS;
  const running = batch?.phase === 'running';
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
  const start = useMemo(
    () =>
      repairs.data?.find(({ id, cause: of }) =>
        repairId === undefined ? of === causeId : id === repairId,
      ),
    [repairs.data, causeId, repairId],
  );
  if (batch === undefined || repairs.isPending || running) {
    return (
      <Page title="Repair" testId="repair-page">
        <ListSkeleton rows={8} />
      </Page>
    );
  }
  return cause === undefined || files.length === 0 ? (
    <Page title="Repair" testId="repair-page">
      <EmptyState title="No draft of the latest import has this cause">
        <AppLink to={paths.importBatch(projectId, 'causes')}>All causes</AppLink>
      </EmptyState>
    </Page>
  ) : (
    <RepairPage projectId={projectId} cause={cause} files={files} start={start} />
  );
}
