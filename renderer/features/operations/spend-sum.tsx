import { SegmentedControl } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../../../preload/texts/t.ts';
import { getSpend, type SpendView } from '../../../server/contract/dashboard/spend.ts';
import { every } from '../../data/failure-pace.ts';
import { routeQuery } from '../../data/query-client.ts';
import { Unread } from '../../ui/unread.tsx';
import { spendText } from './overview-model.ts';
import { FIRST_WINDOW } from './overview-reads.ts';

const WINDOWS = [
  { value: '24h', label: t('24 hours') },
  { value: '7d', label: t('7 days') },
  { value: '30d', label: t('30 days') },
];
const EVERY_MS = 60_000;
const SELDOM_MS = 180_000;

/** The spend of a window, read now and then; with its parts where they are shown. */
export function useSpend(window: string, parts: boolean) {
  return useQuery({
    ...routeQuery(getSpend, { query: parts ? { window, parts } : { window } }),
    placeholderData: keepPreviousData,
    refetchInterval: every(parts ? EVERY_MS : SELDOM_MS),
  });
}

/** Chooses the window of time that spend is told of. */
export function SpendWindow(props: {
  readonly value: string;
  readonly onChange: (window: string) => void;
}) {
  return (
    <SegmentedControl
      size="xs"
      mb="xs"
      aria-label={t('Time')}
      value={props.value}
      onChange={props.onChange}
      data={WINDOWS}
    />
  );
}

/** The sum with what it covers beside it. */
export function SpendTile(props: { readonly spend: SpendView }) {
  const { sum, coverage } = spendText(props.spend);
  return (
    <div className="sw-tile">
      <strong>{sum}</strong>
      <small>{coverage}</small>
    </div>
  );
}

/** The spend of a window that can be switched. */
export function SpendSum() {
  const [window, setWindow] = useState(FIRST_WINDOW);
  const query = useSpend(window, false);
  return (
    <>
      <SpendWindow value={window} onChange={setWindow} />
      <Unread query={query} rows={2} compact />
      {query.data !== undefined && <SpendTile spend={query.data} />}
    </>
  );
}
