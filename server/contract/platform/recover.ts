import { z } from 'zod';
import { platformRoute } from '../route.ts';
import { fewMembers, jsonObject, positiveNumber } from './fields.ts';
import type { RequestLimits } from './limits.ts';
import { runId, runResult } from './runs.ts';

/** Why a saved state cannot go on under a spec. */
export const misfit = z.object({
  /**
   * `not_failed`, `nothing_saved`, `agent_alone`, `no_workflow`, `other_kind`, `step_gone`,
   * `items_moved`, `turns_over`, `participant_absent`, `at_step_cap`, `place_lost`, `rename_unknown`.
   */
  code: z.string(),
  /** The step it speaks of; null = the workflow as a whole. */
  step: z.string().nullable(),
  message: z.string(),
});

/** What becomes of the steps of a run that stopped when it goes on under another spec. */
export const refit = z
  .object({
    fits: z.boolean(),
    /** The kind of its workflow: `sequential`, `graph`, `concurrent`, `group_chat`, `handoff`. */
    kind: z.string().nullable(),
    /** The step that begins again; null when none does. */
    repeats: z.string().nullable(),
    /** All steps that begin again: of a concurrent workflow the branches that have not ended. */
    again: z.array(z.string()),
    /** Steps that ended and stay done. */
    kept: z.array(z.string()),
    /**
     * Steps that ended and that the spec does not have any more: what they gave stays, but that of
     * branches of a concurrent workflow is left out.
     */
    gone: z.array(z.string()),
    /** Steps that the run has not reached, in the order of the spec. */
    ahead: z.array(z.string()),
    /** Of those ahead, the ones that the spec of the run did not have. */
    added: z.array(z.string()),
    /** Steps in front of the place that never ran: they are left out. */
    skipped: z.array(z.string()),
    /** Steps that ended and run once more: the spec has them behind the place where the run goes on. */
    once_more: z.array(z.string()),
    /** Steps that go on under another name: the old one → the new one. */
    renamed: z.record(z.string(), z.string()),
    /** Steps of the run that the spec does not have under their name. */
    missing: z.array(z.string()),
    /** Steps of the spec that the run does not know: a missing one may be one of them. */
    free: z.array(z.string()),
    /** Of a conversation, the turn that it goes on with, from 1; null = it is none. */
    turn: z
      .object({
        number: z.int(),
        of: z.int(),
        round: z.int().nullable(),
        rounds: z.int().nullable(),
      })
      .nullable(),
    misfits: z.array(misfit),
  })
  .meta({ id: 'Refit' });

export type Refit = z.output<typeof refit>;
export type Misfit = z.output<typeof misfit>;

/** Steps that one request can map; a spec within its limits has fewer. */
const MAX_RENAMED = 10_000;

/** What the spec calls steps that it does not have under their name; null = none of its steps is it. */
export const askedRenames = fewMembers(MAX_RENAMED, z.record(z.string(), z.string().nullable()));

/** Body of both operations under the configured limits. */
function recoverBody(limits: RequestLimits) {
  return z.strictObject({
    spec: jsonObject(limits.max_inline_spec_bytes),
    renamed: askedRenames.optional(),
    /** Seconds that the run gets from now on; absent = as many as it had. */
    timeout: positiveNumber().optional(),
  });
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
      summary:
        'Whether a run that failed or timed out could go on from its last checkpoint under another spec',
      params: runId,
      body: recoverBody(limits),
      responses: {
        200: z
          .object({
            run_id: z.string(),
            status: z.string(),
            /** A text that it would go on from is masked: the run held a secret. */
            masked: z.boolean(),
            /** The time that it gets from the moment it goes on; null = it has no limit. */
            timeout_seconds: z.number().nullable(),
            fit: refit,
          })
          .meta({ id: 'RecoveryCheck' }),
      },
      errors: [...SPEC_ERRORS],
      access: 'runs:read',
    }),
    recoverRun: platformRoute.post('recoverRun', {
      path: '/runs/{run_id}/recover',
      summary: 'Take a run that failed or timed out up from its last checkpoint under another spec',
      params: runId,
      body: recoverBody(limits),
      responses: { 200: runResult },
      errors: [
        ...SPEC_ERRORS,
        'run_state_conflict',
        'resource_locked',
        'token_budget_exceeded',
        'run_limit_exceeded',
        'budget_exceeded',
        'run_stopped',
        'code_not_trusted',
        'code_unusable',
        'code_too_large',
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
