import { z } from 'zod';
import { t } from '../../../preload/texts/t.ts';
import type { SessionView } from '../../../server/contract/dashboard/runs.ts';
import { toldReader } from '../../../server/contract/told.ts';
import type { Decided } from '../../data/use-decisions.ts';
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

/** A wait of a run for a person. */
export interface Pause {
  /** The task that the person has, or had. */
  readonly task: string;
  readonly question: string;
  /** Epoch milliseconds. */
  readonly from: number;
  /** Epoch milliseconds; null while it waits, and where nobody answered. */
  readonly until: number | null;
  /** Who answered what; null where nobody did, or where that may not be read. */
  readonly decided: Decided | null;
}

/** Something of a run and when it was. */
interface Moment {
  readonly timestamp?: string | null | undefined;
  readonly metadata?: unknown;
}

interface SavedMoment {
  readonly type: string;
  readonly created_at: string;
}

const readAsked = toldReader(
  z.object({
    continuation_id: z.string(),
    request: z.object({ title: z.string(), prompt: z.string() }),
  }),
);

/** The waits of a run, oldest first, out of what its trace, saved states and the audit tell. */
export function pausesOf(
  asked: readonly Moment[],
  states: readonly SavedMoment[],
  decisions: readonly Decided[],
): readonly Pause[] {
  const begun = asked.map(({ timestamp, metadata }) => {
    const { continuation_id, request } = readAsked(
      typeof metadata === 'object' && metadata !== null ? metadata : {},
    );
    return {
      task: continuation_id ?? '',
      question: request?.title || request?.prompt || t('A person was asked.'),
      from: Date.parse(timestamp ?? ''),
    };
  });
  return begun.map((pause, at) => {
    const end = begun[at + 1]?.from ?? Number.POSITIVE_INFINITY;
    const isIn = (moment: string): boolean =>
      Date.parse(moment) >= pause.from && Date.parse(moment) <= end;
    const resumed = states.find(
      ({ type, created_at }) => type === 'human_resume' && isIn(created_at),
    );
    const decided = decisions
      .filter((one) => isIn(one.at))
      .toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))
      .at(0);
    const until = resumed?.created_at ?? decided?.at;
    return {
      ...pause,
      until: until === undefined ? null : Date.parse(until),
      decided: decided ?? null,
    };
  });
}
