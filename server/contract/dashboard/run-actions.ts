import { z } from 'zod';
import { openObject, positiveNumber } from '../platform/fields.ts';
import { askedRenames, refit } from '../platform/recover.ts';
import { dashboardRoute } from '../route.ts';
import { idempotencyKey, PLATFORM_BACKED } from './fields.ts';

const runPath = z.object({ run_id: z.string() });

export const actionResult = z
  .object({
    action: z.enum(['cancel', 'continue', 'recover']),
    run_id: z.string(),
    status: z.string(),
    new_run_id: z.string().nullable(),
    continuation_id: z.string().nullable(),
    idempotency_key: idempotencyKey,
  })
  .meta({ id: 'ActionResult' });

export type ActionResult = z.output<typeof actionResult>;

export const cancelRun = dashboardRoute.post('cancelRun', {
  path: '/runs/{run_id}/cancel',
  summary: 'Stop a run; a terminal one answers unchanged',
  params: runPath,
  responses: { 200: actionResult },
  errors: ['not_found', 'invalid_idempotency_key', 'idempotency_key_conflict'],
  access: 'run.control',
  meta: PLATFORM_BACKED,
});

export const continueRun = dashboardRoute.post('continueRun', {
  path: '/runs/{run_id}/continue',
  summary: 'Take a blocked or failed run up again',
  params: runPath,
  responses: { 200: actionResult },
  errors: ['not_found', 'run_state_conflict', 'invalid_idempotency_key'],
  access: 'run.control',
  meta: PLATFORM_BACKED,
});

const recoverBody = z.object({
  spec: openObject,
  /** What the spec calls steps that it does not have under their name; null = none of its steps. */
  renamed: askedRenames.optional(),
  /** Seconds that the run gets from now on; absent = as many as it had. */
  timeout: positiveNumber().optional(),
});

/** Additive: nothing is changed. Whoever gives a run another spec starts what they like. */
export const checkRecovery = dashboardRoute.post('checkRecovery', {
  path: '/runs/{run_id}/recover/check',
  summary:
    'Whether a run that failed or timed out could go on under another spec, and what becomes of its steps',
  params: runPath,
  body: recoverBody,
  responses: {
    200: z
      .object({
        run_id: z.string(),
        status: z.string(),
        masked: z.boolean(),
        timeout_seconds: z.number().nullable(),
        fit: refit,
      })
      .meta({ id: 'RecoveryCheck' }),
  },
  errors: ['not_found'],
  access: 'launch',
  meta: PLATFORM_BACKED,
});

/** Additive: the same run goes on from its last checkpoint. */
export const recoverRun = dashboardRoute.post('recoverRun', {
  path: '/runs/{run_id}/recover',
  summary: 'Take a run that failed or timed out up from its last checkpoint under another spec',
  params: runPath,
  body: recoverBody,
  responses: { 200: actionResult },
  errors: ['not_found', 'run_state_conflict', 'invalid_idempotency_key'],
  access: 'launch',
  meta: PLATFORM_BACKED,
});
