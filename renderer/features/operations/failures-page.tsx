import { IconCircleCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { listRuns } from '../../../server/contract/dashboard/runs.ts';
import { AppLink } from '../../app/app-link.tsx';
import { paths } from '../../app/paths.ts';
import { routeQuery } from '../../data/query-client.ts';
import { countText } from '../../ui/count-text.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { Unread } from '../../ui/unread.tsx';
import { useNow } from '../../ui/use-now.ts';
import { RunLink } from './audit-parts.tsx';
import { type Cluster, clustersOf, spanOf, trendOf } from './failures-model.ts';
import { OperatePage } from './operate-page.tsx';

/** The newest failures are grouped; the page says of how many. */
const MOST = 200;
const EVERY_MS = 30_000;
const SAMPLES = 4;

/** Failed runs by what they say, so that one cause is looked at once. */
export function FailuresPage() {
  const query = useQuery({
    ...routeQuery(listRuns, {
      query: {
        status: 'failed',
        limit: MOST,
        offset: 0,
        sort_by: 'updated_at',
        sort_order: 'desc',
      },
    }),
    refetchInterval: EVERY_MS,
  });
  const now = useNow();
  const runs = query.data?.rows ?? [];
  const clusters = useMemo(() => clustersOf(query.data?.rows ?? []), [query.data]);
  const total = query.data?.total ?? 0;
  const span = spanOf(runs, now);
  return (
    <OperatePage
      title="Failures"
      sub="Failed runs by workflow and by what went wrong; ids, numbers and times in an error do not part them"
      testId="failures-page"
    >
      <Unread query={query} />
      {query.isSuccess && runs.length === 0 && (
        <EmptyState
          icon={<IconCircleCheck size={32} stroke={1.25} />}
          title="No run failed"
          testId="failures-none"
        >
          Runs that fail are grouped here by their cause.
        </EmptyState>
      )}
      {runs.length > 0 && (
        <p data-testid="failures-coverage">
          {countText(clusters.length, 'cause')} in{' '}
          {total > runs.length
            ? `the newest ${runs.length} of ${countText(total, 'failed run')}`
            : countText(runs.length, 'failed run')}
          .
        </p>
      )}
      {clusters.map((cluster) => (
        <Failure key={cluster.key} cluster={cluster} trend={trendOf(cluster.runs, span)} />
      ))}
    </OperatePage>
  );
}

function Failure(props: { readonly cluster: Cluster; readonly trend: readonly number[] }) {
  const { name, error, runs, workflow } = props.cluster;
  const [newest] = runs;
  const largest = Math.max(1, ...props.trend);
  return (
    <section className="sw-failure" data-testid="failure">
      <header>
        <h2 className="sw-section-title">{name}</h2>
        <div
          className="sw-trend"
          role="img"
          aria-label={`From the oldest failure to now: ${props.trend.join(', ')}`}
        >
          {props.trend.map((count, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a span of time is its place
            <i key={at} style={{ height: `${(100 * count) / largest}%` }} />
          ))}
        </div>
        <strong>{countText(runs.length, 'run')}</strong>
      </header>
      <p className="sw-mono">{error === '' ? 'The run says nothing about it.' : error}</p>
      <p className="sw-faint">
        Last <TimeAgo at={newest?.updated_at} />
        {': '}
        {runs.slice(0, SAMPLES).map(({ run_id }) => (
          <span key={run_id}>
            <RunLink runId={run_id} />{' '}
          </span>
        ))}
        {runs.length > SAMPLES && workflow !== undefined && (
          <AppLink to={paths.runs({ status: 'failed', workflow })}>
            all failed runs of {workflow}
          </AppLink>
        )}
      </p>
    </section>
  );
}
