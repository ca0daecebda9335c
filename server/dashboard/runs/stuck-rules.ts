import { secondsSince, spanText } from '../age.ts';
import { timeOf } from '../read.ts';

/** Seconds after which a run counts as stuck. */
export interface StuckThresholds {
  readonly stuckRunning: number;
  readonly stuckBlocked: number;
}

interface StuckFacts {
  readonly status?: string | null | undefined;
  readonly updated_at?: unknown;
  readonly deadline_at?: unknown;
}

/** Whoever stands otherwise waits for nothing. */
export const CAN_BE_STUCK: ReadonlySet<string> = new Set(['running', 'blocked']);

/** Why a run looks stuck, undefined when it does not (contract/dashboard.md 9). */
export function stuckReason(
  run: StuckFacts,
  nowMs: number,
  thresholds: StuckThresholds,
): string | undefined {
  if (run.status === 'running') {
    const quiet = secondsSince(run.updated_at, nowMs);
    if (quiet === undefined || quiet < thresholds.stuckRunning) return undefined;
    return `running without progress for ${spanText(quiet)}`;
  }
  if (run.status === 'blocked') {
    const deadline = timeOf(run.deadline_at);
    if (deadline === undefined) return undefined;
    const left = (deadline - nowMs) / 1000;
    if (left > thresholds.stuckBlocked) return undefined;
    return left > 0
      ? `blocked, deadline in ${spanText(left)}`
      : `blocked, deadline passed ${spanText(-left)} ago`;
  }
  return undefined;
}
