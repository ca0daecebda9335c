import { locale } from '../../../preload/texts/language.ts';
import { t } from '../../../preload/texts/t.ts';
import type { RunDetail, RunRow } from '../../../server/contract/dashboard/runs.ts';
import { isTerminalStatus } from '../../../server/contract/platform/run-status.ts';

/** A shorter wait is nobody's concern. */
const WORTH_TELLING_MS = 100;

/** The times of a run, in rows and in the detail alike. */
type RunTimes = Pick<RunDetail, 'created_at' | 'started_at' | 'completed_at'>;

/** What "took" means wherever it stands. */
export const TOOK_MEANS = t(
  'From the start of the run to its end. The wait before the start does not count; waits for people do.',
);

/**
 * Milliseconds that a run has taken from its start to its end or until now; null before it started.
 * A run that ended without ever starting counts from its creation.
 */
export function runDuration(run: RunTimes, nowMs: number): number | null {
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
    ? t('The run ends as cancelled and its open task disappears. This cannot be undone.')
    : t('The run ends as cancelled after the step in progress. This cannot be undone.');
}

/** Token use in one line; undefined when nobody has reported any. */
export function usageText(run: Pick<RunDetail, 'usage'>): string | undefined {
  const { usage } = run;
  if (usage === null) {
    return undefined;
  }
  const parts = [
    usage.total_tokens === null ? undefined : t('{count} tokens', { count: usage.total_tokens }),
    usage.input_tokens === null ? undefined : t('{count} in', { count: usage.input_tokens }),
    usage.output_tokens === null ? undefined : t('{count} out', { count: usage.output_tokens }),
    usage.cost_usd === null
      ? undefined
      : t('about {cost} {currency}', { cost: usage.cost_usd, currency: usage.currency }),
  ];
  return parts.filter((part) => part !== undefined).join(', ');
}

const RATE_DIGITS = 6;

/** What the cost of a run is made of; undefined while it has none. */
export function rateText({ usage }: Pick<RunDetail, 'usage'>): string | undefined {
  const cost = usage?.cost_usd ?? null;
  const tokens = usage?.total_tokens ?? null;
  if (usage === null || cost === null || tokens === null || tokens <= 0) {
    return undefined;
  }
  const rate = Number(((cost / tokens) * 1000).toFixed(RATE_DIGITS));
  return t(
    '{rate} {currency} a thousand tokens, by the prices under Spend. An estimate, never a bill.',
    { rate, currency: usage.currency },
  );
}

/** What a run that is over took; null for others, whose time would stand still between two reads. */
export function rowDuration(run: RunTimes & Pick<RunRow, 'status'>): number | null {
  return isTerminalStatus(run.status) && run.completed_at !== null ? runDuration(run, 0) : null;
}

/** True while stopping the run has an effect. */
export function canStop(run: Pick<RunRow, 'status'>): boolean {
  return !isTerminalStatus(run.status);
}

const NUMBERS = new Intl.NumberFormat(locale());

/** What of a run's trace was not kept, in words; null when all of it was, or nobody knows. */
export function droppedText(
  run: Pick<RunDetail, 'trace_dropped' | 'trace_dropped_count'>,
): string | null {
  const { trace_dropped, trace_dropped_count: count } = run;
  if (trace_dropped !== true) {
    return null;
  }
  return count === null
    ? t('Some later events were not kept')
    : t('{NUMBERS} later {count, plural, one {event was} other {events were}} not kept', {
        NUMBERS: NUMBERS.format(count),
        count,
      });
}
