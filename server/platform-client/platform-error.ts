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
  readonly cause?: unknown;
}

/** A platform call that did not succeed. Its message never holds the key. */
export class PlatformError extends Error {
  override readonly name = 'PlatformError';
  readonly family: PlatformFailure;
  readonly status: number | undefined;
  readonly code: string | undefined;
  readonly requestId: string | undefined;
  readonly retryAfter: number | undefined;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(init: PlatformErrorInit) {
    super(init.message, init.cause === undefined ? {} : { cause: init.cause });
    this.family = init.family;
    this.status = init.status;
    this.code = init.code;
    this.requestId = init.requestId;
    this.retryAfter = init.retryAfter;
    this.details = init.details ?? {};
  }
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
