import type { RunDetail } from '../../../server/contract/dashboard/runs.ts';

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

const RESUMABLE: ReadonlySet<string> = new Set(['failed', 'timed_out']);

const WORK_SAVED = /^(?:step|node)_(?:completed|failed)$/;

/** True when the run ended badly after a step of it was saved, so that it may be taken up again. */
export function canTryAgain(run: RunDetail): boolean {
  return RESUMABLE.has(run.status) && run.checkpoints.some(({ type }) => WORK_SAVED.test(type));
}

/** What stopping the run will do, in words. */
export function stopEffect(run: RunDetail): string {
  return run.status === 'blocked'
    ? 'The run ends as cancelled and its open task disappears. This cannot be undone.'
    : 'The run ends as cancelled after the step in progress. This cannot be undone.';
}

/** Text that is a JSON object or list, indented; other text as it is. */
export function readableText(text: string): string {
  const trimmed = text.trim();
  if (!/^[[{]/.test(trimmed)) {
    return text;
  }
  try {
    return JSON.stringify(JSON.parse(trimmed), null, 2);
  } catch {
    return text;
  }
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
