import { type ErrorTable, row } from '../../kernel/refusal.ts';

/** Every code of the Run Platform (contract/platform.md 4.1). */
export const PLATFORM_ERRORS = {
  invalid_request: row(400, 'The request cannot be carried out as it stands.'),
  spec_invalid: row(400, 'The spec does not compile.'),
  token_budget_exceeded: row(400, 'The run used more tokens than its budget.'),
  run_limit_exceeded: row(400, 'The run used more than one run may.'),
  invalid_idempotency_key: row(400, 'The Idempotency-Key header must be at most 256 characters.'),
  unauthorized: row(401, 'A valid API key is required.'),
  forbidden: row(403, 'The key does not carry the required scope.'),
  code_not_trusted: row(
    403,
    'The functions of the run were signed by a key that this node does not trust.',
  ),
  environment_policy_blocked: row(403, 'The policy of the environment blocks this spec.'),
  rehearsal_refused: row(
    403,
    'Nothing is rehearsed in an environment that is marked as production: every step runs there.',
  ),
  not_found: row(404, 'Not found.'),
  method_not_allowed: row(405, 'The method is not allowed for this path.'),
  run_state_conflict: row(409, 'The state of the run does not allow this.'),
  resource_locked: row(409, 'The resource is being changed by another request.', {
    retryable: true,
  }),
  human_task_expired: row(409, 'The human task is past its deadline.'),
  idempotency_key_in_progress: row(409, 'A request with this Idempotency-Key is still running.', {
    retryable: true,
    retryAfter: 1,
  }),
  idempotency_key_conflict: row(409, 'This Idempotency-Key was used with another request.'),
  payload_too_large: row(413, 'The request body is too large.'),
  request_invalid: row(422, 'The request is not valid.'),
  unknown_query_parameters: row(422, 'Unknown query parameters.'),
  invalid_timestamp: row(422, 'The timestamp is not valid ISO-8601.'),
  spec_path_confined: row(422, 'The path is outside the spec root.'),
  guardrail_violation: row(422, 'A guardrail stopped the run.'),
  code_too_large: row(422, 'The functions of the project are more than a run may take along.'),
  rate_limited: row(429, 'Too many requests.', { retryable: true, retryAfter: 1 }),
  budget_exceeded: row(429, 'A budget of this month is used up.'),
  too_many_sync_runs: row(
    429,
    'The caller waits for as many synchronous runs as one may; wait for one of them, or use async_mode.',
    { retryable: true, retryAfter: 5 },
  ),
  code_unusable: row(
    500,
    'The functions that the run was created with are missing in the store, or were changed there.',
  ),
  run_stopped: row(500, 'The run was stopped: its execution ended unexpectedly.'),
  internal_error: row(500, 'An internal error occurred.'),
  queue_full: row(503, 'The run queue is full.', { retryable: true, retryAfter: 5 }),
  sync_runs_full: row(
    503,
    'As many synchronous runs execute as may at once; nothing was started. Try again, or use async_mode.',
    { retryable: true, retryAfter: 5 },
  ),
  store_unavailable: row(503, 'The store is temporarily unavailable.', {
    retryable: true,
    retryAfter: 5,
  }),
  not_ready: row(503, 'The service is not ready.', { retryable: true, retryAfter: 5 }),
} satisfies ErrorTable;
