import { SegmentedControl } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { getOverview, type Overview } from '../../../server/contract/dashboard/overview.ts';
import { getSpend } from '../../../server/contract/dashboard/spend.ts';
import { AppLink } from '../../app/app-link.tsx';
import { hrefOf } from '../../app/navigation.ts';
import { paths } from '../../app/paths.ts';
import { routeQuery } from '../../data/query-client.ts';
import { Badge } from '../../ui/status-badge.tsx';
import { Unread } from '../../ui/unread.tsx';
import { NeedsNow } from './needs-now.tsx';
import { OperatePage } from './operate-page.tsx';
import { spendText, tilesOf } from './overview-model.ts';

const EVERY_MS = 15_000;
const NUMBERS = new Intl.NumberFormat('en');

/** The operator's start page: what needs a person, what runs, what it costs. */
export function OverviewPage() {
  const query = useQuery({ ...routeQuery(getOverview), refetchInterval: EVERY_MS });
  return (
    <OperatePage title="Overview" sub="What needs you now, and what runs" testId="overview-page">
      <Unread query={query} rows={2} />
      {query.data !== undefined && !query.isError && <Counts overview={query.data} />}
      <NeedsNow />
      <Spend />
    </OperatePage>
  );
}

function Counts({ overview }: { readonly overview: Overview }) {
  const { error_rate, grafana_url } = overview;
  return (
    <>
      <div className="sw-tiles">
        {tilesOf(overview).map(({ key, label, value, tone, to }) => (
          <a
            key={key}
            className="sw-tile"
            data-tone={tone}
            href={hrefOf(to)}
            data-testid={`tile-${key}`}
          >
            {label}
            <strong>{value === undefined ? '–' : NUMBERS.format(value)}</strong>
            {value === undefined && <small>not told by the platform</small>}
          </a>
        ))}
      </div>
      <p data-testid="overview-readiness">
        <Readiness ready={overview.ready} />{' '}
        {error_rate !== null && (
          <span className="sw-faint">
            {(error_rate * 100).toFixed(1)} % of all runs ever stored failed.
          </span>
        )}{' '}
        {grafana_url !== null && (
          <a className="sw-link" href={grafana_url} target="_blank" rel="noreferrer noopener">
            Metrics
          </a>
        )}
      </p>
    </>
  );
}

function Readiness({ ready }: Pick<Overview, 'ready'>) {
  if (ready === true) {
    return <Badge tone="success">The platform is ready</Badge>;
  }
  return (
    <>
      <Badge tone={ready === false ? 'danger' : 'neutral'}>
        {ready === false ? 'The platform is not ready' : 'The platform does not say if it is ready'}
      </Badge>{' '}
      <AppLink to={paths.health()}>See its parts</AppLink>
    </>
  );
}

const WINDOWS = [
  { value: '24h', label: '24 hours' },
  { value: '7d', label: '7 days' },
  { value: '30d', label: '30 days' },
];

function Spend() {
  const [window, setWindow] = useState('7d');
  const query = useQuery({
    ...routeQuery(getSpend, { query: { window } }),
    placeholderData: keepPreviousData,
    refetchInterval: 4 * EVERY_MS,
  });
  const text = query.data === undefined ? undefined : spendText(query.data);
  return (
    <section className="sw-operate-section" data-testid="spend">
      <h2 className="sw-section-title">Spend</h2>
      <SegmentedControl
        size="xs"
        mb="xs"
        aria-label="Time"
        value={window}
        onChange={setWindow}
        data={WINDOWS}
      />
      <Unread query={query} rows={2} compact />
      {text !== undefined && !query.isError && (
        <div className="sw-tile">
          <strong>{text.sum}</strong>
          <small>{text.coverage}</small>
        </div>
      )}
    </section>
  );
}
