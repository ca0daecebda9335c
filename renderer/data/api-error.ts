export interface ApiErrorInit {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly requestId: string | null;
  readonly details: Readonly<Record<string, unknown>>;
  /** Seconds to wait before the same call makes sense, when the service said so. */
  readonly retryAfter: number | null;
}

/**
 * A call that did not succeed. Switch on `code`, never on `message`.
 * Codes of the client itself: `network_error` (no answer, status 0), `response_invalid`
 * (an answer that is not of the contract's shape), `not_ready` (no connection yet).
 */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly requestId: string | null;
  readonly details: Readonly<Record<string, unknown>>;
  readonly retryAfter: number | null;

  constructor(init: ApiErrorInit) {
    super(init.message);
    this.name = 'ApiError';
    this.status = init.status;
    this.code = init.code;
    this.requestId = init.requestId;
    this.details = init.details;
    this.retryAfter = init.retryAfter;
  }
}

/**
 * No answer of the gateway, too many requests, a service that starts. What says that a service
 * behind it was not reached is final here: whoever says so has tried more than once, and a person
 * wants to know at once.
 */
const RETRYABLE_STATUS = new Set([0, 429, 503]);

/** True when repeating a read may help. */
export function isRetryable(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    RETRYABLE_STATUS.has(error.status) &&
    error.code !== 'platform_not_configured'
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The three envelopes: `{code, message}`, the platform's `{detail: {error, message}}`, anything else. */
function refusalOf(body: unknown): {
  code?: string;
  message?: string;
  source: Record<string, unknown>;
} {
  if (!isRecord(body)) {
    return { source: {} };
  }
  const detail = body['detail'];
  const source = isRecord(detail) ? detail : body;
  const code = text(source['code']) ?? text(source['error']);
  const message = text(source['message']) ?? text(detail);
  return {
    source,
    ...(code === undefined ? {} : { code }),
    ...(message === undefined ? {} : { message }),
  };
}

function retryAfterOf(headers: Headers): number | null {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds : null;
}

/** Reads a refusal from its status, headers and parsed body. */
export function apiErrorFrom(status: number, headers: Headers, body: unknown): ApiError {
  const refusal = refusalOf(body);
  const details = refusal.source['details'];
  return new ApiError({
    status,
    code: refusal.code ?? `http_${status}`,
    message: refusal.message ?? `The service answered with status ${status}.`,
    requestId: text(refusal.source['request_id']) ?? headers.get('x-request-id'),
    details: isRecord(details) ? details : {},
    retryAfter: retryAfterOf(headers),
  });
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
