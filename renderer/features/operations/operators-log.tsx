import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { t } from '../../../preload/texts/t.ts';
import { useEnvironments } from '../../data/environment.ts';
import { actorName } from '../../ui/actor-name.ts';
import { actWords, OUTCOME_WORDS } from '../../ui/audit-words.ts';
import { type DataColumn, DataTable } from '../../ui/data-table.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { Unread } from '../../ui/unread.tsx';
import { AuditDetail } from './audit-detail.tsx';
import { AuditFilters, type AuditSide, ChosenFilter, TypedFilter } from './audit-filters.tsx';
import {
  type AuditLogEntry,
  isFiltered,
  matching,
  prunedLine,
  receiptOf,
  runOf,
  seenChoices,
  sourceLine,
  whoOf,
  withFilter,
} from './audit-model.ts';
import { ClockTime, ExportRows, NoRows, RunLink } from './audit-parts.tsx';
import { readAllEntries, useOperatorEntries } from './audit-queries.ts';
import { useDays, useOpenRows, useUtc } from './audit-rows.ts';

/** Fewer rows than a page shows. */
const FEW = 20;

const OUTCOMES = Object.entries(OUTCOME_WORDS).map(([value, label]) => ({ value, label }));

function targetCell(entry: AuditLogEntry): ReactNode {
  const receipt = receiptOf(entry);
  if (receipt !== undefined) {
    return prunedLine(receipt);
  }
  const run = runOf(entry);
  const source = sourceLine(entry);
  return (
    <span title={[entry.target ?? '', source].join(' ').trim()}>
      {run === null ? (entry.target ?? '') : <RunLink runId={run} />}{' '}
      {source !== '' && <span className="sw-faint">{source}</span>}
    </span>
  );
}

const COLUMNS: readonly DataColumn<AuditLogEntry>[] = [
  {
    id: 'at',
    header: t('When'),
    width: '152px',
    cell: ({ created_at }) => <ClockTime at={created_at} />,
  },
  {
    id: 'who',
    header: t('Who'),
    width: '180px',
    cell: (entry) => <span title={entry.operator}>{whoOf(entry)}</span>,
  },
  {
    id: 'what',
    header: t('What'),
    width: '210px',
    cell: ({ action }) => <span title={action}>{actWords(action)}</span>,
  },
  { id: 'target', header: t('About'), room: 'middle', cell: targetCell },
  {
    id: 'environment',
    header: t('Environment'),
    width: '110px',
    room: 'middle',
    cell: ({ environment }) => environment ?? '',
  },
  {
    id: 'outcome',
    header: t('Outcome'),
    width: '110px',
    cell: ({ outcome }) => <Outcome outcome={outcome} />,
  },
];

function Outcome({ outcome }: Pick<AuditLogEntry, 'outcome'>) {
  return (
    <StatusBadge status={outcome === 'ok' ? 'completed' : outcome}>
      {OUTCOME_WORDS[outcome]}
    </StatusBadge>
  );
}

const rowId = ({ id }: AuditLogEntry): string => id;

function detailOf(entry: AuditLogEntry): ReactNode {
  const { operator, target, environment, details } = entry;
  const run = runOf(entry);
  const receipt = receiptOf(entry);
  const name = whoOf(entry);
  const who = name === operator ? operator : `${name} (${operator})`;
  return (
    <AuditDetail
      code={entry.action}
      facts={[
        { name: t('Who'), value: who },
        { name: t('Environment'), value: environment ?? t('none') },
        ...(run === null && receipt === undefined
          ? [{ name: t('About'), value: target ?? t('nothing') }]
          : []),
      ]}
      body={receipt ?? details}
      runId={run}
      other="platform"
    />
  );
}

/** What was seen of the people and the environments, also while only some of them are asked for. */
function useSeen(rows: readonly AuditLogEntry[]) {
  const [seen, setSeen] = useState<{
    readonly people: ReadonlySet<string>;
    readonly environments: ReadonlySet<string>;
  }>({ people: new Set(), environments: new Set() });
  const isNew = rows.some(
    ({ operator, environment }) =>
      !seen.people.has(operator) || (environment !== null && !seen.environments.has(environment)),
  );
  if (isNew) {
    setSeen({
      people: new Set([...seen.people, ...rows.map(({ operator }) => operator)]),
      environments: new Set([
        ...seen.environments,
        ...rows.flatMap(({ environment }) => (environment === null ? [] : [environment])),
      ]),
    });
  }
  return seen;
}

/** What people did through this dashboard. */
export function OperatorsLog(side: AuditSide) {
  const { view, onView } = side;
  const utc = useUtc();
  const { query, rows, readOn } = useOperatorEntries(view);
  const entries = useMemo(() => matching(rows, view.words), [rows, view.words]);
  // Words are looked for in what was read: where few have them, more is read.
  useEffect(() => {
    if ((view.words ?? '') !== '' && entries.length < FEW) {
      readOn();
    }
  }, [view.words, entries.length, readOn]);
  const days = useDays<AuditLogEntry>(utc);
  const { openIds, toggle } = useOpenRows<AuditLogEntry>();
  const seen = useSeen(rows);
  const known = useEnvironments()?.choices.map(({ name }) => name) ?? [];
  const set = (change: Readonly<Record<string, string>>): void => onView(withFilter(view, change));
  return (
    <>
      <AuditFilters
        {...side}
        label={t('Filter what people did')}
        end={
          <ExportRows
            name="audit-people"
            isEmpty={entries.length === 0}
            read={async () => matching(await readAllEntries(view, utc), view.words)}
          />
        }
      >
        <ChosenFilter
          label={t('Who')}
          any={t('anybody')}
          choices={seenChoices(seen.people, view.who).map((value) => ({
            value,
            label: actorName(value),
          }))}
          value={view.who}
          onChange={(who) => set({ who })}
          testId="audit-who"
        />
        <ChosenFilter
          label={t('Outcome')}
          any={t('any outcome')}
          choices={OUTCOMES}
          value={view.outcome}
          onChange={(outcome) => set({ outcome })}
          testId="audit-outcome"
        />
        <ChosenFilter
          label={t('Environment')}
          any={t('any environment')}
          choices={seenChoices([...seen.environments, ...known], view.environment)}
          value={view.environment}
          onChange={(environment) => set({ environment })}
          testId="audit-environment"
        />
        <TypedFilter
          label={t('Words to find')}
          value={view.words ?? ''}
          onChange={(words) => set({ words })}
          width={150}
          testId="audit-words"
        />
      </AuditFilters>
      <Unread query={query} rows={10} />
      {query.isSuccess && entries.length === 0 && <NoRows filtered={isFiltered(view)} />}
      {entries.length > 0 && (
        <DataTable
          label={t('What people did')}
          columns={COLUMNS}
          rows={entries}
          rowId={rowId}
          onOpen={toggle}
          openIds={openIds}
          detailOf={detailOf}
          sectionOf={days}
          onEndReached={readOn}
        />
      )}
    </>
  );
}
