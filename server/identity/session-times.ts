/** How long a session lives, in milliseconds. */
export interface SessionLimits {
  /** Without a request. */
  readonly idleMs: number;
  /** From sign-in, whatever is asked. */
  readonly absoluteMs: number;
}

/** When a session ends unless it is used again. */
export function sessionEnd(now: number, createdAt: number, limits: SessionLimits): number {
  return Math.min(now + limits.idleMs, createdAt + limits.absoluteMs);
}
