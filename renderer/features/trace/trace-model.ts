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
  /** Tokens that it used, where it told. */
  readonly tokens?: TraceEvent['tokens'];
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

/** Another worker goes on with the run, since the one before stopped answering. */
export const TAKEN_OVER = 'run_recovered';

/** How often a run was taken over by another worker, and when it was last; null = never. */
export interface TakenOver {
  readonly at: string;
  readonly times: number;
}

export function takenOverOf(events: readonly TraceEvent[]): TakenOver | null {
  const found = events.filter(({ type }) => type === TAKEN_OVER);
  const last = found.at(-1);
  return last === undefined ? null : { at: last.ts, times: found.length };
}

/** Nodes at work, and nodes whose latest work failed, in the order of the trace. */
export function nodesOf(rows: readonly TraceRow[]): {
  readonly busy: readonly string[];
  readonly failed: readonly string[];
} {
  const latest = new Map<string, TraceRow['state']>();
  for (const { node, state, events } of rows) {
    // A call that failed is asked again, and one that is over leaves its agent at work.
    const isCall = events[0]?.called !== undefined;
    if (node !== '' && state !== 'point' && !isCall) {
      latest.set(node, state);
    }
  }
  const inState = (wanted: TraceRow['state']): string[] =>
    [...latest].filter(([, state]) => state === wanted).map(([node]) => node);
  return { busy: inState('running'), failed: inState('failed') };
}
