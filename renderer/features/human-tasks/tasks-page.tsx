import './human-tasks.css';
import { IconUserCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import {
  type HumanTaskRow,
  listHumanTasks,
} from '../../../server/contract/dashboard/human-tasks.ts';
import { navigateTo } from '../../app/navigation.ts';
import { paths } from '../../app/paths.ts';
import { useSingleKeys } from '../../app/use-single-keys.ts';
import { routeQuery } from '../../data/query-client.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { ListSkeleton, Page } from '../../ui/page.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { Deadline } from './deadline.tsx';
import { chosenTask, neighbour } from './task-queue-model.ts';
import { TaskView } from './task-view.tsx';

const LIVE_MS = 4_000;
const LIMIT = 200;

/** The queue of human tasks, nearest deadline first, with the chosen one beside it. */
export function TasksPage(props: { readonly taskId: string | null }) {
  const tasks = useQuery({
    ...routeQuery(listHumanTasks, { query: { limit: LIMIT } }),
    staleTime: 0,
    refetchInterval: LIVE_MS,
  });
  const rows = tasks.data?.rows ?? [];
  const lastIndex = useRef(0);
  const current = chosenTask(rows, props.taskId, lastIndex.current);
  const currentId = current?.continuation_id;
  useEffect(() => {
    const at = rows.findIndex((row) => row.continuation_id === currentId);
    if (at >= 0) {
      lastIndex.current = at;
    }
  });
  const move = (step: 1 | -1): void => {
    const next = neighbour(rows, currentId, step);
    if (next !== undefined) {
      navigateTo(paths.task(next.continuation_id), { replace: true });
    }
  };
  useSingleKeys({ j: () => move(1), k: () => move(-1) }, true);
  const { refetch } = tasks;
  const onAnswered = useCallback(() => void refetch(), [refetch]);
  const total = tasks.data?.total ?? 0;
  return (
    <Page
      title="Tasks"
      testId="tasks-page"
      flush={rows.length > 0}
      sub={
        rows.length === 0 ? (
          'Runs that wait for a person'
        ) : (
          <>
            {total > rows.length ? `The first ${rows.length} of ${total}` : total} waiting.{' '}
            <kbd className="sw-kbd">j</kbd> <kbd className="sw-kbd">k</kbd> move
          </>
        )
      }
    >
      {tasks.isPending && <ListSkeleton />}
      {tasks.isError && rows.length === 0 && (
        <ErrorState error={tasks.error} onRetry={() => void tasks.refetch()} />
      )}
      {tasks.isSuccess && rows.length === 0 && (
        <EmptyState icon={<IconUserCheck size={32} stroke={1.25} />} title="No tasks are waiting">
          A run that reaches a human step appears here.
        </EmptyState>
      )}
      {rows.length > 0 && (
        <div className="sw-inbox">
          <ol className="sw-inbox-list" aria-label="Open tasks">
            {rows.map((row) => (
              <TaskItem
                key={row.continuation_id}
                row={row}
                current={row.continuation_id === currentId}
              />
            ))}
          </ol>
          <div className="sw-inbox-task">
            {currentId !== undefined && (
              <TaskView
                key={currentId}
                continuationId={currentId}
                keys
                showRun
                onAnswered={onAnswered}
              />
            )}
          </div>
        </div>
      )}
    </Page>
  );
}

function TaskItem(props: { readonly row: HumanTaskRow; readonly current: boolean }) {
  const { row, current } = props;
  const item = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (current) {
      item.current?.scrollIntoView({ block: 'nearest' });
    }
  }, [current]);
  return (
    <li ref={item}>
      <button
        type="button"
        aria-current={current ? 'true' : undefined}
        onClick={() => navigateTo(paths.task(row.continuation_id), { replace: true })}
        data-testid={`task-${row.continuation_id}`}
      >
        <span className="sw-inbox-head">
          <strong>{row.workflow_name || 'Run'}</strong>
          <Deadline expiresAt={row.expires_at} />
        </span>
        <span className="sw-inbox-text">{row.request_summary}</span>
        <span className="sw-inbox-head sw-faint">
          <span>{row.created_age === '—' ? '' : `asked ${row.created_age} ago`}</span>
          {row.status === 'escalated' && <StatusBadge status={row.status} />}
        </span>
      </button>
    </li>
  );
}
