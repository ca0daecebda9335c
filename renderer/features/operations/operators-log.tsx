import { NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import { listAuditLog } from '../../../server/contract/dashboard/audit.ts';
import { routeQuery } from '../../data/query-client.ts';
import { type DataColumn, DataTable } from '../../ui/data-table.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { Unread } from '../../ui/unread.tsx';
import { type AuditLogEntry, isRunTarget, matching } from './audit-model.ts';
import { Details, ExportRows, NoRows, RunLink } from './audit-parts.tsx';

/** The service answers no more at once, and has no further page. */
const MOST = 500;

const OUTCOMES = [
  { value: '', label: 'any outcome' },
  { value: 'ok', label: 'done' },
  { value: 'error', label: 'failed' },
  { value: 'denied', label: 'denied' },
];

function targetCell(entry: AuditLogEntry): ReactNode {
  return isRunTarget(entry) && entry.target !== null ? (
    <RunLink runId={entry.target} />
  ) : (
    <span title={entry.target ?? ''}>{entry.target ?? ''}</span>
  );
}

const COLUMNS: readonly DataColumn<AuditLogEntry>[] = [
  {
    id: 'at',
    header: 'When',
    width: '140px',
    cell: ({ created_at }) => <TimeAgo at={created_at} />,
  },
  {
    id: 'who',
    header: 'Who',
    width: '180px',
    cell: ({ operator }) => <span title={operator}>{operator}</span>,
  },
  { id: 'what', header: 'What', width: '210px', cell: ({ action }) => action },
  { id: 'target', header: 'About', room: 'middle', cell: targetCell },
  {
    id: 'environment',
    header: 'Environment',
    width: '110px',
    room: 'middle',
    cell: ({ environment }) => environment ?? '',
  },
  {
    id: 'outcome',
    header: 'Outcome',
    width: '110px',
    cell: ({ outcome }) => <Outcome outcome={outcome} />,
  },
];

function Outcome({ outcome }: Pick<AuditLogEntry, 'outcome'>) {
  const word = OUTCOMES.find(({ value }) => value === outcome)?.label;
  return <StatusBadge status={outcome === 'ok' ? 'completed' : outcome}>{word}</StatusBadge>;
}

const rowId = ({ id }: AuditLogEntry): string => id;

/** What people did through this dashboard. */
export function OperatorsLog(props: { readonly run: string; readonly choice: ReactNode }) {
  const [words, setWords] = useState(props.run);
  const [outcome, setOutcome] = useState('');
  const [chosen, setChosen] = useState<AuditLogEntry>();
  const query = useQuery({ ...routeQuery(listAuditLog, { query: { limit: MOST } }), staleTime: 0 });
  const entries = useMemo(
    () => matching(query.data?.entries ?? [], { words, outcome }),
    [query.data, words, outcome],
  );
  const isCut = query.data?.entries.length === MOST;
  return (
    <>
      <search className="sw-operate-filters" aria-label="Filter what people did">
        {props.choice}
        <TextInput
          size="xs"
          w={280}
          aria-label="Words to find"
          placeholder="Person, act, run or environment"
          value={words}
          onChange={(event) => setWords(event.currentTarget.value)}
          data-testid="audit-words"
        />
        <NativeSelect
          size="xs"
          aria-label="Outcome"
          data={OUTCOMES}
          value={outcome}
          onChange={(event) => setOutcome(event.currentTarget.value)}
        />
        <ExportRows name="audit-people" rows={entries} />
        {isCut && <span className="sw-faint">The newest {MOST} are shown.</span>}
      </search>
      <Unread query={query} rows={10} />
      {query.isSuccess && entries.length === 0 && (
        <NoRows filtered={words !== '' || outcome !== ''} />
      )}
      {entries.length > 0 && (
        <DataTable
          label="What people did"
          columns={COLUMNS}
          rows={entries}
          rowId={rowId}
          onOpen={setChosen}
          selectedId={chosen?.id ?? null}
        />
      )}
      {chosen !== undefined && (
        <Details
          title={chosen.action}
          facts={{
            When: new Date(chosen.created_at).toLocaleString(),
            Who: chosen.operator,
            About: chosen.target ?? 'nothing',
            Environment: chosen.environment ?? 'none',
            Outcome: <Outcome outcome={chosen.outcome} />,
          }}
          onClose={() => setChosen(undefined)}
        />
      )}
    </>
  );
}
