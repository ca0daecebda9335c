import './runs.css';
import { Button, Tooltip } from '@mantine/core';
import { IconListDetails } from '@tabler/icons-react';
import type { RunRow } from '../../../server/contract/dashboard/runs.ts';
import { navigateTo } from '../../app/navigation.ts';
import { paths } from '../../app/paths.ts';
import { type DataColumn, DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { ListSkeleton, Page } from '../../ui/page.tsx';
import { Badge, StatusBadge } from '../../ui/status-badge.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { isFiltered, type RunFilter, runsPath, unsupportedText } from './run-filter-model.ts';
import { RunFilters } from './run-filters.tsx';
import { useHeldRows } from './use-held-rows.ts';
import { useRunList } from './use-run-list.ts';

const NUMBERS = new Intl.NumberFormat('en');

const COLUMNS: readonly DataColumn<RunRow>[] = [
  {
    id: 'status',
    header: 'Status',
    width: '190px',
    cell: (run) => (
      <>
        <StatusBadge status={run.status} />{' '}
        {run.stuck && (
          <Tooltip label={run.stuck_reason ?? 'No progress'}>
            <span>
              <Badge tone="warning">stuck</Badge>
            </span>
          </Tooltip>
        )}
      </>
    ),
  },
  {
    id: 'workflow',
    header: 'Workflow',
    cell: (run) => (
      <>
        <strong className="sw-run-name">{run.workflow_name || run.agent_name || 'Run'}</strong>
        {run.workflow_name !== '' && run.agent_name !== '' && (
          <span className="sw-faint"> {run.agent_name}</span>
        )}
      </>
    ),
  },
  {
    id: 'step',
    header: 'At',
    width: '140px',
    cell: (run) => run.current_node_id ?? run.current_step_id ?? '–',
  },
  {
    id: 'tokens',
    header: 'Tokens',
    width: '84px',
    align: 'right',
    cell: (run) =>
      run.usage?.total_tokens === null || run.usage === null
        ? '–'
        : NUMBERS.format(run.usage.total_tokens),
  },
  {
    id: 'run',
    header: 'Run',
    width: '92px',
    cell: (run) => <span className="sw-mono">{run.run_id.slice(0, 8)}</span>,
  },
  {
    id: 'created',
    header: 'Created',
    width: '124px',
    cell: (run) => <TimeAgo at={run.created_at} />,
  },
  {
    id: 'updated',
    header: 'Updated',
    width: '124px',
    cell: (run) => <TimeAgo at={run.updated_at} />,
  },
];

const rowId = (run: RunRow): string => run.run_id;

/** The runs of the platform, newest change first; the filter lives in the address. */
export function RunsPage(props: { readonly filter: RunFilter }) {
  const { filter } = props;
  return (
    <Page title="Runs" flush testId="runs-page">
      <div className="sw-runs">
        <RunFilters
          filter={filter}
          onChange={(next) => navigateTo(runsPath(next), { replace: true })}
        />
        <RunTable key={runsPath(filter)} filter={filter} />
      </div>
    </Page>
  );
}

function RunTable(props: { readonly filter: RunFilter }) {
  const { list, rows, total, reachable, unsupported, live } = useRunList(props.filter);
  const { held, hold, letGo } = useHeldRows(rows);
  if (list.isPending) {
    return (
      <div className="sw-runs-state">
        <ListSkeleton rows={10} />
      </div>
    );
  }
  if (list.isError && rows.length === 0) {
    return <ErrorState error={list.error} onRetry={() => void list.refetch()} />;
  }
  if (rows.length === 0) {
    return <NoRuns filtered={isFiltered(props.filter)} />;
  }
  return (
    <>
      <div className="sw-runs-line" role="status">
        <span className="sw-faint">
          {NUMBERS.format(total)} runs
          {total > reachable && `, the newest ${NUMBERS.format(reachable)} can be reached`}
          {!live && ', live updates rest while older runs are shown'}
        </span>
        {unsupported.length > 0 && (
          <Badge tone="warning">
            This platform cannot filter by {unsupportedText(unsupported)}
          </Badge>
        )}
        {list.isError && <Badge tone="danger">Not up to date: {list.error.message}</Badge>}
        {held.waiting > 0 && (
          <Button size="compact-xs" variant="light" onClick={hold} data-testid="show-new-runs">
            {held.waiting === 1 ? 'Show 1 new run' : `Show ${held.waiting} new runs`}
          </Button>
        )}
      </div>
      <div className="sw-runs-table" onPointerEnter={hold} onPointerLeave={letGo}>
        <DataTable
          label="Runs"
          columns={COLUMNS}
          rows={held.rows}
          rowId={rowId}
          onOpen={(run) => navigateTo(paths.run(run.run_id))}
          onEndReached={() => {
            if (list.hasNextPage && !list.isFetchingNextPage) {
              void list.fetchNextPage();
            }
          }}
        />
      </div>
    </>
  );
}

function NoRuns(props: { readonly filtered: boolean }) {
  return (
    <EmptyState
      icon={<IconListDetails size={32} stroke={1.25} />}
      title={props.filtered ? 'No run matches these filters' : 'No runs yet'}
      actions={
        props.filtered && (
          <Button variant="default" size="xs" onClick={() => navigateTo(runsPath({}))}>
            Clear filters
          </Button>
        )
      }
    >
      {props.filtered ? undefined : 'Run an artifact to see it here.'}
    </EmptyState>
  );
}
