import { useMemo, useState } from 'react';
import { t } from '../../../preload/texts/t.ts';
import { actorName } from '../../ui/actor-name.ts';
import { eventChoice, eventWords } from '../../ui/audit-words.ts';
import { CopyCode } from '../../ui/copy-code.tsx';
import { type DataColumn, DataTable } from '../../ui/data-table.tsx';
import { Unread } from '../../ui/unread.tsx';
import { AuditDetail } from './audit-detail.tsx';
import { factsLine } from './audit-facts.ts';
import { AuditFilters, type AuditSide, ChosenFilter } from './audit-filters.tsx';
import { type AuditEvent, isFiltered, seenChoices, withFilter } from './audit-model.ts';
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
  {
    id: 'type',
    header: t('What'),
    width: '230px',
    cell: ({ event_type }) => <span title={event_type}>{eventWords(event_type)}</span>,
  },
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
    cell: ({ actor }) => (actor === null ? '' : <span title={actor}>{actorName(actor)}</span>),
  },
  {
    id: 'facts',
    header: t('About'),
    room: 'middle',
    cell: ({ metadata }) => {
      const text = factsLine(metadata);
      return <span title={text}>{text}</span>;
    },
  },
];

const rowId = ({ id }: AuditEvent): string => id;

function detailOf({ event_type, actor, continuation_id, run_id, metadata }: AuditEvent) {
  return (
    <AuditDetail
      code={event_type}
      facts={[
        { name: t('Key'), value: actor === null ? t('not told') : actorName(actor) },
        ...(continuation_id === null
          ? []
          : [{ name: t('Task'), value: <CopyCode value={continuation_id} /> }]),
      ]}
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
          any={t('everything')}
          choices={seenChoices(seen, view.type).map(eventChoice)}
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
