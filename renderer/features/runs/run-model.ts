import type { RunDetail, RunRow } from '../../../server/contract/dashboard/runs.ts';
import { isTerminalStatus } from '../../../server/contract/platform/run-status.ts';

/** A shorter wait is nobody's concern. */
const WORTH_TELLING_MS = 100;

/** The title of a run: its workflow, else its agent. */
export function runTitle(run: RunDetail | undefined): string {
  return run?.workflow_name || run?.agent_name || 'Run';
}

/** Milliseconds that a run has taken, to its end or until now; null before it started. */
export function runDuration(run: RunDetail, nowMs: number): number | null {
  const start = Date.parse(run.started_at ?? run.created_at ?? '');
  if (Number.isNaN(start)) {
    return null;
  }
  const end = Date.parse(run.completed_at ?? '');
  return Math.max(0, (Number.isNaN(end) ? nowMs : end) - start);
}

/** Milliseconds that a run waited for its start; null when that is not worth a word. */
export function runWait(run: Pick<RunDetail, 'created_at' | 'started_at'>): number | null {
  const ms = Date.parse(run.started_at ?? '') - Date.parse(run.created_at ?? '');
  return ms >= WORTH_TELLING_MS ? ms : null;
}

/** What stopping the run will do, in words. */
export function stopEffect(run: RunDetail): string {
  return run.status === 'blocked'
    ? 'The run ends as cancelled and its open task disappears. This cannot be undone.'
    : 'The run ends as cancelled after the step in progress. This cannot be undone.';
}

/** Token use in one line; undefined when nobody has reported any. */
export function usageText(run: RunDetail): string | undefined {
  const { usage } = run;
  if (usage === null) {
    return undefined;
  }
  const parts = [
    usage.total_tokens === null ? undefined : `${usage.total_tokens} tokens`,
    usage.input_tokens === null ? undefined : `${usage.input_tokens} in`,
    usage.output_tokens === null ? undefined : `${usage.output_tokens} out`,
    usage.cost_usd === null ? undefined : `about ${usage.cost_usd} ${usage.currency}`,
  ];
  return parts.filter((part) => part !== undefined).join(', ');
}

/** Milliseconds from the creation of a run that is over to its last change; null for others. */
export function rowDuration(
  run: Pick<RunRow, 'status' | 'created_at' | 'updated_at'>,
): number | null {
  const ms = Date.parse(run.updated_at ?? '') - Date.parse(run.created_at ?? '');
  return Number.isNaN(ms) || !isTerminalStatus(run.status) ? null : Math.max(0, ms);
}

/** True while stopping the run has an effect. */
export function canStop(run: Pick<RunRow, 'status'>): boolean {
  return !isTerminalStatus(run.status);
}
