import { IconAlertTriangle, IconClockPause, IconUserCheck } from '@tabler/icons-react';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { t } from '../../../preload/texts/t.ts';
import type { RunList, RunRow } from '../../../server/contract/dashboard/runs.ts';
import { AppLink } from '../../app/app-link.tsx';
import { hrefOf } from '../../app/navigation.ts';
import { paths } from '../../app/paths.ts';
import { every } from '../../data/failure-pace.ts';
import { errorInBrief } from '../../data/run-error.ts';
import { runName } from '../../data/run-name.ts';
import { useRunOrigins } from '../../data/use-run-origins.ts';
import { shortRunId } from '../../ui/short-id.ts';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { Unread } from '../../ui/unread.tsx';
import type { CountedFailures } from './overview-model.ts';
import { EACH, overviewReads } from './overview-reads.ts';

/** Both lists of runs are read at once when the counts above have changed. */
const EVERY_MS = 60_000;

interface Need {
  readonly key: string;
  readonly to: string;
  readonly icon: ReactNode;
  readonly title: string;
  readonly about: string;
  readonly when: ReactNode;
}

/** What waits for a person: tasks by their deadline, stuck runs, the newest failures. */
export function NeedsNow({ failures }: { readonly failures: CountedFailures | undefined }) {
  const reading = { refetchInterval: every(EVERY_MS), staleTime: 0 };
  // The badge of the tasks reads the same list, and often enough.
  const tasks = useQuery({ ...overviewReads.tasks, staleTime: 0 });
  const stuck = useQuery({ ...overviewReads.stuck, ...reading });
  const failed = useQuery({ ...overviewReads.failed, ...reading });
  useListAsCounted(failed, failures);
  const stuckRuns = stuck.data?.rows ?? [];
  const failedRuns = failed.data?.rows ?? [];
  const origins = useRunOrigins([...stuckRuns, ...failedRuns].map(({ session_id }) => session_id));
  const needOf = (run: RunRow, icon: ReactNode, about: string | null): Need => ({
    key: run.run_id,
    to: paths.run(run.run_id),
    icon,
    title: `${runName(run, origins.get(run.session_id ?? ''))} ${shortRunId(run.run_id)}`,
    about: about ?? '',
    when: <TimeAgo at={run.updated_at} narrow />,
  });
  const waiting: Need[] = (tasks.data?.rows ?? []).slice(0, EACH).map((task) => ({
    key: task.continuation_id,
    to: paths.task(task.continuation_id),
    icon: <IconUserCheck size={18} stroke={1.5} aria-hidden />,
    title: task.request_summary,
    about: [task.workflow_name, task.input_preview].filter(Boolean).join(' · '),
    when:
      task.expires_at === null ? t('no deadline') : t('due {when}', { when: task.deadline_age }),
  }));
  const stopped = stuckRuns.map((run) =>
    needOf(run, <IconClockPause size={18} stroke={1.5} aria-hidden />, run.stuck_reason),
  );
  const broken = failedRuns.map((run) =>
    needOf(
      run,
      <IconAlertTriangle size={18} stroke={1.5} aria-hidden />,
      errorInBrief(run.error_preview),
    ),
  );
  return (
    <div className="sw-operate-columns" data-testid="needs-now">
      <Needs
        title={t('Waiting for a person')}
        needs={waiting}
        query={tasks}
        total={tasks.data?.total ?? 0}
        all={paths.tasks()}
        none={t('No task waits.')}
        testId="needs-tasks"
      />
      <Needs
        title={t('Stuck')}
        needs={stopped}
        query={stuck}
        total={stuck.data?.total ?? 0}
        all={paths.runs({ stuck: '1' })}
        none={t('No run is stuck.')}
        testId="needs-stuck"
      />
      <Needs
        title={t('Failed last')}
        needs={broken}
        query={failed}
        total={failed.data?.total ?? 0}
        all={paths.runs({ status: 'failed' })}
        none={t('No run failed.')}
        testId="needs-failed"
      />
    </div>
  );
}

/**
 * The counts may know of a failure that the list, read at the same time, does not: it is read again,
 * once for each answer that tells another number.
 */
function useListAsCounted(
  { data, refetch }: Pick<UseQueryResult<RunList>, 'data' | 'refetch'>,
  failures: CountedFailures | undefined,
): void {
  const seen = useRef(0);
  const total = data?.total;
  useEffect(() => {
    if (failures === undefined || total === undefined || seen.current === failures.at) return;
    if (total !== failures.count) {
      seen.current = failures.at;
      void refetch();
    }
  }, [failures, total, refetch]);
}

function Needs(props: {
  readonly title: string;
  readonly needs: readonly Need[];
  readonly query: Parameters<typeof Unread>[0]['query'];
  readonly total: number;
  readonly all: string;
  readonly none: string;
  readonly testId: string;
}) {
  const { needs, query } = props;
  return (
    <section data-testid={props.testId}>
      <h2 className="sw-section-title">{props.title}</h2>
      <Unread query={query} rows={3} compact />
      {query.dataUpdatedAt > 0 && needs.length === 0 && <p className="sw-faint">{props.none}</p>}
      <ul className="sw-needs">
        {needs.map(({ key, to, icon, title, about, when }) => (
          <li key={key}>
            <a href={hrefOf(to)}>
              {icon}
              <span className="sw-needs-title" title={title}>
                {title}
              </span>
              <span className="sw-faint sw-unbroken">{when}</span>
              {about !== '' && <small title={about}>{about}</small>}
            </a>
          </li>
        ))}
      </ul>
      {props.total > needs.length && (
        <p>
          <AppLink to={props.all}>{t('All {count, number}', { count: props.total })}</AppLink>
        </p>
      )}
    </section>
  );
}
