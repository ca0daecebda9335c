import { TextInput } from '@mantine/core';
import { IconListDetails, IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { z } from 'zod';
import { listRuns, type runRow } from '../../../server/contract/dashboard/runs.ts';
import { navigateTo } from '../../app/navigation.ts';
import { paths } from '../../app/paths.ts';
import { routeQuery } from '../../data/query-client.ts';
import { type DataColumn, DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { ListSkeleton, Page } from '../../ui/page.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';

type RunRow = z.output<typeof runRow>;

const COLUMNS: readonly DataColumn<RunRow>[] = [
  {
    id: 'status',
    header: 'Status',
    width: '130px',
    cell: (run) => <StatusBadge status={run.status} />,
  },
  { id: 'workflow', header: 'Workflow', cell: (run) => run.workflow_name || run.agent_name },
  { id: 'kind', header: 'Kind', width: '120px', cell: (run) => run.workflow_kind },
  {
    id: 'step',
    header: 'At',
    width: '150px',
    cell: (run) => run.current_node_id ?? run.current_step_id ?? '–',
  },
  {
    id: 'run',
    header: 'Run',
    width: '110px',
    cell: (run) => <span className="sw-mono">{run.run_id.slice(0, 8)}</span>,
  },
  {
    id: 'updated',
    header: 'Updated',
    width: '140px',
    cell: (run) => <TimeAgo at={run.updated_at} />,
  },
];

const rowId = (run: RunRow): string => run.run_id;
const PAGE = 200;

/** Runs of the platform, newest change first. */
export function RunsListPage() {
  const [search, setSearch] = useState('');
  const runs = useQuery({
    ...routeQuery(listRuns, {
      query: { limit: PAGE, ...(search.trim() === '' ? {} : { q: search.trim() }) },
    }),
    staleTime: 0,
    refetchInterval: 3_000,
    placeholderData: keepPreviousData,
  });
  const rows = runs.data?.rows ?? [];
  return (
    <Page
      title="Runs"
      sub={runs.data === undefined ? undefined : `${runs.data.total} runs`}
      flush={rows.length > 0}
      testId="runs-page"
      actions={
        <TextInput
          leftSection={<IconSearch size={15} aria-hidden />}
          placeholder="Search runs"
          aria-label="Search runs"
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      }
    >
      {runs.isPending && <ListSkeleton />}
      {runs.isError && <ErrorState error={runs.error} onRetry={() => void runs.refetch()} />}
      {runs.isSuccess && rows.length === 0 && (
        <EmptyState icon={<IconListDetails size={32} stroke={1.25} />} title="No runs">
          {search === '' ? 'Run an artifact to see it here.' : 'No run matches the search.'}
        </EmptyState>
      )}
      {rows.length > 0 && (
        <DataTable
          label="Runs"
          columns={COLUMNS}
          rows={rows}
          rowId={rowId}
          onOpen={(run) => navigateTo(paths.run(run.run_id))}
        />
      )}
    </Page>
  );
}
