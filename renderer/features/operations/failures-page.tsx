import { Button, NativeSelect, Switch } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { t } from '../../../preload/texts/t.ts';
import { listTaggedAnnotations } from '../../../server/contract/dashboard/annotations.ts';
import { listRuns, type RunList, type RunRow } from '../../../server/contract/dashboard/runs.ts';
import { navigateTo } from '../../app/navigation.ts';
import { paths } from '../../app/paths.ts';
import { every } from '../../data/failure-pace.ts';
import { queryClient, routePrefix, routeQuery } from '../../data/query-client.ts';
import { restful } from '../../data/rest.ts';
import { BulkDialog, type BulkJob } from '../../ui/bulk-dialog.tsx';
import type { BulkItem } from '../../ui/bulk-work.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { rich } from '../../ui/rich.ts';
import { Unread } from '../../ui/unread.tsx';
import { useNow } from '../../ui/use-now.ts';
import { Failure } from './failure-cluster.tsx';
import { causeOf, clustersOf, DEALT_TAG, dealtWith, spanOf, trendOf } from './failures-model.ts';
import { OperatePage } from './operate-page.tsx';

/** The newest failures are grouped; the page says of how many. */
const MOST = 200;
const pace = restful(({ total, rows }: RunList) => [total, rows.map(({ run_id }) => run_id)], {
  busy: 15_000,
  rest: 60_000,
});
const HOUR_MS = 3_600_000;

/** What the page shows; lives in the address. */
export interface FailuresView {
  readonly since?: '24h' | '7d' | undefined;
  /** The one cause that is looked at. */
  readonly cause?: string | undefined;
}

const SINCE = [
  { value: '', label: t('Any time') },
  { value: '24h', label: t('Last 24 hours') },
  { value: '7d', label: t('Last 7 days') },
];
const HOURS = { '24h': 24, '7d': 168 } as const;

/** The runs of a span of time that failed or timed out, and what people noted on having dealt with them. */
function useFailures(since: FailuresView['since']) {
  const minute = Math.floor(Date.now() / 60_000);
  const after = useMemo(
    () =>
      since === undefined
        ? {}
        : { created_after: new Date(minute * 60_000 - HOURS[since] * HOUR_MS).toISOString() },
    [since, minute],
  );
  const listed = (status: string) => ({
    ...routeQuery(listRuns, {
      query: {
        ...{ status, limit: MOST, offset: 0 },
        ...{ sort_by: 'updated_at', sort_order: 'desc' as const },
        ...after,
      },
    }),
    refetchInterval: pace,
  });
  const failed = useQuery(listed('failed'));
  const late = useQuery(listed('timed_out'));
  const notes = useQuery({
    ...routeQuery(listTaggedAnnotations, { query: { tag: DEALT_TAG, limit: 1000 } }),
    refetchInterval: every(60_000),
  });
  const rows = useMemo(
    () => [...(failed.data?.rows ?? []), ...(late.data?.rows ?? [])],
    [failed.data, late.data],
  );
  const total = (failed.data?.total ?? 0) + (late.data?.total ?? 0);
  return { query: failed.data === undefined || failed.isError ? failed : late, rows, total, notes };
}

function readAgain(): void {
  for (const route of [listRuns, listTaggedAnnotations]) {
    void queryClient.invalidateQueries({ queryKey: routePrefix(route) });
  }
}

/** Failed runs by what they say, so that one cause is looked at once. */
export function FailuresPage(props: { readonly view: FailuresView }) {
  const { since, cause } = props.view;
  const { query, rows, total, notes } = useFailures(since);
  const [isAll, setAll] = useState(false);
  const [job, setJob] = useState<BulkJob<BulkItem> | null>(null);
  const now = useNow();
  const dealt = useMemo(() => dealtWith(rows, notes.data ?? []), [rows, notes.data]);
  const clusters = useMemo(() => clustersOf(rows), [rows]);
  const isDone = (runs: readonly RunRow[]): boolean =>
    runs.every(({ run_id }) => dealt.has(run_id));
  const chosen = clusters.filter((cluster) => causeOf(cluster) === cause);
  const open = clusters.filter(({ runs }) => isAll || !isDone(runs));
  const shown = cause === undefined ? open : chosen;
  const span = spanOf(rows, now);
  return (
    <OperatePage
      title={t('Failures')}
      sub={t(
        'Runs that failed or timed out, by workflow and by what went wrong; ids, numbers and times in an error do not part them',
      )}
      testId="failures-page"
    >
      <div className="sw-failures-tools">
        <NativeSelect
          size="xs"
          aria-label={t('Created')}
          data={SINCE}
          value={since ?? ''}
          onChange={(event) => {
            const value = event.currentTarget.value;
            navigateTo(paths.failures(value === '' ? {} : { since: value }), { replace: true });
          }}
        />
        <Switch
          size="xs"
          label={t('Also what is dealt with')}
          checked={isAll}
          onChange={(event) => setAll(event.currentTarget.checked)}
        />
        {cause !== undefined && (
          <Button
            size="compact-xs"
            variant="light"
            onClick={() => navigateTo(paths.failures({ since }))}
          >
            {t('All causes')}
          </Button>
        )}
      </div>
      <Unread query={query} />
      {query.isSuccess && rows.length === 0 && (
        <EmptyState
          icon={<IconCircleCheck size={32} stroke={1.25} />}
          title={since === undefined ? t('No run failed') : t('No run failed in this time')}
          testId="failures-none"
        >
          {t('Runs that fail or time out are grouped here by their cause.')}
        </EmptyState>
      )}
      {rows.length > 0 && (
        <p data-testid="failures-coverage">
          {rich('{count, plural, one {# cause} other {# causes}} in {detail}{value}.', {
            count: clusters.length,
            detail:
              total > rows.length
                ? t(
                    'the newest {count} of {count2, plural, one {# failed run} other {# failed runs}}',
                    { count: rows.length, count2: total },
                  )
                : t('{count, plural, one {# failed run} other {# failed runs}}', {
                    count: rows.length,
                  }),
            value:
              open.length < clusters.length &&
              t(', {count} dealt with', { count: clusters.length - open.length }),
          })}
        </p>
      )}
      {cause !== undefined && chosen.length === 0 && query.isSuccess && (
        <p>{t('No failure of this time has that cause any more.')}</p>
      )}
      {shown.map((cluster) => (
        <Failure
          key={cluster.key}
          cluster={cluster}
          trend={trendOf(cluster.runs, span)}
          dealt={dealt}
          since={since}
          isOpen={cause !== undefined}
          onJob={setJob}
        />
      ))}
      {job !== null && <BulkDialog job={job} onPass={readAgain} onClose={() => setJob(null)} />}
    </OperatePage>
  );
}
