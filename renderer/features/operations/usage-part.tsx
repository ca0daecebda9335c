import { SegmentedControl } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { locale } from '../../../preload/texts/language.ts';
import { t } from '../../../preload/texts/t.ts';
import {
  getUsageParts,
  USAGE_PARTS,
  type UsagePart,
  type UsagePartRow,
} from '../../../server/contract/dashboard/usage.ts';
import { every } from '../../data/failure-pace.ts';
import { routeQuery } from '../../data/query-client.ts';
import { Unread } from '../../ui/unread.tsx';

const NUMBERS = new Intl.NumberFormat(locale());
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
export function UsageTable(props: { readonly window: string }) {
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
      <Unread query={query} rows={3} />
      {data !== undefined && !data.available && (
        <p className="sw-faint">{t('This platform does not count tokens as they are used.')}</p>
      )}
      {data?.available === true && data.rows.length === 0 && (
        <p className="sw-faint">{t('No model was asked in this time.')}</p>
      )}
      {data !== undefined && data.rows.length > 0 && (
        <Rows rows={data.rows} title={PART_TEXTS[by]} />
      )}
      {data?.truncated === true && <p className="sw-faint">{t('Only the largest are shown.')}</p>}
    </section>
  );
}

const COLUMNS = [
  { name: 'calls', label: t('Answers') },
  { name: 'input_tokens', label: t('In') },
  { name: 'cached_input_tokens', label: t('of these from a cache') },
  { name: 'output_tokens', label: t('Out') },
  { name: 'reasoning_tokens', label: t('of these thoughts') },
  { name: 'total_tokens', label: t('Tokens') },
] as const;

function Rows(props: { readonly rows: readonly UsagePartRow[]; readonly title: string }) {
  return (
    <table className="sw-plain-table" aria-label={t('Tokens by')}>
      <thead>
        <tr>
          <th scope="col">{props.title}</th>
          {COLUMNS.map(({ name, label }) => (
            <th key={name} scope="col" data-align="right">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {props.rows.map((row) => (
          <tr key={row.name} data-testid={`usage-${row.name}`}>
            <td>
              {row.name === '' ? <span className="sw-faint">{t('without a name')}</span> : row.name}
            </td>
            {COLUMNS.map(({ name }) => (
              <td key={name} data-align="right">
                {NUMBERS.format(row[name])}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
