import { z } from 'zod';
import { lenientBoolean } from '../fields.ts';
import { jsonObject, openObject } from '../platform/fields.ts';
import { dashboardRoute } from '../route.ts';
import { idempotencyKey, PLATFORM_BACKED, timestamp } from './fields.ts';

const specSource = {
  spec: jsonObject().nullish(),
  spec_path: z.string().nullish(),
  environment: z.string().nullish(),
};

export const launchSpecInput = z.object(specSource).meta({ id: 'LaunchSpecInput' });

export const launchRunInput = z
  .object({ ...specSource, input_text: z.string(), async_mode: lenientBoolean().default(true) })
  .meta({ id: 'LaunchRunInput' });

export const loadLaunch = dashboardRoute.post('loadLaunch', {
  path: '/launch/load',
  summary: 'Summary of a spec, independent of the environment',
  body: launchSpecInput,
  responses: { 200: z.object({ summary: openObject }).meta({ id: 'LaunchSummary' }) },
  errors: ['spec_invalid', 'invalid_request'],
  access: 'launch',
  meta: PLATFORM_BACKED,
});

export const launchVerdict = z
  .object({
    valid: z.boolean(),
    compiled: z.boolean(),
    policy_ok: z.boolean(),
    ready: z.boolean(),
    diagnostics: z.array(
      z.object({
        source: z.enum(['validate', 'compile', 'policy']),
        severity: z.string(),
        message: z.string(),
        code: z.string().nullable(),
      }),
    ),
    blocking: z.array(z.string()),
  })
  .meta({ id: 'LaunchVerdict' });

export type LaunchVerdict = z.output<typeof launchVerdict>;

export const deployLaunch = dashboardRoute.post('deployLaunch', {
  path: '/launch/deploy',
  summary: 'Whether a spec may run here: validate, strict compile, policy; changes nothing',
  body: launchSpecInput,
  responses: { 200: launchVerdict },
  errors: ['invalid_request'],
  access: 'launch',
  meta: PLATFORM_BACKED,
});

export const runLaunch = dashboardRoute.post('runLaunch', {
  path: '/launch/run',
  summary: 'Start a run',
  body: launchRunInput,
  responses: {
    200: z
      .object({ run_id: z.string(), status: z.string(), idempotency_key: idempotencyKey })
      .meta({ id: 'LaunchResult' }),
  },
  errors: ['environment_policy_blocked', 'idempotency_key_conflict', 'invalid_idempotency_key'],
  access: 'launch',
  meta: PLATFORM_BACKED,
});

export const launchHistoryEntry = z
  .object({
    id: z.string(),
    environment: z.string().nullable(),
    mode: z.string(),
    spec_path: z.string().nullable(),
    digest: z.string().nullable(),
    label: z.string(),
    run_id: z.string().nullable(),
    created_by: z.string(),
    created_at: timestamp,
  })
  .meta({ id: 'LaunchHistoryEntry' });

export const listLaunches = dashboardRoute.get('listLaunchHistory', {
  path: '/launch/history',
  summary: 'The newest launches from this dashboard',
  responses: { 200: z.object({ entries: z.array(launchHistoryEntry) }) },
  access: 'operator',
});
