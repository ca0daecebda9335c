import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import { listAudit } from '../../../server/contract/dashboard/audit.ts';
import { call } from '../../data/api-client.ts';
import { routePrefix } from '../../data/query-client.ts';
import { type DataColumn, DataTable } from '../../ui/data-table.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { Unread } from '../../ui/unread.tsx';
import { type AuditEvent, factsLine, typeChoices } from './audit-model.ts';
import { Details, ExportRows, NoRows, RunLink } from './audit-parts.tsx';

const PAGE = 100;
const TYPING_MS = 300;

function usePlatformEvents(type: string, run: string) {
  const query = useInfiniteQuery({
    queryKey: [...routePrefix(listAudit), type, run],
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) =>
      call(
        listAudit,
        { query: { event_type: type, run_id: run, limit: PAGE, offset: pageParam } },
        { signal },
      ),
    getNextPageParam: ({ rows, offset }) => (rows.length < PAGE ? undefined : offset + rows.length),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  const events = useMemo(() => query.data?.pages.flatMap(({ rows }) => rows) ?? [], [query.data]);
  return { query, events };
}

const COLUMNS: readonly DataColumn<AuditEvent>[] = [
  {
    id: 'at',
    header: 'When',
    width: '140px',
    cell: ({ created_at }) => <TimeAgo at={created_at} />,
  },
  { id: 'type', header: 'What', width: '230px', cell: ({ event_type }) => event_type },
  {
    id: 'run',
    header: 'Run',
    width: '96px',
    cell: ({ run_id }) => (run_id === null ? '' : <RunLink runId={run_id} />),
  },
  {
    id: 'actor',
    header: 'Key',
    width: '150px',
    room: 'middle',
    cell: ({ actor }) => <span title={actor ?? ''}>{actor ?? ''}</span>,
  },
  {
    id: 'facts',
    header: 'About',
    room: 'middle',
    cell: ({ metadata }) => {
      const text = factsLine(metadata);
      return <span title={text}>{text}</span>;
    },
  },
];

const rowId = ({ id }: AuditEvent): string => id;

/** The platform's audit events; the types to choose from are those that were read. */
export function PlatformEvents(props: { readonly run: string; readonly choice: ReactNode }) {
  const [type, setType] = useState('');
  const [run, setRun] = useState(props.run);
  const [asked] = useDebouncedValue(run.trim(), TYPING_MS);
  const [chosen, setChosen] = useState<AuditEvent>();
  const [seen, setSeen] = useState<readonly AuditEvent[]>([]);
  const { query, events } = usePlatformEvents(type, asked);
  // Under a filter by type only that type is read: the choice remembers the others.
  if (type === '' && events.length > 0 && seen !== events) {
    setSeen(events);
  }
  const filtered = type !== '' || asked !== '';
  return (
    <>
      <search className="sw-operate-filters" aria-label="Filter the events">
        {props.choice}
        <NativeSelect
          size="xs"
          aria-label="What"
          data={[
            { value: '', label: 'everything' },
            ...typeChoices(seen, type).map((value) => ({ value, label: value })),
          ]}
          value={type}
          onChange={(event) => setType(event.currentTarget.value)}
          data-testid="audit-type"
        />
        <TextInput
          size="xs"
          w={280}
          aria-label="Id of a run"
          placeholder="Id of a run"
          value={run}
          onChange={(event) => setRun(event.currentTarget.value)}
          data-testid="audit-run"
        />
        {filtered && (
          <Button
            size="compact-xs"
            variant="subtle"
            onClick={() => {
              setType('');
              setRun('');
            }}
          >
            Clear
          </Button>
        )}
        <ExportRows name="audit-platform" rows={events} />
      </search>
      <Unread query={query} rows={10} />
      {query.isSuccess && events.length === 0 && <NoRows filtered={filtered} />}
      {events.length > 0 && (
        <DataTable
          label="Audit events"
          columns={COLUMNS}
          rows={events}
          rowId={rowId}
          onOpen={setChosen}
          selectedId={chosen?.id ?? null}
          onEndReached={() => {
            if (query.hasNextPage && !query.isFetchingNextPage) {
              void query.fetchNextPage();
            }
          }}
        />
      )}
      {chosen !== undefined && (
        <Details
          title={chosen.event_type}
          facts={{
            When: new Date(chosen.created_at).toLocaleString(),
            Key: chosen.actor ?? 'not told',
            Run: chosen.run_id === null ? 'none' : <RunLink runId={chosen.run_id} />,
          }}
          body={
            factsLine(chosen.metadata) === '' ? undefined : JSON.stringify(chosen.metadata, null, 2)
          }
          onClose={() => setChosen(undefined)}
        />
      )}
    </>
  );
}
