import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { locale } from '../../../preload/texts/language.ts';
import { t } from '../../../preload/texts/t.ts';
import { getActivity, type Overview } from '../../../server/contract/dashboard/overview.ts';
import { listRuns } from '../../../server/contract/dashboard/runs.ts';
import { getSpend } from '../../../server/contract/dashboard/spend.ts';
import { AppLink } from '../../app/app-link.tsx';
import { hrefOf } from '../../app/navigation.ts';
import { paths } from '../../app/paths.ts';
import { useOnScreen } from '../../data/on-screen.ts';
import { queryClient, routePrefix } from '../../data/query-client.ts';
import { restful } from '../../data/rest.ts';
import { OutsideLink } from '../../ui/outside-link.tsx';
import { ListSkeleton } from '../../ui/page.tsx';
import { relativeTime } from '../../ui/relative-time.ts';
import { Badge } from '../../ui/status-badge.tsx';
import { Unread } from '../../ui/unread.tsx';
import { ActivityStrip } from './activity.tsx';
import { useLastVisit } from './last-visit.ts';
import { NeedsNow } from './needs-now.tsx';
import { OperatePage } from './operate-page.tsx';
import { changeText, failuresOf, tilesOf } from './overview-model.ts';
import { overviewReads } from './overview-reads.ts';
import { SpendSum } from './spend-sum.tsx';

const pace = restful((overview: Overview) => overview, { busy: 8_000, rest: 30_000 });
const NUMBERS = new Intl.NumberFormat(locale());

/** The operator's start page: what needs a person, what runs, what it costs. */
export function OverviewPage() {
  const query = useQuery({ ...overviewReads.counts, refetchInterval: pace });
  useFollowers(query.data);
  useOnScreen(paths.overview());
  return (
    <OperatePage
      title={t('Overview')}
      sub={t('What needs you now, and what runs')}
      testId="overview-page"
    >
      <Unread query={query} rows={0} />
      <NeedsNow failures={failuresOf(query)} />
      {query.isPending && query.errorUpdateCount === 0 && <ListSkeleton rows={2} />}
      {query.data !== undefined && <Counts overview={query.data} />}
      <div className="sw-operate-halves">
        <ActivityStrip />
        <section className="sw-operate-section" data-testid="spend">
          <h2 className="sw-section-title">{t('Spend')}</h2>
          <SpendSum />
          <p>
            <AppLink to={paths.spend()}>{t('By day, workflow and model')}</AppLink>
          </p>
        </section>
      </div>
    </OperatePage>
  );
}

/** What costs more to read is read again when the counts have changed. */
function useFollowers(overview: Overview | undefined): void {
  const counts = JSON.stringify(overview?.tiles.map(({ value }) => value));
  const before = useRef<string>(undefined);
  useEffect(() => {
    if (counts === undefined || before.current === counts) {
      return;
    }
    // The first counts are asked for together with all else.
    const isFirst = before.current === undefined;
    before.current = counts;
    for (const route of isFirst ? [] : [listRuns, getActivity, getSpend]) {
      void queryClient.invalidateQueries({ queryKey: routePrefix(route) });
    }
  }, [counts]);
}

function Counts({ overview }: { readonly overview: Overview }) {
  const { error_rate, grafana_url } = overview;
  const tiles = tilesOf(overview);
  const visit = useLastVisit(Object.fromEntries(tiles.map(({ key, value }) => [key, value])));
  return (
    <>
      <div className="sw-tiles">
        {tiles.map(({ key, label, value, tone, to }) => {
          const change = changeText(visit?.values[key], value);
          return (
            <a
              key={key}
              className="sw-tile"
              data-tone={tone}
              href={hrefOf(to)}
              data-testid={`tile-${key}`}
            >
              {label}
              <strong>{value === undefined ? '–' : NUMBERS.format(value)}</strong>
              {value === undefined && <small>{t('not told by the platform')}</small>}
              {visit !== null && change !== undefined && (
                <small>
                  {t('{change} since you looked {time}', {
                    change,
                    time: relativeTime(visit.at, Date.now()),
                  })}
                </small>
              )}
            </a>
          );
        })}
      </div>
      <p data-testid="overview-readiness">
        <Readiness ready={overview.ready} />{' '}
        {error_rate !== null && (
          <span className="sw-faint">
            {t('{value} % of all runs ever stored failed.', {
              value: (error_rate * 100).toFixed(1),
            })}
          </span>
        )}{' '}
        {grafana_url !== null && <OutsideLink href={grafana_url}>{t('Metrics')}</OutsideLink>}
      </p>
    </>
  );
}

function Readiness({ ready }: Pick<Overview, 'ready'>) {
  if (ready === true) {
    return <Badge tone="success">{t('The platform is ready')}</Badge>;
  }
  return (
    <>
      <Badge tone={ready === false ? 'danger' : 'neutral'}>
        {ready === false
          ? t('The platform is not ready')
          : t('The platform does not say if it is ready')}
      </Badge>{' '}
      <AppLink to={paths.health()}>{t('See its parts')}</AppLink>
    </>
  );
}
