import './test-runs.css';
import { IconUserCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { listHumanTasks } from '../../../server/contract/dashboard/human-tasks.ts';
import { AppLink } from '../../app/app-link.tsx';
import { paths } from '../../app/paths.ts';
import { queryClient, routePrefix, routeQuery } from '../../data/query-client.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { ListSkeleton, Page } from '../../ui/page.tsx';
import { TaskAnswer } from './task-answer.tsx';

/** Tasks that wait for a person, each with its decisions. */
export function TaskListPage() {
  const tasks = useQuery({
    ...routeQuery(listHumanTasks, {}),
    staleTime: 0,
    refetchInterval: 4_000,
  });
  const rows = tasks.data?.rows ?? [];
  return (
    <Page title="Tasks" sub="Runs that wait for a person" testId="tasks-page">
      {tasks.isPending && <ListSkeleton />}
      {tasks.isError && <ErrorState error={tasks.error} onRetry={() => void tasks.refetch()} />}
      {tasks.isSuccess && rows.length === 0 && (
        <EmptyState icon={<IconUserCheck size={32} stroke={1.25} />} title="No tasks are waiting">
          A run that reaches a human step appears here.
        </EmptyState>
      )}
      {rows.map((task) => (
        <section className="sw-run-section" key={task.continuation_id}>
          <h2 className="sw-section-title">
            <AppLink to={paths.run(task.run_id)}>{task.workflow_name}</AppLink>{' '}
            <span className="sw-faint">
              waiting since {task.created_age}
              {task.deadline_age === '' ? '' : `, due ${task.deadline_age}`}
            </span>
          </h2>
          <TaskAnswer
            continuationId={task.continuation_id}
            onAnswered={() =>
              void queryClient.invalidateQueries({ queryKey: routePrefix(listHumanTasks) })
            }
          />
        </section>
      ))}
    </Page>
  );
}
