import type { TraceRow } from './trace-model.ts';

/** The common time axis of a trace; long waits in which nothing ran are cut short. */
export interface TraceAxis {
  /** Epoch milliseconds. */
  readonly start: number;
  readonly end: number;
  /** Stretches that are drawn at full length, in order. */
  readonly spans: readonly { readonly start: number; readonly end: number; readonly at: number }[];
  /** Milliseconds that are drawn, cuts included. */
  readonly length: number;
  /** Cut waits: where they stand in percent, and how long they took. */
  readonly cuts: readonly { readonly left: number; readonly ms: number }[];
}

interface Stretch {
  start: number;
  end: number;
}

/** A wait is cut when it is longer than this share of the time at work. */
const CUT_FROM = 0.25;
/** What is left of a cut wait, as a share of the time at work. */
const CUT_LEFT = 0.04;
const LEAST_CUT_MS = 50;

/** Stretches in which something ran, joined where they touch. */
function busyStretches(rows: readonly TraceRow[]): Stretch[] {
  const sorted = rows
    .map(({ start, end }): Stretch => ({ start, end }))
    .sort((a, b) => a.start - b.start);
  const joined: Stretch[] = [];
  for (const { start, end } of sorted) {
    const last = joined.at(-1);
    if (last !== undefined && start <= last.end) {
      last.end = Math.max(last.end, end);
    } else {
      joined.push({ start, end });
    }
  }
  return joined;
}

/** Joins stretches whose wait between them is too short to cut. */
function keptStretches(busy: readonly Stretch[], cutFrom: number): Stretch[] {
  const kept: Stretch[] = [];
  for (const stretch of busy) {
    const last = kept.at(-1);
    if (last !== undefined && stretch.start - last.end <= cutFrom) {
      last.end = stretch.end;
    } else {
      kept.push({ ...stretch });
    }
  }
  return kept;
}

/** The lines with what is at work drawn up to now; null = as the events have it. */
export function rowsUntil(rows: readonly TraceRow[], now: number | null): readonly TraceRow[] {
  return now === null
    ? rows
    : rows.map((row) => (row.state === 'running' ? { ...row, end: Math.max(row.end, now) } : row));
}

/** The axis that shows these lines. */
export function axisOf(rows: readonly TraceRow[]): TraceAxis {
  // Nothing runs while a person is waited for: such a line spans the cut, it does not prevent it.
  const working = rows.filter(({ wait }) => !wait);
  const busy = busyStretches(working.length > 0 ? working : rows);
  const work = busy.reduce((sum, { start, end }) => sum + end - start, 0);
  const kept = keptStretches(busy, Math.max(LEAST_CUT_MS, work * CUT_FROM));
  const gap = Math.max(1, work * CUT_LEFT);
  const spans: { start: number; end: number; at: number }[] = [];
  let at = 0;
  for (const stretch of kept) {
    spans.push({ ...stretch, at });
    at += stretch.end - stretch.start + gap;
  }
  const length = Math.max(1, at - gap);
  const cuts = spans.slice(1).map((span, index) => ({
    left: ((span.at - gap / 2) / length) * 100,
    ms: span.start - (spans[index]?.end ?? span.start),
  }));
  return { start: spans[0]?.start ?? 0, end: spans.at(-1)?.end ?? 0, spans, length, cuts };
}

/** Where an instant stands on the axis, in percent. */
export function placeOf(axis: TraceAxis, time: number): number {
  const span = axis.spans.findLast(({ start }) => start <= time) ?? axis.spans[0];
  if (span === undefined) {
    return 0;
  }
  const within = Math.max(0, Math.min(time, span.end) - span.start);
  return ((span.at + within) / axis.length) * 100;
}

const THINNEST = 0.5;

/** Where a line's bar stands on the axis, in percent; a bar is never thinner than half a percent. */
export function barOf(
  row: TraceRow,
  axis: TraceAxis,
): { readonly left: number; readonly width: number } {
  const from = placeOf(axis, row.start);
  const to = placeOf(axis, row.state === 'running' ? axis.end : row.end);
  const width = Math.min(100, Math.max(THINNEST, to - from));
  return { left: Math.max(0, Math.min(from, 100 - width)), width };
}
