import type { CheckpointDiff, CheckpointRow } from '../../../server/contract/dashboard/runs.ts';

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

/** The lines of a diff in the order of their keys. */
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
  return lines.sort((a, b) => (a.key < b.key ? -1 : 1));
}

/** The saved state before one in the list; null for the first. */
export function previousOf(
  checkpoints: readonly CheckpointRow[],
  sequence: number,
): CheckpointRow | null {
  const at = checkpoints.findIndex((row) => row.sequence === sequence);
  return at > 0 ? (checkpoints[at - 1] ?? null) : null;
}
