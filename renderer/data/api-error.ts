import { z } from 'zod';
import { t } from '../../preload/texts/t.ts';
import { readLenient } from '../../server/contract/lenient.ts';
import { toldReader } from '../../server/contract/told.ts';
import { isObject } from '../../server/kernel/json.ts';

export interface ApiErrorInit {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly requestId: string | null;
  readonly details: Readonly<Record<string, unknown>>;
  /** Seconds to wait before the same call makes sense, when the service said so. */
  readonly retryAfter: number | null;
  /** True when the message is that of a service, which is English; absent = the window's own words. */
  readonly isServiceText?: boolean;
}

/**
 * A call that did not succeed. Switch on `code`, never on `message`.
 * Codes of the client itself: `network_error` (no answer, status 0), `response_invalid`
 * (an answer that is not of the contract's shape), `not_ready` (no connection yet),
 * `not_served_here` (the service does not answer at this window's address).
 */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly requestId: string | null;
  readonly details: Readonly<Record<string, unknown>>;
  readonly retryAfter: number | null;
  readonly isServiceText: boolean;

  constructor(init: ApiErrorInit) {
    super(init.message);
    this.name = 'ApiError';
    this.status = init.status;
    this.code = init.code;
    this.requestId = init.requestId;
    this.details = init.details;
    this.retryAfter = init.retryAfter;
    this.isServiceText = init.isServiceText === true;
  }
}

/**
 * No answer of the gateway, too many requests, a service that starts. What says that a service
 * behind it was not reached is final here: whoever says so has tried more than once, and a person
 * wants to know at once.
 */
const RETRYABLE_STATUS = new Set([0, 429, 503]);

const FINAL: ReadonlySet<string> = new Set(['platform_not_configured', 'not_served_here']);

/**
 * True when repeating a read at once may help. Whoever names a time has been asked often enough: a
 * person is told, and the read is made again then.
 */
export function isRetryable(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    RETRYABLE_STATUS.has(error.status) &&
    error.retryAfter === null &&
    !FINAL.has(error.code)
  );
}

const LATER = new Set([0, 408, 429]);

/** True for what may be over by itself after a while, so that the same read is worth another try. */
export function isPassing(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    error.code !== 'client_error' &&
    error.status !== 501 &&
    !FINAL.has(error.code) &&
    (LATER.has(error.status) || error.status >= 500)
  );
}

const readRefusal = toldReader(
  z.object({
    code: z.string(),
    error: z.string(),
    message: z.string(),
    request_id: z.string(),
    details: z.record(z.string(), z.unknown()),
    detail: z.unknown(),
  }),
);

/** The two envelopes: `{code, message}`, and the platform's `{detail: {error, message}}`. */
function refusalOf(body: unknown) {
  const { detail, ...outer } = readRefusal(isObject(body) ? body : {});
  const { code, error, message, request_id, details } = isObject(detail)
    ? readRefusal(detail)
    : outer;
  return {
    code: code || error,
    message: message || (typeof detail === 'string' ? detail : ''),
    requestId: request_id || null,
    details: details ?? {},
  };
}

function retryAfterOf(headers: Headers): number | null {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds : null;
}

/** Codes by which a service, or the gateway before it, says that it knows nobody who asks. */
const UNKNOWN_SESSION = new Set(['unauthenticated', 'unauthorized', 'sign_in_required']);
const unknownListeners = new Set<(code: string) => void>();

/** Calls `told` with the code of each answer that knows nobody, until the answer is called. */
export function onUnknownSession(told: (code: string) => void): () => void {
  unknownListeners.add(told);
  return () => unknownListeners.delete(told);
}

/** Reads a refusal from its status, headers and parsed body. */
export function apiErrorFrom(status: number, headers: Headers, body: unknown): ApiError {
  const { code: given, message, requestId, details } = refusalOf(body);
  const code = given || `http_${status}`;
  if (status === 401 && UNKNOWN_SESSION.has(code)) {
    for (const told of unknownListeners) {
      told(code);
    }
  }
  return new ApiError({
    status,
    code,
    message: message || t('The service answered with status {status}.', { status }),
    requestId: requestId ?? headers.get('x-request-id'),
    details,
    retryAfter: retryAfterOf(headers),
    isServiceText: message !== '',
  });
}

/** What the contract declares as the details of a refusal of this code; undefined for another. */
export function detailsOf<S extends z.ZodType>(
  error: unknown,
  code: string,
  schema: S,
): z.output<S> | undefined {
  return error instanceof ApiError && error.code === code
    ? readLenient(schema, error.details)
    : undefined;
}

/** Wraps whatever was thrown, so that a page has one kind of error to show. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) {
    return error;
  }
  return new ApiError({
    status: 0,
    code: 'client_error',
    message: error instanceof Error ? error.message : String(error),
    requestId: null,
    details: {},
    retryAfter: null,
  });
}

const EXPIRED = 'gateway_session_expired';
const SIGNED_OUT = new Set(['gateway_unauthorized', EXPIRED]);

/** True when the gateway itself no longer knows who asks: the session ended or never began. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && SIGNED_OUT.has(error.code);
}

/** True when the session of this browser was there and has ended. */
export function isExpired(error: unknown): boolean {
  return error instanceof ApiError && error.code === EXPIRED;
}

const UNREACHED = new Set([502, 503, 504]);

/** True when a service behind the gateway gave no answer. */
export function isUnreached(error: unknown): boolean {
  return error instanceof ApiError && UNREACHED.has(error.status);
}

/** True when nothing answered at the gateway's own address. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'network_error';
}
