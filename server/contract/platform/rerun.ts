import { z } from 'zod';
import { lenientBoolean, lenientInteger } from '../fields.ts';
import { platformRoute } from '../route.ts';
import { fewMembers, jsonObject, positiveNumber, textUpTo } from './fields.ts';
import type { RequestLimits } from './limits.ts';
import { runId, runResult } from './runs.ts';

const ROLES = ['system', 'user', 'assistant', 'tool'] as const;

function editedMessage(limits: RequestLimits) {
  return z.strictObject({
    role: z.enum(ROLES),
    content: textUpTo(limits.max_input_chars),
    name: z.string().nullable().optional(),
  });
}

/** Steps and agents that one rerun can edit; a spec within its limits has fewer. */
const MAX_EDITED = 10_000;

/** What of the state at a checkpoint is changed before the new run goes on; what is left out stays. */
function rerunEdits(limits: RequestLimits) {
  const text = textUpTo(limits.max_input_chars);
  const messages = z.array(editedMessage(limits)).max(limits.max_list_items);
  return z.strictObject({
    input: text.optional(),
    messages: messages.optional(),
    outputs: fewMembers(MAX_EDITED, z.record(z.string(), text)).optional(),
    next_step: textUpTo(limits.max_path_chars).optional(),
    histories: fewMembers(MAX_EDITED, z.record(z.string(), messages)).optional(),
  });
}

/** Body of POST /runs/{run_id}/rerun under the configured limits. */
export function rerunBody(limits: RequestLimits) {
  return z
    .strictObject({
      checkpoint_sequence: lenientInteger({ min: 1 }),
      edits: rerunEdits(limits).default({}),
      async_mode: lenientBoolean().default(false),
      session_id: textUpTo(limits.max_path_chars).nullable().default(null),
      metadata: jsonObject(limits.max_metadata_bytes).default({}),
      timeout: positiveNumber().nullable().optional(),
      timeout_seconds: positiveNumber().nullable().optional(),
    })
    .transform(({ timeout_seconds, timeout, ...rest }) => ({
      ...rest,
      timeout: timeout ?? timeout_seconds ?? null,
    }));
}

export type RerunBody = z.output<ReturnType<typeof rerunBody>>;

/** POST /runs/{run_id}/rerun: an addition to the contract. */
export function rerunRoute(limits: RequestLimits) {
  return platformRoute.post('rerunRun', {
    path: '/runs/{run_id}/rerun',
    summary: 'Start a new run from a checkpoint of this one, with an edited state if asked',
    params: runId,
    body: rerunBody(limits),
    responses: { 200: runResult, 202: runResult },
    errors: [
      'not_found',
      'invalid_request',
      'spec_invalid',
      'token_budget_exceeded',
      'run_limit_exceeded',
      'budget_exceeded',
      'run_stopped',
      'code_not_trusted',
      'code_unusable',
      'code_too_large',
      'environment_policy_blocked',
      'guardrail_violation',
      'idempotency_key_in_progress',
      'idempotency_key_conflict',
      'queue_full',
      'store_unavailable',
    ],
    access: 'runs:write',
    meta: { idempotency: 'runs:rerun' },
  });
}

const shownMessage = z.object({
  role: z.string(),
  content: z.string(),
  name: z.string().nullable(),
});

/** GET /runs/{run_id}/rerun: what can be edited at a checkpoint, redacted. */
export const rerunState = platformRoute.get('getRerunState', {
  path: '/runs/{run_id}/rerun',
  summary: 'What a rerun from a checkpoint can edit, as it stands there',
  params: runId,
  query: z.strictObject({ checkpoint_sequence: lenientInteger({ min: 1 }) }),
  responses: {
    200: z
      .object({
        run_id: z.string(),
        checkpoint_sequence: z.int(),
        checkpoint_type: z.string(),
        /** A text that it goes on from is masked: the run is over and held a secret. */
        masked: z.boolean().optional(),
        edits: z.object({
          input: z.string().optional(),
          messages: z.array(shownMessage).optional(),
          outputs: z.record(z.string(), z.string()).optional(),
          histories: z.record(z.string(), z.array(shownMessage)).optional(),
        }),
      })
      .meta({ id: 'RerunState' }),
  },
  errors: ['not_found', 'invalid_request', 'spec_invalid'],
  access: 'runs:read',
});
