import { isTerminalStatus, type RUN_STATUSES } from '../contract/platform/run-status.ts';

/** A status of a run (platform.md 6.1). */
export type RunStatus = (typeof RUN_STATUSES)[number];

const TRANSITIONS: Readonly<Record<RunStatus, readonly RunStatus[]>> = {
  queued: ['running', 'failed', 'cancelled', 'timed_out'],
  running: ['blocked', 'completed', 'failed', 'cancelled', 'timed_out'],
  blocked: ['running', 'failed', 'cancelled', 'expired', 'timed_out'],
  completed: [],
  failed: ['running'],
  cancelled: [],
  expired: [],
  timed_out: [],
};

/** True for a run that is over. */
export function isTerminal(status: RunStatus): boolean {
  return isTerminalStatus(status);
}

/**
 * Whether a stored status may be overwritten (platform.md 6.2). A terminal status never is, except
 * `failed` → `running` by continue.
 */
export function canTransition(from: RunStatus, to: RunStatus): boolean {
  return TRANSITIONS[from].includes(to);
}
