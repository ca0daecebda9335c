import { z } from 'zod';
import { lenientBoolean } from '../fields.ts';
import { jsonObject, openObject, positiveNumber } from '../platform/fields.ts';
import { dashboardRoute } from '../route.ts';
import { idempotencyKey, PLATFORM_BACKED, textBetween, timestamp } from './fields.ts';

/** So many results are asked for at once: the length of the history. */
export const MOST_RESULTS = 20;

const revision = z.string().regex(/^[\w.-]{1,128}$/);
const projectId = textBetween(1, 128);

/**
 * Additive: what of a studio the spec was read from. Whoever launches says so; the digest is what
 * the dashboard computes itself.
 */
export const launchSource = z
  .discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('draft'),
      project_id: projectId,
      ref: textBetween(1, 1024),
      revision,
    }),
    z.strictObject({
      kind: z.literal('artifact'),
      project_id: projectId,
      artifact_id: textBetween(1, 128),
      draft_ref: textBetween(1, 1024),
      revision,
    }),
  ])
  .meta({ id: 'LaunchSource' });

export type LaunchSource = z.output<typeof launchSource>;

const layers = {
  /** Additive: paths that the platform reads, laid over the spec in this order. */
  overlays: z.array(z.string()).max(1000).optional(),
  /** Additive: values laid over all of it. */
  overrides: jsonObject().optional(),
};

const specSource = {
  spec: jsonObject().nullish(),
  spec_path: z.string().nullish(),
  environment: z.string().nullish(),
  ...layers,
  source: launchSource.optional(),
};

const skills = z.strictObject({
  add: z.array(z.string()).default([]),
  disable: z.array(z.string()).default([]),
});

/** Additive: what else the platform takes with a run (contract/platform.md 3.1). */
const runOptions = {
  skills: skills.optional(),
  session_id: z.string().optional(),
  metadata: jsonObject().optional(),
  strict: lenientBoolean().optional(),
  /** Seconds until the run is ended. */
  timeout: positiveNumber().optional(),
};

export const launchSpecInput = z.object(specSource).meta({ id: 'LaunchSpecInput' });

export const launchRunInput = z
  .object({
    ...specSource,
    ...runOptions,
    input_text: z.string(),
    async_mode: lenientBoolean().default(true),
  })
  .meta({ id: 'LaunchRunInput' });

export type LaunchSpecInput = z.output<typeof launchSpecInput>;
export type LaunchRunInput = z.output<typeof launchRunInput>;

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
        /** Additive: where in the spec, where the platform says it. */
        path: z.string().optional(),
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
  errors: [
    'bad_request',
    'environment_policy_blocked',
    'idempotency_key_conflict',
    'invalid_idempotency_key',
  ],
  access: 'launch',
  meta: PLATFORM_BACKED,
});

/** What a launch was made with, as far as it is kept: overrides and metadata may hold anything. */
export const launchOptions = z
  .object({
    overlays: z.array(z.string()).optional(),
    skills: skills.optional(),
    session_id: z.string().optional(),
    strict: z.boolean().optional(),
    timeout: z.number().optional(),
    /** Options that were given and are not kept. */
    not_kept: z.array(z.enum(['overrides', 'metadata'])).optional(),
  })
  .meta({ id: 'LaunchOptions' });

export type LaunchOptions = z.output<typeof launchOptions>;

/** Additive members of a launch and of its row in the operators' audit; absent where there is nothing to tell. */
export const launchDetails = z.object({
  source: launchSource.optional(),
  options: launchOptions.optional(),
  /** Set where it was started in the studio. */
  via: z.literal('studio').optional(),
  /** The name of whoever did it, where the studio knows one. */
  name: z.string().optional(),
});

export type LaunchDetails = z.output<typeof launchDetails>;

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
    ...launchDetails.shape,
  })
  .meta({ id: 'LaunchHistoryEntry' });

export type LaunchHistoryEntry = z.output<typeof launchHistoryEntry>;

export const listLaunches = dashboardRoute.get('listLaunchHistory', {
  path: '/launch/history',
  summary: 'The newest launches from this dashboard',
  responses: { 200: z.object({ entries: z.array(launchHistoryEntry) }) },
  access: 'operator',
});

/** Additive: how launched runs stand. */
export const listLaunchResults = dashboardRoute.get('listLaunchResults', {
  path: '/launch/results',
  summary:
    'How runs stand, as the platform of the environment says; runs that it does not have are left out',
  query: z.object({
    /** Up to 20, with commas between. */
    run_ids: z.string().max(4096),
  }),
  responses: {
    200: z.object({
      results: z.array(z.object({ run_id: z.string(), status: z.string() })),
      /** Runs that the platform did not tell of just now, with the code of why; absent for none. */
      unread: z.array(z.object({ run_id: z.string(), code: z.string() })).optional(),
    }),
  },
  access: 'operator',
  meta: PLATFORM_BACKED,
});
