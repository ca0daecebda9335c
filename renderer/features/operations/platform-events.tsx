import { useMemo, useState } from 'react';
import { t } from '../../../preload/texts/t.ts';
import { type DataColumn, DataTable } from '../../ui/data-table.tsx';
import { SERVICE_TEXT } from '../../ui/service-text.tsx';
import { Unread } from '../../ui/unread.tsx';
import { AuditDetail } from './audit-detail.tsx';
import { AuditFilters, type AuditSide, ChosenFilter } from './audit-filters.tsx';
import { type AuditEvent, factsLine, isFiltered, seenChoices, withFilter } from './audit-model.ts';
import { ClockTime, ExportRows, NoRows, RunLink } from './audit-parts.tsx';
import { readAllEvents, usePlatformEvents } from './audit-queries.ts';
import { useDays, useOpenRows, useUtc } from './audit-rows.ts';

const COLUMNS: readonly DataColumn<AuditEvent>[] = [
  {
    id: 'at',
    header: t('When'),
    width: '152px',
    cell: ({ created_at }) => <ClockTime at={created_at} />,
  },
  { id: 'type', header: t('What'), width: '230px', cell: ({ event_type }) => event_type },
  {
    id: 'run',
    header: t('Run'),
    width: '96px',
    cell: ({ run_id }) => (run_id === null ? '' : <RunLink runId={run_id} />),
  },
  {
    id: 'actor',
    header: t('Key'),
    width: '150px',
    room: 'middle',
    cell: ({ actor }) => <span title={actor ?? ''}>{actor ?? ''}</span>,
  },
  {
    id: 'facts',
    header: t('About'),
    room: 'middle',
    cell: ({ metadata }) => {
      const text = factsLine(metadata);
      return (
        <span title={text} {...SERVICE_TEXT}>
          {text}
        </span>
      );
    },
  },
];

const rowId = ({ id }: AuditEvent): string => id;

function detailOf({ actor, continuation_id, run_id, metadata }: AuditEvent) {
  return (
    <AuditDetail
      facts={{
        Key: actor ?? t('not told'),
        ...(continuation_id === null ? {} : { Task: <code>{continuation_id}</code> }),
      }}
      body={metadata}
      runId={run_id}
      other="operators"
    />
  );
}

/** The platform's audit events; the types to choose from are those that were read. */
export function PlatformEvents(side: AuditSide) {
  const { view, onView } = side;
  const utc = useUtc();
  const { query, rows, readOn } = usePlatformEvents(view);
  const days = useDays<AuditEvent>(utc);
  const { openIds, toggle } = useOpenRows<AuditEvent>();
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set());
  // Under a filter by type only that type is read: the choice remembers the others.
  const types = useMemo(() => rows.map(({ event_type }) => event_type), [rows]);
  if (types.some((type) => !seen.has(type))) {
    setSeen(new Set([...seen, ...types]));
  }
  return (
    <>
      <AuditFilters
        {...side}
        label={t('Filter the events')}
        end={
          <ExportRows
            name="audit-platform"
            isEmpty={rows.length === 0}
            read={() => readAllEvents(view, utc)}
          />
        }
      >
        <ChosenFilter
          label={t('What')}
          any="everything"
          choices={seenChoices(seen, view.type)}
          value={view.type}
          onChange={(type) => onView(withFilter(view, { type }))}
          testId="audit-type"
        />
      </AuditFilters>
      <Unread query={query} rows={10} />
      {query.isSuccess && rows.length === 0 && <NoRows filtered={isFiltered(view)} />}
      {rows.length > 0 && (
        <DataTable
          label={t('Audit events')}
          columns={COLUMNS}
          rows={rows}
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
