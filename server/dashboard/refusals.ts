import { DASHBOARD_ERRORS } from '../contract/dashboard/errors.ts';
import type { ErrorRow } from '../kernel/refusal.ts';
import { Refusal, refusalsOf } from '../kernel/refusal.ts';
import { PlatformError } from '../platform-client/platform-error.ts';

/** A refusal with a code of the dashboard's table. */
export const refuse = refusalsOf(DASHBOARD_ERRORS);

const FALLBACK: Readonly<Record<number, keyof typeof DASHBOARD_ERRORS>> = {
  400: 'bad_request',
  403: 'permission_denied',
  404: 'not_found',
  409: 'run_state_conflict',
  413: 'payload_too_large',
  422: 'request_invalid',
  429: 'rate_limited',
  503: 'service_unavailable',
};

function fallbackCode(status: number): keyof typeof DASHBOARD_ERRORS {
  return FALLBACK[status] ?? (status >= 500 ? 'upstream_error' : 'bad_request');
}

function rowOf(code: string): ErrorRow | undefined {
  return Object.entries(DASHBOARD_ERRORS).find(([name]) => name === code)?.[1];
}

function forwarded(error: PlatformError, status: number): Refusal {
  const fallback = fallbackCode(status);
  const code = error.code ?? fallback;
  const generic = rowOf(code)?.message ?? DASHBOARD_ERRORS[fallback].message;
  return new Refusal(
    code,
    { status, message: generic },
    {
      message: status >= 500 ? generic : error.message,
      ...(Object.keys(error.details).length === 0 || status >= 500
        ? {}
        : { details: error.details }),
      ...(error.retryAfter === undefined ? {} : { retryAfter: error.retryAfter }),
      ...(error.requestId === undefined ? {} : { requestId: error.requestId }),
      cause: error,
    },
  );
}

function isRedirect({ status = 0 }: PlatformError): boolean {
  return status >= 300 && status < 400;
}

/**
 * How a failed platform call is answered (contract/dashboard.md 4): the platform's status and code,
 * its own words only below 500, its request id; 401 is 502, no answer is 504.
 */
export function refusalOfPlatform(error: PlatformError): Refusal {
  const requestId = error.requestId === undefined ? {} : { requestId: error.requestId };
  if (error.family === 'unreachable') {
    return refuse('upstream_error', {
      status: 504,
      message: 'The platform could not be reached.',
      cause: error,
    });
  }
  if (error.family === 'authentication') {
    return refuse('platform_unauthorized', { ...requestId, cause: error });
  }
  if (isRedirect(error)) {
    return refuse('upstream_error', {
      ...requestId,
      message: `The platform's address leads elsewhere (${error.status}), where the dashboard's key is not sent. It is not the platform's own, or something before it asks people to sign in.`,
      cause: error,
    });
  }
  if (error.family === 'protocol' || error.status === undefined || error.status < 400) {
    return refuse('upstream_error', { ...requestId, cause: error });
  }
  return forwarded(error, error.status);
}

/** Platform failures become refusals; everything else stays what it is. */
export function asDashboardFailure(error: unknown): unknown {
  return error instanceof PlatformError ? refusalOfPlatform(error) : error;
}

/** The body of a refusal. Absent facts are absent keys. */
export function envelope(failure: Refusal, requestId: string) {
  return {
    code: failure.code,
    message: failure.message,
    request_id: failure.requestId ?? requestId,
    ...(failure.retryAfter === undefined ? {} : { retry_after: failure.retryAfter }),
    ...(failure.details === undefined ? {} : { details: failure.details }),
  };
}
