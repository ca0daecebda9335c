import { SegmentedControl } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../../../preload/texts/t.ts';
import {
  getUsageParts,
  USAGE_PARTS,
  type UsagePart,
} from '../../../server/contract/dashboard/usage.ts';
import { every } from '../../data/failure-pace.ts';
import { routeQuery } from '../../data/query-client.ts';
import { NewerRead } from '../../ui/newer-read.tsx';
import { UsageTable } from '../../ui/usage-table.tsx';

const EVERY_MS = 60_000;

const PART_TEXTS: Readonly<Record<UsagePart, string>> = {
  model: t('Model'),
  key: t('Key'),
  workflow: t('Workflow'),
  step: t('Step'),
  day: t('Day'),
};

function windowOf(window: string): '24h' | '7d' | '30d' {
  return window === '24h' || window === '30d' ? window : '7d';
}

/** Tokens as the platform counted them, by one part at a time; days are those of UTC. */
export function UsagePartTable(props: { readonly window: string }) {
  const [by, setBy] = useState<UsagePart>('model');
  const query = useQuery({
    ...routeQuery(getUsageParts, { query: { window: windowOf(props.window), by } }),
    placeholderData: keepPreviousData,
    refetchInterval: every(EVERY_MS),
  });
  const { data } = query;
  return (
    <section className="sw-operate-section" data-testid="usage">
      <h2 className="sw-section-title">{t('Tokens')}</h2>
      <SegmentedControl
        size="xs"
        mb="xs"
        aria-label={t('Tokens by')}
        value={by}
        onChange={(value) => setBy(USAGE_PARTS.find((part) => part === value) ?? 'model')}
        data={USAGE_PARTS.map((value) => ({ value, label: PART_TEXTS[value] }))}
      />
      <NewerRead query={query} rows={3} />
      {data !== undefined && !data.available && (
        <p className="sw-faint">{t('This platform does not count tokens as they are used.')}</p>
      )}
      {data?.available === true && data.rows.length === 0 && (
        <p className="sw-faint">{t('No model was asked in this time.')}</p>
      )}
      {data !== undefined && data.rows.length > 0 && (
        <UsageTable
          label={t('Tokens by')}
          titles={[PART_TEXTS[by]]}
          rows={data.rows.map(({ name, ...counts }) => ({ names: [name], ...counts }))}
        />
      )}
      {data?.truncated === true && <p className="sw-faint">{t('Only the largest are shown.')}</p>}
    </section>
  );
}
