import { z } from 'zod';
import { platformRoute } from '../route.ts';
import { jsonObject } from './fields.ts';
import type { RequestLimits } from './limits.ts';
import { runId, runResult } from './runs.ts';

/** Why a saved state cannot go on under a spec. */
export const misfit = z.object({
  /** `not_failed`, `nothing_saved`, `no_workflow`, `other_kind`, `step_gone`, `items_moved`. */
  code: z.string(),
  /** The step it speaks of; null = the workflow as a whole. */
  step: z.string().nullable(),
  message: z.string(),
});

/** What becomes of the steps of a failed run when it goes on under another spec. */
export const refit = z
  .object({
    fits: z.boolean(),
    /** The step that begins again; null when nothing was saved. */
    repeats: z.string().nullable(),
    /** Steps that ended and stay done. */
    kept: z.array(z.string()),
    /** Steps that ended and that the spec does not have any more: what they gave stays. */
    gone: z.array(z.string()),
    /** Steps that the run has not reached, in the order of the spec. */
    ahead: z.array(z.string()),
    /** Of those ahead, the ones that the spec of the run did not have. */
    added: z.array(z.string()),
    /** Steps in front of the place that never ran: they are left out. */
    skipped: z.array(z.string()),
    misfits: z.array(misfit),
  })
  .meta({ id: 'Refit' });

export type Refit = z.output<typeof refit>;
export type Misfit = z.output<typeof misfit>;

/** Body of both operations under the configured limits. */
function recoverBody(limits: RequestLimits) {
  return z.strictObject({ spec: jsonObject(limits.max_inline_spec_bytes) });
}

export type RecoverBody = z.output<ReturnType<typeof recoverBody>>;

const SPEC_ERRORS = [
  'not_found',
  'invalid_request',
  'spec_invalid',
  'environment_policy_blocked',
] as const;

/** POST /runs/{run_id}/recover/check and /recover: additions to the contract. */
export function recoverRoutes(limits: RequestLimits) {
  return {
    checkRecovery: platformRoute.post('checkRunRecovery', {
      path: '/runs/{run_id}/recover/check',
      summary: 'Whether a failed run could go on from its last checkpoint under another spec',
      params: runId,
      body: recoverBody(limits),
      responses: {
        200: z
          .object({
            run_id: z.string(),
            status: z.string(),
            /** A text that it would go on from is masked: the run held a secret. */
            masked: z.boolean(),
            fit: refit,
          })
          .meta({ id: 'RecoveryCheck' }),
      },
      errors: [...SPEC_ERRORS],
      access: 'runs:read',
    }),
    recoverRun: platformRoute.post('recoverRun', {
      path: '/runs/{run_id}/recover',
      summary: 'Take a failed run up from its last checkpoint under another spec',
      params: runId,
      body: recoverBody(limits),
      responses: { 200: runResult },
      errors: [
        ...SPEC_ERRORS,
        'run_state_conflict',
        'resource_locked',
        'token_budget_exceeded',
        'run_limit_exceeded',
        'run_stopped',
        'guardrail_violation',
        'idempotency_key_in_progress',
        'idempotency_key_conflict',
        'store_unavailable',
      ],
      access: 'runs:write',
      meta: { idempotency: 'runs:recover' },
    }),
  };
}
