import type { TraceEvent } from '../../../server/contract/dashboard/trace.ts';
import { ApiError, isRetryable, toApiError } from '../../data/api-error.ts';
import type { TraceAction } from './trace-reducer.ts';

/** A frame of the trace stream. */
export type TraceFrame =
  | { readonly event: 'trace'; readonly data: TraceEvent }
  | { readonly event: 'end'; readonly data: unknown }
  | {
      readonly event: 'stream_error';
      readonly data: {
        readonly code: string;
        readonly message: string;
        readonly request_id: string;
        readonly retry_after?: number | undefined;
      };
    };

export interface FollowOptions {
  open(onOpen: () => void): AsyncIterable<TraceFrame>;
  dispatch(action: TraceAction): void;
  /** Hands one event over; may batch. */
  add(event: TraceEvent): void;
  /** Hands over what is batched. */
  flush(): void;
  /** Resolves after so many milliseconds; rejects when the reader left. */
  wait(ms: number): Promise<void>;
}

const LONGEST_WAIT_MS = 10_000;
const MS = 1000;
const STATUS_OF_FRAME: Readonly<Record<string, number>> = {
  not_found: 404,
  forbidden: 403,
  unauthorized: 401,
  bad_request: 400,
};

function errorOfFrame(data: Extract<TraceFrame, { event: 'stream_error' }>['data']): ApiError {
  return new ApiError({
    status: STATUS_OF_FRAME[data.code] ?? 503,
    code: data.code,
    message: data.message,
    requestId: data.request_id,
    details: {},
    retryAfter: data.retry_after ?? null,
  });
}

/** Reads one connection; true when the run's trace is complete. */
async function readOnce(options: FollowOptions): Promise<boolean> {
  const opened = (): void => options.dispatch({ type: 'opened' });
  for await (const frame of options.open(opened)) {
    if (frame.event === 'trace') {
      options.add(frame.data);
    } else if (frame.event === 'end') {
      return true;
    } else {
      throw errorOfFrame(frame.data);
    }
  }
  return false;
}

/**
 * Follows the trace of a run to its end. A connection that breaks is opened again after a growing
 * wait, or the one the service asks for; a refusal that will not change is final.
 */
export async function followTrace(options: FollowOptions): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    let failure: unknown;
    try {
      if (await readOnce(options)) {
        options.flush();
        options.dispatch({ type: 'ended' });
        return;
      }
      failure = new Error('The live trace was cut off.');
    } catch (error) {
      failure = error;
    }
    options.flush();
    const error = toApiError(failure);
    const final = failure instanceof ApiError && !isRetryable(failure);
    if (final) {
      options.dispatch({ type: 'failed', error });
      return;
    }
    options.dispatch({ type: 'waiting', error });
    const asked = error.retryAfter === null ? 0 : error.retryAfter * MS;
    await options.wait(Math.max(asked, Math.min(LONGEST_WAIT_MS, MS * 2 ** attempt)));
  }
}
