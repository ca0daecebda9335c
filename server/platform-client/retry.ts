import type { PlatformError } from './platform-error.ts';

/** Attempts of a call that may be repeated (dashboard.md 11). */
export const MAX_ATTEMPTS = 3;
const BASE_DELAY_MS = 200;
const CAP_MS = 30_000;
const JITTER = 0.1;
const RETRIED_STATUSES: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Reads a Retry-After value, seconds or an HTTP date, as seconds from now; undefined when it is neither. */
export function parseRetryAfter(value: string | null, nowMs: number): number | undefined {
  if (value === null) return undefined;
  const text = value.trim();
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text);
  if (!/[a-z]/i.test(text)) return undefined;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, (date - nowMs) / 1000);
}

function isRetried(error: PlatformError): boolean {
  if (error.family === 'unreachable') return true;
  if (error.status === undefined) return false;
  if (RETRIED_STATUSES.has(error.status)) return true;
  return error.status === 409 && error.code === 'idempotency_key_in_progress';
}

/**
 * Milliseconds to wait before the next attempt; undefined when the failure is final. The server's
 * Retry-After counts as it stands; one above the cap is not waited for. `attempt` counts from 0,
 * `random` is in [0, 1).
 */
export function retryDelay(
  error: PlatformError,
  attempt: number,
  random: number,
): number | undefined {
  if (!isRetried(error)) return undefined;
  if (error.retryAfter !== undefined) {
    const wait = error.retryAfter * 1000;
    return wait > CAP_MS ? undefined : wait;
  }
  const delay = Math.min(CAP_MS, BASE_DELAY_MS * 2 ** attempt);
  return delay * (1 - JITTER + 2 * JITTER * random);
}
