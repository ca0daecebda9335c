import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { getActivity } from '../../../server/contract/dashboard/overview.ts';
import { AppLink } from '../../app/app-link.tsx';
import { paths } from '../../app/paths.ts';
import { every } from '../../data/failure-pace.ts';
import { routeQuery } from '../../data/query-client.ts';
import { Bars, beginBars } from '../../ui/bars.tsx';
import { countText } from '../../ui/count-text.ts';
import { Unread } from '../../ui/unread.tsx';
import { activityRows } from './overview-model.ts';

const HOURS = 24;
/** Whoever shows it reads it again when the counts of runs change. */
const EVERY_MS = 180_000;

const SERIES = [
  { key: 'failed', label: 'failed', color: 'var(--sw-danger)' },
  { key: 'blocked', label: 'waiting', color: 'var(--sw-warning)' },
  { key: 'others', label: 'others', color: 'var(--sw-accent-fill)' },
];
const NUMBERS = new Intl.NumberFormat('en');

/** Runs of the last day by the hour in which they were created. */
export function ActivityStrip() {
  const query = useQuery({
    ...routeQuery(getActivity, { query: { hours: HOURS } }),
    refetchInterval: every(EVERY_MS),
  });
  const { data } = query;
  useEffect(beginBars, []);
  return (
    <section className="sw-operate-section" data-testid="activity">
      <h2 className="sw-section-title">The last {HOURS} hours</h2>
      <Unread query={query} rows={3} compact />
      {data !== undefined && (
        <>
          <p>
            {data.truncated && data.total !== null
              ? `The newest ${NUMBERS.format(data.counted)} of ${countText(data.total, 'run')}`
              : countText(data.counted, 'run')}
            , by the hour in which they were created.{' '}
            <AppLink to={paths.runs({ since: '24h' })}>See them</AppLink>
          </p>
          {data.counted > 0 && (
            <Bars
              title="Runs by hour"
              rows={activityRows(data)}
              series={SERIES}
              text={(value) => NUMBERS.format(value)}
            />
          )}
        </>
      )}
    </section>
  );
}
