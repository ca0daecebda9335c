/** Statuses of a run (platform.md 6.1). */
export const RUN_STATUSES = [
  'queued',
  'running',
  'blocked',
  'completed',
  'failed',
  'cancelled',
  'expired',
  'timed_out',
] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

const TERMINAL_STATUSES: ReadonlySet<RunStatus> = new Set([
  'completed',
  'failed',
  'cancelled',
  'expired',
  'timed_out',
]);

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

export function isTerminal(status: RunStatus): boolean {
  return TERMINAL_STATUSES.has(status);
}

/**
 * Whether a stored status may be overwritten (platform.md 6.2). A terminal status never is, except
 * `failed` → `running` by continue.
 */
export function canTransition(from: RunStatus, to: RunStatus): boolean {
  return TRANSITIONS[from].includes(to);
}
