/**
 * What kind of failure a platform call ended in: the rows of studio.md 3.2. `protocol` = a 2xx that
 * is not of the contract's shape, `unreachable` = no answer at all (connection, time-out).
 */
export type PlatformFailure =
  | 'forbidden'
  | 'validation'
  | 'not_found'
  | 'payload_too_large'
  | 'authentication'
  | 'rate_limited'
  | 'conflict'
  | 'unavailable'
  | 'server_error'
  | 'protocol'
  | 'unreachable';

export interface PlatformErrorInit {
  readonly family: PlatformFailure;
  readonly message: string;
  /** HTTP status of the platform's answer; absent when there was none. */
  readonly status?: number | undefined;
  /** The platform's own code (`detail.error`, else top-level `error`); absent when it gave none. */
  readonly code?: string | undefined;
  /** The platform's X-Request-ID. */
  readonly requestId?: string | undefined;
  /** Seconds. */
  readonly retryAfter?: number | undefined;
  /** Extra fields of the platform's `detail`, without code and message. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** The answer's body: parsed where it is JSON, else its text. */
  readonly body?: unknown;
  /** The key that the call carried. */
  readonly idempotencyKey?: string | undefined;
  readonly cause?: unknown;
}

/**
 * A platform call that did not succeed: the base of one class for each row of spec/platform.md 7.
 * Its message never holds the key.
 */
export class PlatformError extends Error {
  readonly family: PlatformFailure;
  readonly status: number | undefined;
  readonly code: string | undefined;
  readonly requestId: string | undefined;
  readonly retryAfter: number | undefined;
  readonly details: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly idempotencyKey: string | undefined;

  constructor(init: PlatformErrorInit) {
    super(init.message, init.cause === undefined ? {} : { cause: init.cause });
    this.name = new.target.name;
    this.family = init.family;
    this.status = init.status;
    this.code = init.code;
    this.requestId = init.requestId;
    this.retryAfter = init.retryAfter;
    this.details = init.details ?? {};
    this.body = init.body;
    this.idempotencyKey = init.idempotencyKey;
  }
}

/** No answer, after the last attempt: name, connection, TLS, time. */
export class PlatformNetworkError extends PlatformError {}

/** A success without the JSON object that the contract promises. */
export class PlatformProtocolError extends PlatformError {}

/** 400. */
export class PlatformBadRequestError extends PlatformError {}

/** 401. */
export class PlatformAuthError extends PlatformError {}

/** 403: a scope is missing, or a policy of the environment forbids. */
export class PlatformPermissionError extends PlatformError {}

/** 404. */
export class PlatformNotFoundError extends PlatformError {}

/** 409. */
export class PlatformConflictError extends PlatformError {}

/** 409: the key was used for another payload; also a keyed call's 409 without a code. */
export class PlatformIdempotencyMismatchError extends PlatformConflictError {}

/** 409: the human task is past its deadline. Never tried again. */
export class PlatformHumanTaskExpiredError extends PlatformConflictError {
  get continuationId(): string | undefined {
    const id = this.details['continuation_id'];
    return typeof id === 'string' ? id : undefined;
  }

  /** Epoch seconds. */
  get expiresAt(): number | undefined {
    const at = this.details['expires_at'];
    return typeof at === 'number' ? at : undefined;
  }
}

/** 413. Never tried again. */
export class PlatformPayloadTooLargeError extends PlatformError {
  get maxBodyBytes(): number | undefined {
    const bytes = this.details['max_body_bytes'];
    return typeof bytes === 'number' ? bytes : undefined;
  }
}

/** 422. */
export class PlatformValidationError extends PlatformError {}

/** 429. */
export class PlatformRateLimitedError extends PlatformError {}

/** Any 5xx. */
export class PlatformServerError extends PlatformError {}

/** 503. */
export class PlatformUnavailableError extends PlatformServerError {}

type ErrorClass = new (init: PlatformErrorInit) => PlatformError;

const CLASS_OF_STATUS: Readonly<Record<number, ErrorClass>> = {
  400: PlatformBadRequestError,
  401: PlatformAuthError,
  403: PlatformPermissionError,
  404: PlatformNotFoundError,
  413: PlatformPayloadTooLargeError,
  422: PlatformValidationError,
  429: PlatformRateLimitedError,
  503: PlatformUnavailableError,
};

function conflictClass({ code, idempotencyKey }: PlatformErrorInit): ErrorClass {
  if (code === 'human_task_expired') return PlatformHumanTaskExpiredError;
  const keyed = idempotencyKey !== undefined;
  const mismatch = code === 'idempotency_key_conflict' || (code === undefined && keyed);
  return mismatch ? PlatformIdempotencyMismatchError : PlatformConflictError;
}

function classOf(init: PlatformErrorInit): ErrorClass {
  const { family, status } = init;
  if (family === 'unreachable') return PlatformNetworkError;
  if (family === 'protocol' || status === undefined) return PlatformProtocolError;
  if (status === 409) return conflictClass(init);
  if (status >= 500) return CLASS_OF_STATUS[status] ?? PlatformServerError;
  return CLASS_OF_STATUS[status] ?? PlatformError;
}

/** The failure as an error of its own class. */
export function platformError(init: PlatformErrorInit): PlatformError {
  const Failure = classOf(init);
  return new Failure(init);
}

const FAMILY_OF_STATUS: Readonly<Record<number, PlatformFailure>> = {
  401: 'authentication',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  413: 'payload_too_large',
  429: 'rate_limited',
  503: 'unavailable',
};

/** The family of an HTTP failure status. */
export function familyOfStatus(status: number): PlatformFailure {
  const named = FAMILY_OF_STATUS[status];
  if (named !== undefined) return named;
  if (status >= 500) return 'server_error';
  return status >= 400 ? 'validation' : 'protocol';
}
