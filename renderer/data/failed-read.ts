import { useEffect, useRef, useState } from 'react';
import { type ApiError, toApiError } from './api-error.ts';
import { failingSince } from './failure-pace.ts';
import { queryClient } from './query-client.ts';

/** What is known of a read that failed. Times are epoch milliseconds. */
export interface FailedRead {
  readonly error: ApiError;
  /** What was thrown. */
  readonly cause: unknown;
  readonly since: number;
  /** When it is made again by itself; undefined = it is not. */
  readonly nextAt: number | undefined;
}

/** A read, as far as what is told of its failure needs it. */
export interface Read {
  readonly isPending: boolean;
  readonly isError: boolean;
  readonly isFetching: boolean;
  readonly error: unknown;
  readonly errorUpdatedAt: number;
}

/** What the cache knows of the read that ended in this very error. */
function failedReadOf(error: unknown): FailedRead {
  const cache = queryClient.getQueryCache();
  const query = cache.getAll().find(({ state }) => state.error === error);
  if (query === undefined) {
    return { error: toApiError(error), cause: error, since: Date.now(), nextAt: undefined };
  }
  const pauses = query.observers.flatMap(({ options: { refetchInterval } }) => {
    const pause = typeof refetchInterval === 'function' ? refetchInterval(query) : refetchInterval;
    return typeof pause === 'number' ? [pause] : [];
  });
  return {
    error: toApiError(error),
    cause: error,
    since: failingSince(query),
    nextAt: pauses.length === 0 ? undefined : query.state.errorUpdatedAt + Math.min(...pauses),
  };
}

/**
 * Why a read has failed, and since when; undefined while it has not. A read without an answer
 * forgets its error when it is made again: here it is kept until the answer comes.
 */
export function useFailedRead(read: Read): FailedRead | undefined {
  const { isError, isPending, error, errorUpdatedAt } = read;
  const [kept, setKept] = useState<{ readonly at: number; readonly failed: FailedRead }>();
  if (isError && kept?.failed.cause !== error) {
    const failed = failedReadOf(error);
    setKept({ at: errorUpdatedAt, failed });
    return failed;
  }
  // Another read may have taken the place of the one that failed.
  const goesOn = isError || (isPending && kept?.at === errorUpdatedAt);
  if (kept !== undefined && !goesOn) {
    setKept(undefined);
  }
  return goesOn ? kept?.failed : undefined;
}

/** Epoch milliseconds at which a read began that has no answer after `ms`; else undefined. */
export function useSlowRead(isFetching: boolean, ms: number): number | undefined {
  const begun = useRef(0);
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    if (!isFetching) {
      return undefined;
    }
    begun.current = Date.now();
    const timer = setTimeout(() => setSlow(true), ms);
    return () => {
      clearTimeout(timer);
      setSlow(false);
    };
  }, [isFetching, ms]);
  return slow && isFetching ? begun.current : undefined;
}
