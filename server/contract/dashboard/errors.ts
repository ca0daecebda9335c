import { type ErrorTable, row } from '../../kernel/refusal.ts';

/** Every code that the dashboard itself raises or falls back to (contract/dashboard.md 4). */
export const DASHBOARD_ERRORS = {
  bad_request: row(400, 'The request cannot be carried out as it stands.'),
  invalid_request: row(400, 'The platform refused the request.'),
  spec_invalid: row(400, 'The spec does not compile.'),
  token_budget_exceeded: row(400, 'The run used more tokens than its budget.'),
  invalid_idempotency_key: row(400, 'The Idempotency-Key header must be at most 256 characters.'),
  unauthorized: row(401, 'Sign in to continue.'),
  forbidden: row(403, 'Your role does not allow this.'),
  permission_denied: row(403, 'The platform does not allow this.'),
  environment_policy_blocked: row(403, 'The policy of the environment blocks this spec.'),
  not_found: row(404, 'Not found.'),
  method_not_allowed: row(405, 'The method is not allowed for this path.'),
  dashboard_state_conflict: row(
    409,
    'Somebody else changed this in the meantime. Reload and try again.',
  ),
  run_state_conflict: row(409, 'The state of the run does not allow this.'),
  human_task_expired: row(409, 'The human task is past its deadline.'),
  idempotency_key_conflict: row(409, 'This Idempotency-Key was used with another request.'),
  idempotency_key_in_progress: row(409, 'A request with this Idempotency-Key is still running.', {
    retryable: true,
  }),
  resource_locked: row(409, 'The resource is being changed by another request.', {
    retryable: true,
  }),
  payload_too_large: row(413, 'The request body is too large.'),
  request_invalid: row(422, 'The request is not valid.'),
  unknown_query_parameters: row(422, 'Unknown query parameters.'),
  invalid_timestamp: row(422, 'The timestamp is not valid ISO-8601.'),
  spec_path_confined: row(422, 'The path is outside the spec root.'),
  guardrail_violation: row(422, 'A guardrail stopped the run.'),
  rate_limited: row(429, 'Too many requests.', { retryable: true }),
  internal_error: row(500, 'An internal error occurred.'),
  not_implemented: row(501, 'This operation is not implemented.'),
  platform_unauthorized: row(502, 'The platform does not accept the key of this connection.'),
  upstream_error: row(502, 'The platform did not give a usable answer.', { retryable: true }),
  platform_not_configured: row(503, 'No platform is configured for this environment.'),
  service_unavailable: row(503, 'The service is not available at the moment.', { retryable: true }),
  queue_full: row(503, 'The run queue is full.', { retryable: true }),
  store_unavailable: row(503, 'The store is temporarily unavailable.', {
    retryable: true,
    retryAfter: 5,
  }),
  not_ready: row(503, 'The platform is not ready.', { retryable: true }),
  stream_failed: row(500, 'The stream ended unexpectedly.', { retryable: true }),
} satisfies ErrorTable;
