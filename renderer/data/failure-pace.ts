import type { QueryState } from '@tanstack/react-query';
import { isPassing, toApiError } from './api-error.ts';

/** A read as the cache keeps it. */
export interface KeptRead {
  readonly state: Pick<
    QueryState<unknown, unknown>,
    'status' | 'error' | 'errorUpdatedAt' | 'dataUpdatedAt'
  >;
}

/** A read that has failed is made again after so long at first, and less often while it goes on. */
const SOON_MS = 3_000;
const SELDOM_MS = 30_000;
/** The pause is a share of the time for which it has failed. */
const SHARE = 2;
/** Nobody waits longer than this because a service asked for it. */
const LONGEST_MS = 300_000;

const begun = new WeakMap<KeptRead, number>();

/** When the failures began that have not ended yet, in epoch milliseconds. */
export function failingSince(query: KeptRead): number {
  const { errorUpdatedAt, dataUpdatedAt } = query.state;
  const known = begun.get(query);
  const since = known !== undefined && known > dataUpdatedAt ? known : errorUpdatedAt;
  begun.set(query, since);
  return since;
}

/**
 * Milliseconds from a failure to the next read, which the service may have named; undefined while
 * the read has not failed, and where only somebody's doing helps.
 */
export function pauseOfFailure(query: KeptRead): number | undefined {
  const { status, error, errorUpdatedAt } = query.state;
  if (status !== 'error' || !isPassing(error)) {
    return undefined;
  }
  const failing = errorUpdatedAt - failingSince(query);
  const asked = (toApiError(error).retryAfter ?? 0) * 1_000;
  const own = Math.min(SELDOM_MS, Math.max(SOON_MS, failing / SHARE));
  return Math.min(LONGEST_MS, Math.max(asked, own));
}

/** A `refetchInterval`: reads every `ms`, false for never, and sooner after a failure. */
export function every(ms: number | false): (query: KeptRead) => number | false {
  return (query) => pauseOfFailure(query) ?? ms;
}
