import { refuse, STUDIO_ERRORS, type StudioErrorCode } from '../../contract/studio/errors.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { PlatformError, type PlatformFailure } from '../../platform-client/platform-error.ts';

const CODE_OF: Readonly<Record<PlatformFailure, StudioErrorCode>> = {
  forbidden: 'platform_forbidden',
  validation: 'spec_invalid',
  not_found: 'not_found',
  payload_too_large: 'spec_too_large',
  authentication: 'platform_auth_failed',
  rate_limited: 'platform_rate_limited',
  conflict: 'platform_conflict',
  unavailable: 'platform_unavailable',
  server_error: 'platform_error',
  protocol: 'platform_protocol_error',
  unreachable: 'platform_unreachable',
};

/** Families whose answer never carries the platform's own status: it would be read as ours. */
const OWN_STATUS = new Set<PlatformFailure>(['authentication', 'protocol', 'unreachable']);

/**
 * A platform failure as the studio answers it (studio.md 3.2): status and code of the platform go
 * through, with its request id and Retry-After; a 401 never looks like one of ours.
 */
export function toPlatformRefusal(
  error: PlatformError,
  newId: () => string,
  details: Readonly<Record<string, unknown>> = {},
): Refusal {
  const row = STUDIO_ERRORS[CODE_OF[error.family]];
  const own = OWN_STATUS.has(error.family);
  const code = own || error.code === undefined ? CODE_OF[error.family] : error.code;
  const status = own || error.status === undefined ? row.status : error.status;
  const answered = error.family === 'protocol' || error.status !== undefined;
  const requestId = answered ? (error.requestId ?? `upstream-${newId()}`) : undefined;
  return new Refusal(code, row, {
    status,
    message: own ? row.message : error.message,
    details: { ...error.details, ...details },
    cause: error,
    ...(requestId === undefined ? {} : { requestId }),
    ...(error.retryAfter === undefined ? {} : { retryAfter: Math.ceil(error.retryAfter) }),
  });
}

/** Calls the platform; its failures become refusals. */
export async function onPlatform<T>(
  deps: { readonly ids: { hex(): string } },
  call: () => Promise<T>,
  details: Readonly<Record<string, unknown>> = {},
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof PlatformError)
      throw toPlatformRefusal(error, () => deps.ids.hex(), details);
    throw error;
  }
}

/** The refusal of a binding generation that is gone. */
export function unbound() {
  return refuse('project_unbound');
}
