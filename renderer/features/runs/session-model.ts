import { t } from '../../../preload/texts/t.ts';
import type { SessionView } from '../../../server/contract/dashboard/runs.ts';
import { runDuration } from './run-model.ts';

type SessionRun = SessionView['runs'][number];

/** What the runs of a session took and used together, as far as they told. */
export interface SessionTotals {
  readonly runs: number;
  /** Runs of the session that are not among them; null when nobody told how many there are. */
  readonly left: number | null;
  /** Milliseconds. */
  readonly worked: number;
  readonly tokens: number;
  readonly cost: number | null;
  readonly currency: string;
  /** Runs that told their tokens. */
  readonly told: number;
}

/** Adds a session up. */
export function sessionTotals(session: Pick<SessionView, 'runs' | 'total'>): SessionTotals {
  const { runs, total } = session;
  const used = runs.flatMap(({ usage }) => (usage?.total_tokens == null ? [] : [usage]));
  const costs = used.flatMap(({ cost_usd }) => (cost_usd === null ? [] : [cost_usd]));
  return {
    runs: runs.length,
    left: total === null ? null : Math.max(0, total - runs.length),
    worked: runs.reduce(
      (sum, run) => sum + (run.completed_at === null ? 0 : (runDuration(run, 0) ?? 0)),
      0,
    ),
    tokens: used.reduce((sum, usage) => sum + (usage.total_tokens ?? 0), 0),
    cost: costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0),
    currency: used[0]?.currency ?? '',
    told: used.length,
  };
}

/** What stands in the place of an answer that a run has not given. */
export function silenceOf({ status }: Pick<SessionRun, 'status'>): string {
  switch (status) {
    case 'blocked':
      return t('waits for a person');
    case 'queued':
    case 'running':
      return t('still at work');
    case 'cancelled':
      return t('was stopped');
    default:
      return t('gave no output');
  }
}
