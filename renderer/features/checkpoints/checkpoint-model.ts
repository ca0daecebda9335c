import type { CheckpointDiff } from '../../../server/contract/dashboard/runs.ts';

/** One changed place between two saved states. */
export interface DiffLine {
  readonly key: string;
  readonly change: 'added' | 'removed' | 'changed';
  readonly before: string | null;
  readonly after: string | null;
  /** Bookkeeping of the platform rather than work of the run. */
  readonly noise: boolean;
}

const NOISE =
  /(?:^|\.)(?:updated_at|created_at|started_at|event_id|trace_events|span_id|parent_span_id|timestamp|duration_ms|execution_context|step_iteration_counts|trace_event_count|trace)(?:$|[.[])/;

const META = /^(?:state\.)?metadata\b/;

/** A place that came without a value says nothing about the work. */
function foldEmpty(line: DiffLine): DiffLine {
  return line.before === null && line.after === null ? { ...line, noise: true } : line;
}

/** By key; what stands in the metadata comes last. */
function byKey(a: DiffLine, b: DiffLine): number {
  const last = Number(META.test(a.key)) - Number(META.test(b.key));
  return last === 0 ? (a.key < b.key ? -1 : 1) : last;
}

/** The lines of a diff in the order of their keys, metadata last. */
export function diffLines(diff: CheckpointDiff): readonly DiffLine[] {
  const lines: DiffLine[] = [
    ...diff.added.map(({ key, value }): DiffLine => {
      return { key, change: 'added', before: null, after: value, noise: NOISE.test(key) };
    }),
    ...diff.removed.map(({ key, value }): DiffLine => {
      return { key, change: 'removed', before: value, after: null, noise: NOISE.test(key) };
    }),
    ...diff.changed.map(({ key, from_value, to_value }): DiffLine => {
      const noise = NOISE.test(key);
      return { key, change: 'changed', before: from_value, after: to_value, noise };
    }),
  ];
  return lines.map(foldEmpty).sort(byKey);
}

/** A saved state as the list shows it. */
export interface SavedState {
  readonly sequence: number;
  readonly type: string;
  /** Step or node; empty for the run itself. */
  readonly node: string;
  /** Wire timestamp. */
  readonly at: string;
}

/** The state `step` places away, kept within the list; from the end when none is shown. */
export function neighbourState(
  states: readonly SavedState[],
  sequence: number | null,
  step: 1 | -1,
): SavedState | undefined {
  const found = states.findIndex((state) => state.sequence === sequence);
  const from = found === -1 ? states.length : found;
  return states[Math.max(0, Math.min(states.length - 1, from + step))];
}

/** The changes whose place or values contain the words, bookkeeping only when asked for. */
export function shownLines(
  lines: readonly DiffLine[],
  wanted: { readonly noise: boolean; readonly text: string },
): readonly DiffLine[] {
  const text = wanted.text.trim().toLowerCase();
  return lines.filter(
    ({ key, before, after, noise }) =>
      (wanted.noise || !noise) &&
      [key, before, after].some((part) => part?.toLowerCase().includes(text) === true),
  );
}

/** How long after the first state one was saved, in milliseconds; null when the times say nothing. */
export function sinceStart(states: readonly SavedState[], state: SavedState): number | null {
  const ms = Date.parse(state.at) - Date.parse(states[0]?.at ?? '');
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}
