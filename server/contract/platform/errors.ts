import type { ErrorTable } from '../../kernel/refusal.ts';

/** Every code of the Run Platform (contract/platform.md 4.1). */
export const PLATFORM_ERRORS = {
  invalid_request: { status: 400, message: 'The request cannot be carried out as it stands.' },
  spec_invalid: { status: 400, message: 'The spec does not compile.' },
  token_budget_exceeded: { status: 400, message: 'The run used more tokens than its budget.' },
  run_limit_exceeded: { status: 400, message: 'The run used more than one run may.' },
  invalid_idempotency_key: {
    status: 400,
    message: 'The Idempotency-Key header must be at most 256 characters.',
  },
  unauthorized: { status: 401, message: 'A valid API key is required.' },
  forbidden: { status: 403, message: 'The key does not carry the required scope.' },
  environment_policy_blocked: {
    status: 403,
    message: 'The policy of the environment blocks this spec.',
  },
  not_found: { status: 404, message: 'Not found.' },
  method_not_allowed: { status: 405, message: 'The method is not allowed for this path.' },
  run_state_conflict: { status: 409, message: 'The state of the run does not allow this.' },
  resource_locked: {
    status: 409,
    message: 'The resource is being changed by another request.',
    retryable: true,
  },
  human_task_expired: { status: 409, message: 'The human task is past its deadline.' },
  idempotency_key_in_progress: {
    status: 409,
    message: 'A request with this Idempotency-Key is still running.',
    retryable: true,
    retryAfter: 1,
  },
  idempotency_key_conflict: {
    status: 409,
    message: 'This Idempotency-Key was used with another request.',
  },
  payload_too_large: { status: 413, message: 'The request body is too large.' },
  request_invalid: { status: 422, message: 'The request is not valid.' },
  unknown_query_parameters: { status: 422, message: 'Unknown query parameters.' },
  invalid_timestamp: { status: 422, message: 'The timestamp is not valid ISO-8601.' },
  spec_path_confined: { status: 422, message: 'The path is outside the spec root.' },
  guardrail_violation: { status: 422, message: 'A guardrail stopped the run.' },
  rate_limited: { status: 429, message: 'Too many requests.', retryable: true, retryAfter: 1 },
  run_stopped: { status: 500, message: 'The run was stopped: its execution ended unexpectedly.' },
  internal_error: { status: 500, message: 'An internal error occurred.' },
  queue_full: {
    status: 503,
    message: 'The run queue is full.',
    retryable: true,
    retryAfter: 5,
  },
  store_unavailable: {
    status: 503,
    message: 'The store is temporarily unavailable.',
    retryable: true,
    retryAfter: 5,
  },
  not_ready: {
    status: 503,
    message: 'The service is not ready.',
    retryable: true,
    retryAfter: 5,
  },
} as const satisfies ErrorTable;
