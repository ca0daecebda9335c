import type { TraceEvent } from '../../../server/contract/dashboard/trace.ts';
import type { TimelineItem } from './timeline-item.ts';

/** What a line is of: a kind of trace event, or what happened beside the trace. */
export type RowKind = TraceEvent['kind'] | 'checkpoint' | 'note' | 'audit';

/** One line of the waterfall: a span with its opening and closing event, or a single event. */
export interface TraceRow {
  readonly id: string;
  readonly kind: RowKind;
  /** What ran, such as `workflow` or `run`, or the whole type of a single event. */
  readonly what: string;
  readonly node: string;
  readonly state: 'done' | 'running' | 'paused' | 'failed' | 'point';
  /** Epoch milliseconds. */
  readonly start: number;
  readonly end: number;
  readonly durationMs: number;
  /** Spans around this one. */
  readonly depth: number;
  readonly input: string | null;
  readonly output: string | null;
  readonly error: string | null;
  /** The offline runtime answered. */
  readonly offline: boolean;
  /** The run waits here for a person; the line lasts until the answer. */
  readonly wait: boolean;
  readonly events: readonly TraceEvent[];
  /** What it is, where it happened beside the trace. */
  readonly item?: TimelineItem;
}

/** The lines in order of their start, and the time they span together. */
export interface Waterfall {
  readonly rows: readonly TraceRow[];
  readonly start: number;
  readonly end: number;
}

const PHASE = /_(started|resumed|completed|failed)$/;

interface Draft {
  row: TraceRow;
  parent: string | null;
}

function timeOf(event: TraceEvent): number {
  const time = Date.parse(event.ts);
  return Number.isNaN(time) ? 0 : time;
}

function phaseOf(event: TraceEvent): string | undefined {
  return PHASE.exec(event.type)?.[1];
}

const ASKS = 'human_intervention_requested';
const RESUMED = 'workflow_resumed';

function wordsOf(type: string, open: boolean): string {
  if (type === ASKS) {
    return 'waits for';
  }
  return open ? type.replace(PHASE, '') : type.replaceAll('_', ' ');
}

function newRow(event: TraceEvent, index: number, open: boolean): TraceRow {
  const at = timeOf(event);
  const failed = event.error !== null || event.type.endsWith('_failed');
  const closed = failed ? 'failed' : event.duration_ms > 0 ? 'done' : 'point';
  return {
    id: event.event_id ?? `${index}`,
    kind: event.kind,
    what: wordsOf(event.type, open),
    node: event.node,
    state: open ? 'running' : closed,
    start: at - event.duration_ms,
    end: at,
    durationMs: event.duration_ms,
    depth: 0,
    input: event.input_preview,
    output: event.output_preview,
    error: event.error,
    offline: event.offline,
    wait: event.type === ASKS,
    events: [event],
  };
}

function closeRow(row: TraceRow, event: TraceEvent): TraceRow {
  const end = timeOf(event);
  const failed = event.type.endsWith('_failed') || event.error !== null;
  return {
    ...row,
    kind: row.kind === 'node' ? event.kind : row.kind,
    state: failed ? 'failed' : 'done',
    end,
    durationMs: event.duration_ms > 0 ? event.duration_ms : Math.max(0, end - row.start),
    output: event.output_preview ?? row.output,
    error: event.error ?? row.error,
    events: [...row.events, event],
  };
}

/** The answer of a person ends what waited for it. */
function endWaits(drafts: readonly Draft[], event: TraceEvent): void {
  const end = timeOf(event);
  for (const draft of drafts) {
    const { row } = draft;
    if (row.wait && row.end === row.start) {
      draft.row = { ...row, state: 'done', end, durationMs: end - row.start };
    }
  }
}

/** A leg of a workflow ends where it hands over to a person; the answer opens another. */
function pauseLeg(drafts: readonly Draft[], open: Map<string, number>, event: TraceEvent): void {
  const span = event.parent_span_id ?? event.span_id;
  const at = span === null ? undefined : open.get(span);
  const leg = at === undefined ? undefined : drafts[at];
  if (leg !== undefined && span !== null) {
    const end = timeOf(event);
    leg.row = { ...leg.row, state: 'paused', end, durationMs: Math.max(0, end - leg.row.start) };
    open.delete(span);
  }
}

/** Closes the span that the event ends; false when it ends none that is open. */
function closeSpan(
  drafts: readonly Draft[],
  open: Map<string, number>,
  event: TraceEvent,
): boolean {
  const phase = phaseOf(event);
  const span = event.span_id;
  const at = span === null ? undefined : open.get(span);
  const draft = at === undefined ? undefined : drafts[at];
  if (draft === undefined || span === null || (phase !== 'completed' && phase !== 'failed')) {
    return false;
  }
  draft.row = closeRow(draft.row, event);
  open.delete(span);
  return true;
}

function addLine(
  drafts: Draft[],
  open: Map<string, number>,
  event: TraceEvent,
  index: number,
): void {
  const phase = phaseOf(event);
  const span = event.span_id;
  const opens = span !== null && (phase === 'started' || phase === 'resumed');
  drafts.push({ row: newRow(event, index, opens), parent: event.parent_span_id });
  if (opens) {
    open.set(span, drafts.length - 1);
  }
}

function depthOf(span: string | null, parents: ReadonlyMap<string, string | null>): number {
  let depth = 0;
  const seen = new Set<string>();
  for (let at = span; at !== null && !seen.has(at); at = parents.get(at) ?? null) {
    seen.add(at);
    depth += 1;
  }
  return depth;
}

/**
 * Pairs the opening and closing events of spans into lines of a waterfall. What is still open when
 * the run is over was cut off: it ends with the last event.
 */
export function toWaterfall(events: readonly TraceEvent[], over = false): Waterfall {
  const drafts: Draft[] = [];
  const open = new Map<string, number>();
  const parents = new Map<string, string | null>();
  events.forEach((event, index) => {
    if (event.span_id !== null) {
      parents.set(event.span_id, event.parent_span_id);
    }
    if (event.type === ASKS) {
      pauseLeg(drafts, open, event);
    }
    if (event.type === RESUMED) {
      endWaits(drafts, event);
    }
    if (!closeSpan(drafts, open, event)) {
      addLine(drafts, open, event, index);
    }
  });
  const end = drafts.reduce((most, { row }) => Math.max(most, row.end), 0);
  const rows = drafts.map(({ row, parent }): TraceRow => {
    const cut = over && row.state === 'running';
    const ended = cut ? { state: 'done' as const, end, durationMs: end - row.start } : {};
    return { ...row, ...ended, depth: depthOf(parent, parents) };
  });
  const start = rows.reduce((least, row) => Math.min(least, row.start), Number.POSITIVE_INFINITY);
  return { rows, start: rows.length === 0 ? 0 : start, end };
}

/** What the reader wants to see of a trace. */
export interface TraceFilter {
  readonly kinds: readonly string[];
  readonly text: string;
  /** Node chosen in the graph; null = all. */
  readonly node: string | null;
  /** Only what failed. */
  readonly failed: boolean;
}

/** The lines that match every part of the filter. */
export function filterRows(rows: readonly TraceRow[], filter: TraceFilter): readonly TraceRow[] {
  const text = filter.text.trim().toLowerCase();
  return rows.filter((row) => {
    if (filter.node !== null && row.node !== filter.node) {
      return false;
    }
    if (filter.failed && row.state !== 'failed') {
      return false;
    }
    if (filter.kinds.length > 0 && !filter.kinds.includes(row.kind)) {
      return false;
    }
    const words = [row.what, row.node, row.input, row.output, row.error];
    return text === '' || words.some((word) => word?.toLowerCase().includes(text) === true);
  });
}

/** Lines per kind, kinds that occur only. */
export function countKinds(rows: readonly TraceRow[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const row of rows) {
    counts.set(row.kind, (counts.get(row.kind) ?? 0) + 1);
  }
  return [...counts];
}

/** Nodes at work, and nodes whose latest work failed, in the order of the trace. */
export function nodesOf(rows: readonly TraceRow[]): {
  readonly busy: readonly string[];
  readonly failed: readonly string[];
} {
  const latest = new Map<string, TraceRow['state']>();
  for (const { node, state } of rows) {
    if (node !== '' && state !== 'point') {
      latest.set(node, state);
    }
  }
  const inState = (wanted: TraceRow['state']): string[] =>
    [...latest].filter(([, state]) => state === wanted).map(([node]) => node);
  return { busy: inState('running'), failed: inState('failed') };
}
