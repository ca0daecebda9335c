import type { ErrorTable } from '../../kernel/refusal.ts';

/** Every code that the dashboard itself raises or falls back to (contract/dashboard.md 4). */
export const DASHBOARD_ERRORS = {
  bad_request: { status: 400, message: 'The request cannot be carried out as it stands.' },
  invalid_request: { status: 400, message: 'The platform refused the request.' },
  spec_invalid: { status: 400, message: 'The spec does not compile.' },
  token_budget_exceeded: { status: 400, message: 'The run used more tokens than its budget.' },
  invalid_idempotency_key: {
    status: 400,
    message: 'The Idempotency-Key header must be at most 256 characters.',
  },
  unauthorized: { status: 401, message: 'Sign in to continue.' },
  forbidden: { status: 403, message: 'Your role does not allow this.' },
  permission_denied: { status: 403, message: 'The platform does not allow this.' },
  environment_policy_blocked: {
    status: 403,
    message: 'The policy of the environment blocks this spec.',
  },
  not_found: { status: 404, message: 'Not found.' },
  method_not_allowed: { status: 405, message: 'The method is not allowed for this path.' },
  dashboard_state_conflict: {
    status: 409,
    message: 'Somebody else changed this in the meantime. Reload and try again.',
  },
  run_state_conflict: { status: 409, message: 'The state of the run does not allow this.' },
  human_task_expired: { status: 409, message: 'The human task is past its deadline.' },
  idempotency_key_conflict: {
    status: 409,
    message: 'This Idempotency-Key was used with another request.',
  },
  idempotency_key_in_progress: {
    status: 409,
    message: 'A request with this Idempotency-Key is still running.',
    retryable: true,
  },
  resource_locked: {
    status: 409,
    message: 'The resource is being changed by another request.',
    retryable: true,
  },
  payload_too_large: { status: 413, message: 'The request body is too large.' },
  request_invalid: { status: 422, message: 'The request is not valid.' },
  unknown_query_parameters: { status: 422, message: 'Unknown query parameters.' },
  invalid_timestamp: { status: 422, message: 'The timestamp is not valid ISO-8601.' },
  spec_path_confined: { status: 422, message: 'The path is outside the spec root.' },
  guardrail_violation: { status: 422, message: 'A guardrail stopped the run.' },
  rate_limited: { status: 429, message: 'Too many requests.', retryable: true },
  internal_error: { status: 500, message: 'An internal error occurred.' },
  not_implemented: { status: 501, message: 'This operation is not implemented.' },
  platform_unauthorized: {
    status: 502,
    message: 'The platform does not accept the key of this connection.',
  },
  upstream_error: {
    status: 502,
    message: 'The platform did not give a usable answer.',
    retryable: true,
  },
  platform_not_configured: {
    status: 503,
    message: 'No platform is configured for this environment.',
  },
  service_unavailable: {
    status: 503,
    message: 'The service is not available at the moment.',
    retryable: true,
  },
  queue_full: { status: 503, message: 'The run queue is full.', retryable: true },
  store_unavailable: {
    status: 503,
    message: 'The store is temporarily unavailable.',
    retryable: true,
    retryAfter: 5,
  },
  not_ready: { status: 503, message: 'The platform is not ready.', retryable: true },
  stream_failed: { status: 500, message: 'The stream ended unexpectedly.', retryable: true },
} as const satisfies ErrorTable;
