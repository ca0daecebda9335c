/** Statuses of a run (platform.md 6.1), in the order of its life. */
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

/** Those of a run that is over. */
export const TERMINAL_STATUSES = [
  'completed',
  'failed',
  'cancelled',
  'expired',
  'timed_out',
] as const satisfies readonly RunStatus[];

const OVER: ReadonlySet<unknown> = new Set(TERMINAL_STATUSES);

/** True for the status of a run that is over; a word that nobody knows is not one. */
export function isTerminalStatus(status: unknown): boolean {
  return OVER.has(status);
}

/** True for the status of a run that can go on under another spec, where its state was kept. */
export function isStoppedStatus(status: unknown): boolean {
  return status === 'failed' || status === 'timed_out';
}
