import { t } from '../../../preload/texts/t.ts';
import { rich } from '../../ui/rich.ts';
import '../../ui/notice.css';
import './trace.css';
import { IconAlertTriangle, IconArrowsExchange } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { createPortal } from 'react-dom';
import { getRunGraph } from '../../../server/contract/dashboard/runs.ts';
import { toApiError } from '../../data/api-error.ts';
import { routeQuery } from '../../data/query-client.ts';
import { useDecisions } from '../../data/use-decisions.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { errorTitle } from '../../ui/error-titles.ts';
import { Notice } from '../../ui/notice.tsx';
import { ListSkeleton } from '../../ui/page.tsx';
import { durationText } from '../../ui/relative-time.ts';
import { RetryLine } from '../../ui/retry-line.tsx';
import { Badge } from '../../ui/status-badge.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { useSeconds } from '../../ui/use-now.ts';
import { nodeUse, type RunUse } from './node-use.ts';
import { NodeUseTable } from './node-use-table.tsx';
import { mergeTimeline } from './timeline.ts';
import { TimelineDetail } from './timeline-detail.tsx';
import { axisOf, rowsUntil } from './trace-axis.ts';
import { TraceEventDetail } from './trace-event-detail.tsx';
import { TraceList } from './trace-list.tsx';
import { filterRows, nodesOf, type TraceRow, takenOverOf, type Waterfall } from './trace-model.ts';
import { phaseText, type TraceState } from './trace-reducer.ts';
import { type StepState, stepRows } from './trace-steps.ts';
import { TraceLiveTools, TraceTools } from './trace-tools.tsx';
import type { Beside } from './use-timeline.ts';
import { useTrace } from './use-trace.ts';
import { createWaterfalls } from './waterfall.ts';

const NOBODY: Readonly<Record<string, string>> = {};
const NOTHING_BESIDE: Beside = { rows: [], missing: null };

/** The line that somebody looks at, where the page keeps it. */
export interface ChosenLine {
  readonly id: string | null;
  readonly onChoose: (id: string | null) => void;
  /** Where its detail is drawn; null = below the list. */
  readonly slot: HTMLElement | null;
}

type LiveNodes = ReturnType<typeof nodesOf>;

export interface TracePanelProps {
  readonly runId: string;
  /** Node chosen elsewhere; the trace shows only its lines. */
  readonly node: string | null;
  readonly onClearNode: () => void;
  /** Epoch milliseconds of the saved state that the page shows; what began later is dimmed. */
  readonly until: number | null;
  /** Called when other nodes are at work, or have failed, than before. */
  readonly onLive: (nodes: LiveNodes) => void;
  /** Called when events arrive and when the run's trace is complete. */
  readonly onChange: () => void;
  /** Says that the platform did not keep all events of this run; null when it did. */
  readonly dropped: string | null;
  /** Saved states of the run: they know of steps that leave no events. */
  readonly states: readonly StepState[];
  /** What answered in place of steps, by their key; absent = every step ran. */
  readonly answeredBy?: Readonly<Record<string, string>> | undefined;
  /** How many events the finished run has; null while it goes on. */
  readonly total: number | null;
  /** What happened beside the trace; absent = only the trace is shown. */
  readonly beside?: Beside | undefined;
  /** Absent = the panel keeps the chosen line itself. */
  readonly chosen?: ChosenLine | undefined;
  /** What the run used in all; absent = nothing is told by step. */
  readonly used?: RunUse | null | undefined;
  /** Shows the run as it stood at a checkpoint. */
  readonly onShow?: ((sequence: number) => void) | undefined;
}

/** The kind of every step, as the graph of the run has it. */
function useStepKinds(runId: string): ReadonlyMap<string, string> {
  const graph = useQuery(routeQuery(getRunGraph, { params: { run_id: runId } }));
  return useMemo(
    () =>
      new Map(
        (graph.data?.nodes ?? []).flatMap(({ id, step_kind }) =>
          step_kind === null ? [] : [[id, step_kind] as const],
        ),
      ),
    [graph.data],
  );
}

function useWaterfall(
  events: TraceState['events'],
  run: {
    readonly over: boolean;
    readonly isHeld: boolean;
    readonly states: readonly StepState[];
    readonly kinds: ReadonlyMap<string, string>;
  },
): Waterfall {
  const { over, isHeld, states, kinds } = run;
  const [toWaterfall] = useState(createWaterfalls);
  return useMemo(() => {
    const drawn = toWaterfall(events, over && !isHeld);
    return isHeld ? drawn : { ...drawn, rows: stepRows(drawn.rows, states, kinds) };
  }, [toWaterfall, events, over, isHeld, states, kinds]);
}

/** The chosen line: the page's, or the panel's own. */
function useChosenLine(given: ChosenLine | undefined): ChosenLine {
  const [id, onChoose] = useState<string | null>(null);
  return given ?? { id, onChoose, slot: null };
}

/** The trace of a run as a waterfall that grows while the run does. */
export function TracePanel(props: TracePanelProps) {
  const { answeredBy = NOBODY, beside = NOTHING_BESIDE } = props;
  const trace = useTrace(props.runId, props.total !== null, props.onChange);
  const [held, setHeld] = useState<number | null>(null);
  const over = trace.phase === 'ended';
  const events = useMemo(
    () => (held === null ? trace.events : trace.events.slice(0, held)),
    [trace.events, held],
  );
  const kinds = useStepKinds(props.runId);
  const growing = trace.phase !== 'ended' && trace.phase !== 'failed';
  const now = useSeconds(growing && held === null);
  const waterfall = useWaterfall(events, {
    over,
    isHeld: held !== null,
    states: props.states,
    kinds,
  });
  const ended = useMemo(
    () => waterfall.rows.filter(({ wait, end, start }) => wait && end > start).length,
    [waterfall],
  );
  const decisions = useDecisions(props.runId, ended);
  const until = growing && held === null ? now : null;
  const axis = useMemo(() => axisOf(rowsUntil(waterfall.rows, until)), [waterfall, until]);
  const [own, setOwn] = useState({ kinds: [] as readonly string[], text: '', failed: false });
  const line = useChosenLine(props.chosen);
  // A run that was over when the page opened is read from its beginning.
  const [follow, setFollow] = useState(props.total === null);
  const filter = useMemo(() => ({ ...own, node: props.node }), [own, props.node]);
  const all = useMemo(() => mergeTimeline(waterfall.rows, beside.rows), [waterfall, beside.rows]);
  const rows = useMemo(() => filterRows(all, filter), [all, filter]);
  const nodes = useMemo(() => nodesOf(waterfall.rows), [waterfall]);
  useLiveNodes(nodes, props.onLive);
  return (
    <div data-testid="trace" data-state={trace.phase} data-events={trace.events.length}>
      <div className="sw-trace-status">
        <Badge tone={trace.phase === 'live' ? 'success' : 'neutral'}>
          {phaseText(trace, props.total)}
        </Badge>
        <span className="sw-faint">
          {t('{count, plural, one {# event} other {# events}}', { count: events.length })}
          {waterfall.rows.length > 0 && `, ${durationText(waterfall.end - waterfall.start)}`}
        </span>
        {props.dropped !== null && <Badge tone="warning">{props.dropped}</Badge>}
        {(growing || held !== null) && (
          <TraceLiveTools
            waiting={held === null ? null : trace.events.length - held}
            onHold={(on) => setHeld(on ? trace.events.length : null)}
            follow={follow}
            onFollow={setFollow}
          />
        )}
      </div>
      {all.length > 0 && (
        <TraceTools
          rows={all}
          filter={filter}
          onFilter={({ kinds, text, failed }) => setOwn({ kinds, text, failed })}
          onClearNode={props.onClearNode}
        />
      )}
      <TakenOver events={trace.events} />
      <TraceTrouble trace={trace} />
      {beside.missing !== null && <p className="sw-faint sw-trace-missing">{beside.missing}</p>}
      {all.length === 0 ? (
        <NoEvents phase={trace.phase} total={props.total} />
      ) : (
        <TraceList
          rows={rows}
          axis={axis}
          decisions={decisions}
          answeredBy={answeredBy}
          until={props.until}
          chosen={line.id}
          onChoose={line.onChoose}
          follow={follow && held === null && trace.phase === 'live'}
          onLeave={() => setFollow(false)}
        />
      )}
      <UsedByNode events={trace.events} used={props.used} />
      <LineDetail
        rows={all}
        line={line}
        runId={props.runId}
        events={trace.events}
        onShow={props.onShow}
      />
    </div>
  );
}

/** That a worker died on the way, and that nothing of the run was lost by it. */
function TakenOver(props: { readonly events: TraceState['events'] }) {
  const taken = useMemo(() => takenOverOf(props.events), [props.events]);
  return (
    <div role="status">
      {taken !== null && (
        <Notice tone="info" testId="taken-over" icon={<IconArrowsExchange size={16} aria-hidden />}>
          {rich(
            'The worker that executed this run stopped answering. Another one took it over {time} and went on from what was stored{again}.',
            {
              time: <TimeAgo at={taken.at} />,
              again:
                taken.times > 1 &&
                t('; it was taken over {times, plural, one {# time} other {# times}} in all', {
                  times: taken.times,
                }),
            },
          )}
        </Notice>
      )}
    </div>
  );
}

/** Why nothing new comes, and when it is tried again; what came stays. */
function TraceTrouble({ trace }: { readonly trace: TraceState }) {
  const { broken, phase } = trace;
  if (phase === 'failed') {
    return <ErrorState compact title={t('The live trace stopped')} error={trace.error} />;
  }
  if (broken === undefined) {
    return null;
  }
  const error = toApiError(trace.error);
  return (
    <div className="sw-brief-trouble" role="status" data-testid="trace-broken">
      <IconAlertTriangle size={16} aria-hidden />
      <div className="sw-notice-text">
        {rich('{errorTitle}. What came until then stays; it goes on from there.{retryLine}', {
          errorTitle: errorTitle(error),
          retryLine: (
            <RetryLine
              failed={{ error, cause: error, ...broken }}
              isFetching={phase !== 'waiting'}
            />
          ),
        })}
      </div>
    </div>
  );
}

function UsedByNode(props: {
  readonly events: TraceState['events'];
  readonly used: RunUse | null | undefined;
}) {
  const { events, used } = props;
  const use = useMemo(() => nodeUse(events, used ?? null), [events, used]);
  return used === undefined ? null : <NodeUseTable use={use} run={used} />;
}

/** The chosen line in full, below the list or where the page wants it. */
function LineDetail(props: {
  readonly rows: readonly TraceRow[];
  readonly line: ChosenLine;
  readonly runId: string;
  readonly events: TraceState['events'];
  readonly onShow: TracePanelProps['onShow'];
}) {
  const { id, onChoose, slot } = props.line;
  const row = id === null ? undefined : props.rows.find((each) => each.id === id);
  if (row === undefined) {
    return null;
  }
  const close = (): void => onChoose(null);
  const detail =
    row.item === undefined ? (
      <TraceEventDetail runId={props.runId} row={row} events={props.events} onClose={close} />
    ) : (
      <TimelineDetail
        title={`${row.what} ${row.node}`}
        item={row.item}
        onShow={props.onShow}
        onClose={close}
      />
    );
  return slot === null ? detail : createPortal(detail, slot);
}

/** Tells which nodes are at work, when they change. */
function useLiveNodes(nodes: LiveNodes, onLive: (nodes: LiveNodes) => void): void {
  const text = useMemo(() => JSON.stringify(nodes), [nodes]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: equal lists are the same news
  useEffect(() => onLive(nodes), [text]);
}

function NoEvents(props: Pick<TracePanelProps, 'total'> & Pick<TraceState, 'phase'>) {
  if (props.total === 0) {
    return <NoTrace />;
  }
  if (props.phase === 'opening') {
    return <ListSkeleton rows={4} />;
  }
  if (props.phase === 'live') {
    return (
      <EmptyState compact title={t('No events yet')}>
        {t('They appear here as soon as the run has its turn.')}
      </EmptyState>
    );
  }
  return props.phase === 'failed' ? null : <NoTrace />;
}

function NoTrace() {
  return (
    <EmptyState compact title={t('No events')}>
      {t('The run ended before it left a trace.')}
    </EmptyState>
  );
}
