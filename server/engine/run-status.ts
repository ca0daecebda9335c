import type { RunStatus } from '../contract/platform/run-status.ts';

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

/**
 * Whether a stored status may be overwritten (platform.md 6.2). A terminal status never is, except
 * `failed` → `running` by continue.
 */
export function canTransition(from: RunStatus, to: RunStatus): boolean {
  return TRANSITIONS[from].includes(to);
}
