import { locale } from '../../../preload/texts/language.ts';
import { t } from '../../../preload/texts/t.ts';
import type { Activity, Overview } from '../../../server/contract/dashboard/overview.ts';
import type { SpendView } from '../../../server/contract/dashboard/spend.ts';
import { paths } from '../../app/paths.ts';
import type { Tone } from '../../ui/status-badge.tsx';

export interface Tile {
  readonly key: string;
  readonly label: string;
  /** Undefined: the platform does not tell. */
  readonly value: number | undefined;
  readonly tone: Tone;
  readonly to: string;
}

const LOOKS: Readonly<Record<string, { readonly to: string; readonly tone: Tone }>> = {
  running: { to: paths.runs({ status: 'running' }), tone: 'neutral' },
  blocked: { to: paths.runs({ status: 'blocked' }), tone: 'warning' },
  failed: { to: paths.runs({ status: 'failed' }), tone: 'danger' },
  pending_hitl: { to: paths.tasks(), tone: 'warning' },
  total: { to: paths.runs(), tone: 'neutral' },
};

/** The counts with where each leads; one of zero is calm, whatever its tone. */
export function tilesOf(overview: Overview): readonly Tile[] {
  return overview.tiles.map(({ key, label, value }) => {
    const { to, tone } = LOOKS[key] ?? { to: paths.runs(), tone: 'neutral' };
    const isCalm = value === null || value === 0;
    return { key, label, value: value ?? undefined, tone: isCalm ? 'neutral' : tone, to };
  });
}

/** How many runs have failed by the counts, and which counts those are. */
export interface CountedFailures {
  readonly count: number;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** Undefined where the platform does not tell how many runs have failed. */
export function failuresOf(read: {
  readonly data: Overview | undefined;
  readonly dataUpdatedAt: number;
}): CountedFailures | undefined {
  const count = read.data?.tiles.find(({ key }) => key === 'failed')?.value ?? undefined;
  return count === undefined ? undefined : { count, at: read.dataUpdatedAt };
}

/** How much a count is more or less than at the last visit; undefined where that is nothing. */
export function changeText(before: unknown, now: number | undefined): string | undefined {
  if (typeof before !== 'number' || now === undefined || before === now) {
    return undefined;
  }
  return `${now > before ? '+' : '−'}${Math.abs(now - before)}`;
}

const HOUR = new Intl.DateTimeFormat(locale(), { hour: '2-digit', minute: '2-digit' });

/** Bars of an activity, one an hour; a run stands in one part of its bar. */
export function activityRows({ hours }: Activity) {
  return hours.map(({ from, created, failed, blocked }) => ({
    label: HOUR.format(new Date(from)),
    values: { failed, blocked, others: created - failed - blocked },
  }));
}

/** What is known of the money spent, in the words that stand beside the number. */
export function spendText(spend: SpendView): { readonly sum: string; readonly coverage: string } {
  const { counted, total, truncated, priced, approximate, currency, total_cost_usd } = spend;
  const runs =
    truncated && total !== null
      ? t('{counted, number} of {count, plural, one {# run} other {# runs}}', {
          counted,
          count: total,
        })
      : t('{count, plural, one {# run} other {# runs}}', { count: counted });
  const coverage = `${runs}${truncated ? t(': the newest only') : ''}`;
  if (!priced || total_cost_usd === null) {
    return { sum: '–', coverage: t('No price is set. {coverage}', { coverage }) };
  }
  const sum = new Intl.NumberFormat(locale(), { maximumFractionDigits: 4 }).format(total_cost_usd);
  return {
    sum: `${approximate ? '≈ ' : ''}${sum} ${currency}`,
    coverage: `${coverage}${approximate ? t(', by your prices') : ''}`,
  };
}
