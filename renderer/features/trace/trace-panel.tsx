import './trace.css';
import { Button, Switch, TextInput } from '@mantine/core';
import { IconSearch, IconX } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef, useState } from 'react';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { FacetChips } from '../../ui/facet-chips.tsx';
import { ListSkeleton } from '../../ui/page.tsx';
import { durationText } from '../../ui/relative-time.ts';
import { Badge } from '../../ui/status-badge.tsx';
import { TraceEventDetail } from './trace-event-detail.tsx';
import {
  countKinds,
  filterRows,
  type TraceRow,
  toWaterfall,
  type Waterfall,
} from './trace-model.ts';
import type { TraceState } from './trace-reducer.ts';
import { TraceLine } from './trace-row.tsx';
import { useTrace } from './use-trace.ts';

export interface TracePanelProps {
  readonly runId: string;
  /** Node chosen elsewhere; the trace shows only its lines. */
  readonly node: string | null;
  readonly onClearNode: () => void;
  /** Called when events arrive and when the run's trace is complete. */
  readonly onChange: () => void;
  /** True when the platform dropped events of this run. */
  readonly dropped: boolean;
}

const KIND_LABELS: Readonly<Record<string, string>> = {
  node: 'Steps',
  llm: 'Models',
  tool: 'Tools',
  policy: 'Policy',
  human: 'People',
};
const ROW_HEIGHT = 28;

const PHASES: Readonly<Record<TraceState['phase'], string>> = {
  opening: 'Opening',
  live: 'Live',
  waiting: 'Reconnecting',
  ended: 'Complete',
  failed: 'Stopped',
};

/** The trace of a run as a waterfall that grows while the run does. */
export function TracePanel(props: TracePanelProps) {
  const trace = useTrace(props.runId, props.onChange);
  const over = trace.phase === 'ended';
  const waterfall = useMemo(() => toWaterfall(trace.events, over), [trace.events, over]);
  const [kinds, setKinds] = useState<readonly string[]>([]);
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<string | null>(null);
  const [follow, setFollow] = useState(true);
  const rows = useMemo(
    () => filterRows(waterfall.rows, { kinds, text, node: props.node }),
    [waterfall, kinds, text, props.node],
  );
  const row = waterfall.rows.find(({ id }) => id === chosen);
  return (
    <div data-testid="trace" data-state={trace.phase} data-events={trace.events.length}>
      <div className="sw-trace-tools">
        <Badge tone={trace.phase === 'live' ? 'success' : 'neutral'}>{PHASES[trace.phase]}</Badge>
        <span className="sw-faint">
          {trace.events.length} events
          {waterfall.rows.length > 0 && `, ${durationText(waterfall.end - waterfall.start)}`}
        </span>
        {props.dropped && <Badge tone="warning">Some events were dropped</Badge>}
        <FacetChips
          label="Kinds of events"
          facets={countKinds(waterfall.rows).map(([value, count]) => ({
            value,
            label: KIND_LABELS[value] ?? value,
            count,
          }))}
          selected={kinds}
          onChange={setKinds}
        />
        {props.node !== null && (
          <Button
            size="compact-xs"
            variant="light"
            rightSection={<IconX size={12} aria-hidden />}
            onClick={props.onClearNode}
          >
            Node {props.node}
          </Button>
        )}
        <TextInput
          size="xs"
          className="sw-trace-search"
          leftSection={<IconSearch size={13} aria-hidden />}
          placeholder="Search trace"
          aria-label="Search trace"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        {trace.phase !== 'ended' && (
          <Switch
            size="xs"
            label="Follow"
            checked={follow}
            onChange={(event) => setFollow(event.currentTarget.checked)}
          />
        )}
      </div>
      {trace.phase === 'failed' && (
        <ErrorState compact title="The live trace stopped" error={trace.error} />
      )}
      {trace.events.length === 0 ? (
        <NoEvents phase={trace.phase} />
      ) : (
        <TraceList
          rows={rows}
          axis={waterfall}
          chosen={chosen}
          onChoose={setChosen}
          follow={follow && trace.phase === 'live'}
        />
      )}
      {row !== undefined && <TraceEventDetail row={row} onClose={() => setChosen(null)} />}
    </div>
  );
}

function NoEvents(props: { readonly phase: TraceState['phase'] }) {
  if (props.phase === 'opening' || props.phase === 'live') {
    return <ListSkeleton rows={4} />;
  }
  return props.phase === 'failed' ? null : (
    <EmptyState compact title="No events">
      The run ended before it left a trace.
    </EmptyState>
  );
}

function TraceList(props: {
  readonly rows: readonly TraceRow[];
  readonly axis: Waterfall;
  readonly chosen: string | null;
  readonly onChoose: (id: string | null) => void;
  readonly follow: boolean;
}) {
  const scroll = useRef<HTMLDivElement>(null);
  const { rows, follow } = props;
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 10,
  });
  const last = rows.length - 1;
  useEffect(() => {
    if (follow && last >= 0) {
      virtual.scrollToIndex(last);
    }
  }, [follow, last, virtual]);
  if (rows.length === 0) {
    return <EmptyState compact title="Nothing matches these filters" />;
  }
  return (
    <div className="sw-trace-scroll" ref={scroll}>
      <ol className="sw-trace-list" style={{ height: virtual.getTotalSize() }} aria-label="Trace">
        {virtual.getVirtualItems().map((item) => {
          const row = rows[item.index];
          return row === undefined ? null : (
            <li key={row.id} style={{ transform: `translateY(${item.start}px)` }}>
              <TraceLine
                row={row}
                axis={props.axis}
                selected={props.chosen === row.id}
                onSelect={() => props.onChoose(props.chosen === row.id ? null : row.id)}
              />
            </li>
          );
        })}
      </ol>
    </div>
  );
}
