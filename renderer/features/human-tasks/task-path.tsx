import { t } from '../../../preload/texts/t.ts';
import './task-path.css';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { getRunRecord } from '../../../server/contract/dashboard/run-record.ts';
import { getRun, getRunGraph, type RunDetail } from '../../../server/contract/dashboard/runs.ts';
import { routeQuery } from '../../data/query-client.ts';
import { NewerRead } from '../../ui/newer-read.tsx';
import { Unread } from '../../ui/unread.tsx';
import { type TaskPath as Path, taskPath } from './task-path-model.ts';

/** A run that waits changes by its answer alone, after which another task stands here. */
const STILL_MS = 10_000;

/** The run of a task beside it: what has ended, which step asks, what may come next. */
export function TaskPath(props: {
  readonly runId: string;
  /** Draws the run as its own page does. */
  readonly drawRun: (run: RunDetail) => ReactNode;
}) {
  const input = { params: { run_id: props.runId } };
  const run = useQuery({ ...routeQuery(getRun, input), staleTime: STILL_MS });
  const graph = useQuery({ ...routeQuery(getRunGraph, input), staleTime: STILL_MS });
  const record = useQuery({ ...routeQuery(getRunRecord, input), staleTime: STILL_MS });
  const unread = [run, graph].find(({ data }) => data === undefined);
  return (
    <aside className="sw-task-path" aria-label={t('The run of this task')} data-testid="task-path">
      <h3 className="sw-section-title">{t('Where the run stands')}</h3>
      {run.data !== undefined && graph.data !== undefined && record.data !== undefined ? (
        <>
          <Way
            way={taskPath(graph.data, {
              path: run.data.path,
              metadata: record.data.metadata,
            })}
          />
          {props.drawRun(run.data)}
        </>
      ) : unread === undefined ? (
        <NewerRead query={record} rows={5} compact />
      ) : (
        <Unread query={unread} rows={5} compact />
      )}
    </aside>
  );
}

function Way({ way }: { readonly way: Path }) {
  const { done, asks, next } = way;
  return (
    <dl className="sw-facts">
      <dt>{t('Done')}</dt>
      <dd>{done.length === 0 ? t('nothing yet') : done.join(' → ')}</dd>
      <dt>{t('Asks')}</dt>
      <dd>
        <strong>{asks ?? t('a step that the platform does not name')}</strong>
      </dd>
      <dt>{t('Next')}</dt>
      <dd data-testid="task-next">
        <Next next={next} />
      </dd>
    </dl>
  );
}

function Next({ next }: Pick<Path, 'next'>) {
  if (next === undefined) {
    return <>{t('This kind of workflow has no graph that tells it.')}</>;
  }
  if (next.length === 0) {
    return <>{t('The run ends with the answer, whichever it is.')}</>;
  }
  return (
    <ul>
      {next.map(({ id, label, when }, at) => (
        <li key={`${id} ${when}`}>
          <strong>{label}</strong> {when ?? (at === 0 ? t('whatever the answer') : t('otherwise'))}
        </li>
      ))}
    </ul>
  );
}
