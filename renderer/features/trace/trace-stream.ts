import { t } from '../../../preload/texts/t.ts';
import type { TraceEnd, TraceEvent } from '../../../server/contract/dashboard/trace.ts';
import { ApiError, isPassing, toApiError } from '../../data/api-error.ts';
import type { TraceAction } from './trace-reducer.ts';

/** A frame of the trace stream. */
export type TraceFrame =
  | { readonly event: 'trace'; readonly data: TraceEvent; readonly id?: string }
  | { readonly event: 'run'; readonly data: { readonly status: string } }
  | { readonly event: 'end'; readonly data: TraceEnd }
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
  /** How many events the reader has from before. */
  readonly known: number;
  /** Opens a connection that begins after so many events, or at the first. */
  open(after: number, onOpen: () => void): AsyncIterable<TraceFrame>;
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
    isServiceText: true,
  });
}

/** What one connection read: how many events are known after it, and how it ended. */
interface Connection {
  known: number;
  /** Something came: the service and its platform answer. */
  hasNews: boolean;
  end: TraceEnd | undefined;
}

/**
 * Reads one connection. A service that knows no places begins at the first event again: what is
 * known already is passed over.
 */
async function readOnce(options: FollowOptions, connection: Connection): Promise<void> {
  const opened = (): void => options.dispatch({ type: 'opened' });
  let place = 0;
  for await (const frame of options.open(connection.known, opened)) {
    if (frame.event === 'stream_error') {
      throw errorOfFrame(frame.data);
    }
    connection.hasNews = true;
    if (frame.event === 'end') {
      connection.end = frame.data;
      return;
    }
    if (frame.event === 'run') {
      options.flush();
      options.dispatch({ type: 'told' });
      continue;
    }
    place = frame.id === undefined ? place + 1 : Number(frame.id);
    if (place > connection.known) {
      connection.known = place;
      options.add(frame.data);
    }
  }
}

/**
 * Follows the trace of a run to its end. A connection that breaks is opened again where it was, after
 * a wait that grows while nothing comes, or the one the service asks for; a refusal that will not
 * change is final.
 */
export async function followTrace(options: FollowOptions): Promise<void> {
  let { known } = options;
  for (let attempt = 0; ; attempt += 1) {
    const connection: Connection = { known, hasNews: false, end: undefined };
    let failure: unknown = new Error(t('The live trace was cut off.'));
    try {
      await readOnce(options, connection);
    } catch (error) {
      failure = error;
    }
    known = connection.known;
    options.flush();
    if (connection.end !== undefined) {
      options.dispatch({ type: 'ended', isCut: connection.end.reason === 'window' });
      return;
    }
    const error = toApiError(failure);
    const final = failure instanceof ApiError && !isPassing(failure);
    if (final) {
      options.dispatch({ type: 'failed', error });
      return;
    }
    if (connection.hasNews) {
      attempt = 0;
    }
    const asked = error.retryAfter === null ? 0 : error.retryAfter * MS;
    const pause = Math.max(asked, Math.min(LONGEST_WAIT_MS, MS * 2 ** attempt));
    const at = Date.now();
    options.dispatch({ type: 'waiting', error, at, nextAt: at + pause });
    await options.wait(pause);
  }
}
