import type { RunState } from '../../engine/state.ts';
import type { StepOutcome } from '../../engine/step-outcome.ts';
import type { TraceEvent } from '../../engine/trace.ts';
import { parseTimestamp } from '../../kernel/timestamp.ts';
import type { RunsTable } from '../../store/platform-tables.ts';
import type { PlatformDeps } from '../deps.ts';
import type { TimingLabels, TimingOutcome } from '../probes/metrics.ts';
import type { HumanWait } from '../telemetry/telemetry.ts';

type WatchDeps = Pick<PlatformDeps, 'metrics' | 'telemetry' | 'checkpoints'>;

/** Notices what the states of a run say beside what is stored of them. */
export interface RunWatch {
  /** This came of the run and is not stored yet. */
  take(outcome: StepOutcome): void;
  /** What was taken is in the store. */
  stored(): void;
  /** A write of the run took so long, and ended so. */
  wrote(outcome: TimingOutcome, seconds: number): void;
}

interface Wait extends HumanWait {
  readonly outcome: TimingOutcome;
}

/** How a wait for a person ended, by the state that came after it. */
function waitOutcome({ status }: RunState): TimingOutcome {
  switch (status) {
    case 'expired':
    case 'cancelled':
    case 'timed_out':
    case 'failed':
      return status;
    default:
      return 'answered';
  }
}

/** The wait that ended between two states, if one did; an escalated question goes on waiting. */
function waitBetween(before: RunState | undefined, after: RunState): Wait | undefined {
  const asked = before?.pause?.continuation;
  if (asked === undefined || after.pause?.continuation.id === asked.id) return undefined;
  const start = parseTimestamp(asked.created_at) ?? after.latest_at ?? 0;
  return { asked, outcome: waitOutcome(after), start, end: Math.max(start, after.latest_at ?? 0) };
}

/** Watches a run whose last stored state is `before`; undefined for a run that is not stored yet. */
export function createRunWatch(
  { metrics, telemetry, checkpoints }: WatchDeps,
  row: RunsTable,
  before: RunState | undefined,
): RunWatch {
  let stored = before;
  let last = before;
  let waits: Wait[] = [];
  let events: TraceEvent[] = [];
  const of = (outcome: TimingOutcome): TimingLabels => ({ kind: row.workflow_kind, outcome });
  return {
    take({ state, trace }) {
      const wait = waitBetween(last, state);
      if (wait !== undefined) waits.push(wait);
      if (telemetry !== undefined) events.push(...trace);
      last = state;
    },
    stored() {
      for (const { outcome, start, end } of waits) {
        metrics.observe('human_wait', of(outcome), (end - start) / 1000);
      }
      if (telemetry !== undefined && last !== undefined) {
        const continued = last.completed_at !== null && checkpoints.isContinued(row.id);
        telemetry.committed({ row, before: stored, after: last, events, waits, continued });
        events = [];
      }
      waits = [];
      stored = last;
    },
    wrote: (outcome, seconds) => metrics.observe('commit', of(outcome), seconds),
  };
}
