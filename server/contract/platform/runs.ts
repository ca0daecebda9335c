import { z } from 'zod';
import { lenientBoolean } from '../fields.ts';
import { platformRoute } from '../route.ts';
import {
  epochSeconds,
  jsonObject,
  openObject,
  positiveNumber,
  specPath,
  textUpTo,
  timestamp,
} from './fields.ts';
import { humanRequest } from './human-request.ts';
import type { RequestLimits } from './limits.ts';
import { listFacts, listQuery, runCount } from './lists.ts';
import { RUN_STATUSES } from './run-status.ts';

export const runStatus = z.enum(RUN_STATUSES);
export type RunStatusName = z.output<typeof runStatus>;

export const runId = z.strictObject({ run_id: z.string() });

const usage = z
  .object({
    input_tokens: z.number(),
    output_tokens: z.number(),
    total_tokens: z.number(),
    /** Additive, where a provider told of some: parts of the input and of the output. */
    cached_input_tokens: z.number().optional(),
    reasoning_tokens: z.number().optional(),
  })
  .meta({ id: 'Usage' });

export const runError = z.looseObject({
  message: z.string(),
  type: z.string(),
  /** Of a spec that cannot run: what the message tells in words. */
  findings: z.array(z.object({ code: z.string(), path: z.string().nullable() })).optional(),
});

/** Body of POST /runs and POST /specs/run (contract/platform.md 3.1) under the configured limits. */
export function runCreateBody(limits: RequestLimits) {
  const path = specPath(limits.max_path_chars);
  return z
    .strictObject({
      input: textUpTo(limits.max_input_chars),
      spec: jsonObject(limits.max_inline_spec_bytes).nullable().default(null),
      spec_path: path.nullable().default(null),
      target: z.enum(['agent', 'workflow']).default('workflow'),
      environment: textUpTo(limits.max_path_chars).nullable().default(null),
      overlays: z.array(path).max(limits.max_list_items).default([]),
      overrides: jsonObject(limits.max_overrides_bytes).default({}),
      skills: z
        .strictObject({
          add: z.array(z.string()).max(limits.max_list_items).default([]),
          disable: z.array(z.string()).max(limits.max_list_items).default([]),
        })
        .nullable()
        .default(null),
      async_mode: lenientBoolean().default(false),
      session_id: textUpTo(limits.max_path_chars).nullable().default(null),
      metadata: jsonObject(limits.max_metadata_bytes).default({}),
      strict: lenientBoolean().default(true),
      timeout: positiveNumber().nullable().optional(),
      timeout_seconds: positiveNumber().nullable().optional(),
    })
    .transform(({ timeout_seconds, timeout, ...rest }) => ({
      ...rest,
      timeout: timeout ?? timeout_seconds ?? null,
    }));
}

export type RunCreate = z.output<ReturnType<typeof runCreateBody>>;

/** Answer of the operations that execute (contract/platform.md 3.2). */
export const runResult = z
  .object({
    run_id: z.string().nullable(),
    status: z.string(),
    output_text: z.string().nullable(),
    human_intervention_required: z.boolean(),
    continuation_id: z.string().nullable(),
    metadata: openObject,
  })
  .meta({ id: 'RunResult' });

/** Item of GET /runs (contract/platform.md 3.3). */
export const runRecord = z
  .object({
    id: z.string(),
    run_id: z.string(),
    status: runStatus,
    agent_name: z.string().nullable(),
    workflow_name: z.string().nullable(),
    workflow_kind: z.enum(['workflow', 'agent']),
    input_text: z.string().nullable(),
    output_text: z.string().nullable(),
    current_step_index: z.int().nullable(),
    current_step_id: z.string().nullable(),
    current_node_id: z.string().nullable(),
    visited_steps: z.array(z.string()),
    visited_nodes: z.array(z.string()),
    messages: z.array(openObject),
    pending_human_request: humanRequest.nullable(),
    continuation_id: z.string().nullable(),
    trace_dropped: z.int(),
    metadata: openObject,
    error: runError.nullable(),
    parent_run_id: z.string().nullable(),
    session_id: z.string().nullable(),
    tags: z.array(z.string()),
    created_at: timestamp,
    updated_at: timestamp,
    started_at: timestamp.nullable(),
    completed_at: timestamp.nullable(),
    deadline_at: epochSeconds.nullable(),
    trace_event_count: z.int(),
    usage: usage.nullable(),
  })
  .meta({ id: 'RunRecord' });

/** GET /runs/{id} and POST cancel (contract/platform.md 3.5). */
export const runStatusView = z
  .object({
    run_id: z.string(),
    status: runStatus,
    agent_name: z.string().nullable(),
    workflow_name: z.string().nullable(),
    workflow_kind: z.enum(['workflow', 'agent']),
    session_id: z.string().nullable(),
    input_text: z.string().nullable(),
    output_text: z.string().nullable(),
    current_step_index: z.int().nullable(),
    current_node_id: z.string().nullable(),
    visited_steps: z.array(z.string()),
    visited_nodes: z.array(z.string()),
    pending_human_request: humanRequest.nullable(),
    continuation_id: z.string().nullable(),
    trace_event_count: z.int(),
    usage: usage.nullable(),
    metadata: openObject,
    error: runError.nullable(),
    created_at: timestamp,
    updated_at: timestamp,
    started_at: timestamp.nullable(),
    completed_at: timestamp.nullable(),
    deadline_at: epochSeconds.nullable(),
  })
  .meta({ id: 'RunStatus' });

export type RunRecord = z.output<typeof runRecord>;
export type RunResult = z.output<typeof runResult>;
export type RunStatusView = z.output<typeof runStatusView>;

const createErrors = [
  'invalid_request',
  'spec_invalid',
  'token_budget_exceeded',
  'run_limit_exceeded',
  'run_stopped',
  'code_not_trusted',
  'code_unusable',
  'code_too_large',
  'environment_policy_blocked',
  'rehearsal_refused',
  'spec_path_confined',
  'guardrail_violation',
  'idempotency_key_in_progress',
  'idempotency_key_conflict',
  'queue_full',
  'sync_runs_full',
  'too_many_sync_runs',
  'budget_exceeded',
  'store_unavailable',
];

/** POST /runs under the configured limits. */
export function createRunRoute(limits: RequestLimits) {
  return platformRoute.post('createRun', {
    path: '/runs',
    summary: 'Start a run; 202 with the queued run when async_mode is true',
    body: runCreateBody(limits),
    responses: { 200: runResult, 202: runResult },
    errors: createErrors,
    access: 'runs:write',
    meta: { idempotency: 'runs:create' },
  });
}

/** POST /specs/run under the configured limits. */
export function runSpecRoute(limits: RequestLimits) {
  return platformRoute.post('runSpec', {
    path: '/specs/run',
    summary: 'Start a run of a spec; same as POST /runs',
    body: runCreateBody(limits),
    responses: { 200: runResult, 202: runResult },
    errors: createErrors,
    access: 'runs:write',
    meta: { idempotency: 'specs:run' },
  });
}

/** The filters of GET /runs (contract/platform.md 3.3). */
const runFilter = {
  status: z.string().optional(),
  workflow_kind: z.string().optional(),
  workflow_name: z.string().optional(),
  session_id: z.string().optional(),
  has_error: lenientBoolean().optional(),
  created_after: z.string().optional(),
  created_before: z.string().optional(),
  q: z.string().optional(),
};

export type RunFilterQuery = Readonly<z.output<z.ZodObject<typeof runFilter>>>;

/**
 * Additive: statuses of runs that GET /runs may tell in brief, with commas between, or `*` for all:
 * who scans a list for what its columns say is spared the texts. A platform that does not know the
 * header tells all runs whole.
 */
export const BRIEF_RUNS_HEADER = 'x-specwright-brief-runs';

const briefRun = z
  .object({
    run_id: z.string(),
    status: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
    deadline_at: epochSeconds.nullable(),
    usage: usage.nullable(),
  })
  .meta({ id: 'BriefRun' });

/** What is told of a run in brief, with the names and values of a run record. */
export type BriefRun = Readonly<z.output<typeof briefRun>>;

export const listRuns = platformRoute.get('listRuns', {
  path: '/runs',
  summary: 'List runs, newest change first',
  query: z.strictObject({
    ...runFilter,
    ...runCount,
    ...listQuery('updated_at', 'desc'),
  }),
  responses: {
    200: z
      .object({
        runs: z.array(runRecord),
        /** Those of the page that the caller asked to be told in brief, in the order of the list. */
        brief: z.array(briefRun).optional(),
        ...listFacts,
      })
      .meta({ id: 'RunList' }),
  },
  errors: ['invalid_timestamp'],
  access: 'runs:read',
});

export const getRun = platformRoute.get('getRun', {
  path: '/runs/{run_id}',
  summary: 'State of one run',
  params: runId,
  responses: { 200: runStatusView },
  errors: ['not_found'],
  access: 'runs:read',
});

export const cancelRun = platformRoute.post('cancelRun', {
  path: '/runs/{run_id}/cancel',
  summary: 'Cancel a run; a terminal run answers unchanged',
  params: runId,
  responses: { 200: runStatusView },
  errors: ['not_found', 'resource_locked'],
  access: 'runs:write',
});

export const continueRun = platformRoute.post('continueRun', {
  path: '/runs/{run_id}/continue',
  summary: 'Continue a blocked run with its default answer, or a failed run where it failed',
  params: runId,
  responses: { 200: runResult },
  errors: [
    ...createErrors,
    'not_found',
    'run_state_conflict',
    'resource_locked',
    'human_task_expired',
  ],
  access: 'runs:write',
  meta: { idempotency: 'runs:continue' },
});
