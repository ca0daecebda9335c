import { z } from 'zod';
import { lenientBoolean, lenientInteger } from '../fields.ts';
import { openObject } from '../platform/fields.ts';
import { runCount } from '../platform/lists.ts';
import { dashboardRoute } from '../route.ts';
import { PLATFORM_BACKED, pageOf, pageQuery } from './fields.ts';
import { traceEvent } from './trace.ts';

/** Path parameter of every per-run operation. */
export const runPath = z.object({ run_id: z.string() });

/** Token use of a run and its approximate price (contract/dashboard.md 9). */
export const usage = z
  .object({
    input_tokens: z.int().nullable(),
    output_tokens: z.int().nullable(),
    total_tokens: z.int().nullable(),
    cost_usd: z.number().nullable(),
    cost_approximate: z.boolean(),
    currency: z.string(),
  })
  .meta({ id: 'Usage' });

/** Additive: what tells a run apart and where it comes from, in rows and in the detail alike. */
const runIdentity = {
  /** The name that the spec itself gives, also where it never compiled; null when it gives none. */
  spec_name: z.string().nullable(),
  session_id: z.string().nullable(),
  environment: z.string().nullable(),
  started_at: z.string().nullable(),
  completed_at: z.string().nullable(),
  /** True when the offline runtime answered for at least one agent. */
  offline: z.boolean(),
};

export const runRow = z
  .object({
    run_id: z.string(),
    status: z.string(),
    workflow_name: z.string(),
    workflow_kind: z.string(),
    agent_name: z.string(),
    current_node_id: z.string().nullable(),
    current_step_index: z.int().nullable(),
    updated_age: z.string(),
    /** Additive: when the run was created and last changed, for absolute times. */
    created_at: z.string().nullable(),
    updated_at: z.string().nullable(),
    /** Additive: what the run is doing now when it has no graph node. */
    current_step_id: z.string().nullable(),
    blocked: z.boolean(),
    has_error: z.boolean(),
    stuck: z.boolean(),
    stuck_reason: z.string().nullable(),
    usage: usage.nullable(),
    ...runIdentity,
    /** Additive: the first words of what went in, what came out and what went wrong. */
    input_preview: z.string().nullable(),
    output_preview: z.string().nullable(),
    error_preview: z.string().nullable(),
  })
  .meta({ id: 'RunRow' });

export const runList = z
  .object({
    ...pageOf(runRow),
    unsupported_filters: z.array(z.string()),
    /** Additive, when asked for: runs of each status that the other filters leave. */
    status_counts: z.record(z.string(), z.int().nullable()).optional(),
    /** Additive, when asked for: runs of the page of which no more is told; `count` counts them too. */
    brief: z.array(z.object({ run_id: z.string(), status: z.string() })).optional(),
  })
  .meta({ id: 'RunList' });

export const checkpointRow = z
  .object({ sequence: z.int(), type: z.string(), node: z.string(), age: z.string() })
  .meta({ id: 'CheckpointRow' });

export const runDetail = z
  .object({
    run_id: z.string(),
    status: z.string(),
    agent_name: z.string(),
    workflow_name: z.string(),
    workflow_kind: z.string(),
    current_node_id: z.string().nullable(),
    current_step_index: z.int().nullable(),
    continuation_id: z.string().nullable(),
    ...runIdentity,
    trace_event_count: z.int(),
    output_text: z.string().nullable(),
    /** Additive: the input as the platform shows it, redacted. */
    input_text: z.string().nullable(),
    input_redacted: z.boolean(),
    error: z.string().nullable(),
    path: z.array(z.string()),
    is_terminal: z.boolean(),
    trace: z.array(traceEvent),
    trace_complete: z.boolean().nullable(),
    trace_dropped: z.boolean().nullable(),
    /** Additive: how many events the platform did not keep; null where it does not count them. */
    trace_dropped_count: z.int().nullable(),
    checkpoints: z.array(checkpointRow),
    usage: usage.nullable(),
    /** Additive: times of the run, null when the platform does not tell. */
    created_at: z.string().nullable(),
    updated_at: z.string().nullable(),
    /** Additive: which runtime answered, so that an offline run can be told from a real one. */
    runtime_mode: z.string().nullable(),
  })
  .meta({ id: 'RunDetail' });

/** Filters, order and page of the run list. */
const runListQuery = z.object({
  status: z.string().optional(),
  has_error: lenientBoolean().optional(),
  workflow_kind: z.string().optional(),
  /** Additive: the platform's own filter by name. */
  workflow_name: z.string().optional(),
  /** Additive: the platform's own filter by session. */
  session_id: z.string().optional(),
  created_after: z.string().optional(),
  created_before: z.string().optional(),
  q: z.string().optional(),
  stuck_only: lenientBoolean().default(false),
  /** Additive: the answer counts the runs of each status too. */
  status_counts: lenientBoolean().default(false),
  /** Additive: a field of the platform's runs to sort by; the newest change first when absent. */
  sort_by: z.string().optional(),
  sort_order: z.enum(['asc', 'desc']).optional(),
  /** Additive: statuses, with commas between, whose runs are told in brief where the platform can. */
  brief: z.string().optional(),
  ...runCount,
  ...pageQuery(200, 50),
});

export type RunListQuery = Readonly<z.output<typeof runListQuery>>;

export const listRuns = dashboardRoute.get('listRuns', {
  path: '/runs',
  summary: 'Runs, newest change first unless sorted',
  query: runListQuery,
  responses: { 200: runList },
  errors: ['invalid_timestamp', 'unknown_query_parameters'],
  access: 'operator',
  meta: PLATFORM_BACKED,
});

export const errorSummary = dashboardRoute.get('runErrorSummary', {
  path: '/runs/error-summary',
  summary: 'Failed runs of one window by workflow, most failing first',
  responses: {
    200: z
      .object({
        groups: z.array(
          z.object({
            workflow_kind: z.string(),
            workflow_name: z.string(),
            count: z.int(),
            sample_run_ids: z.array(z.string()),
          }),
        ),
        total_failed: z.int(),
        scanned: z.int(),
      })
      .meta({ id: 'ErrorSummary' }),
  },
  access: 'operator',
  meta: PLATFORM_BACKED,
});

export const getRun = dashboardRoute.get('getRun', {
  path: '/runs/{run_id}',
  summary: 'One run with its trace and checkpoints',
  params: runPath,
  responses: { 200: runDetail },
  errors: ['not_found'],
  access: 'operator',
  meta: PLATFORM_BACKED,
});

const chainRun = z.object({
  run_id: z.string(),
  status: z.string(),
  workflow_name: z.string(),
  spec_name: runIdentity.spec_name,
  created_age: z.string(),
  current: z.boolean(),
});

const chainFacts = {
  available: z.boolean(),
  session_id: z.string().nullable(),
  total: z.int().nullable(),
  truncated: z.boolean(),
};

export const runChain = z
  .object({ ...chainFacts, runs: z.array(chainRun) })
  .meta({ id: 'RunChain' });

/** Additive: a session's runs tell what was said, cut, and what they took and used. */
export const sessionView = z
  .object({
    ...chainFacts,
    runs: z.array(
      chainRun.extend({
        created_at: z.string().nullable(),
        started_at: z.string().nullable(),
        completed_at: z.string().nullable(),
        input_excerpt: z.string().nullable(),
        output_excerpt: z.string().nullable(),
        error_excerpt: z.string().nullable(),
        usage: usage.nullable(),
      }),
    ),
  })
  .meta({ id: 'SessionView' });

export const getRunChain = dashboardRoute.get('getRunChain', {
  path: '/runs/{run_id}/chain',
  summary: 'The runs of the same session, oldest first',
  params: runPath,
  responses: { 200: runChain },
  errors: ['not_found'],
  access: 'operator',
  meta: PLATFORM_BACKED,
});

export const getSession = dashboardRoute.get('getSession', {
  path: '/sessions/{session_id}',
  summary: 'The runs of a session, oldest first',
  params: z.object({ session_id: z.string() }),
  responses: { 200: sessionView },
  access: 'operator',
  meta: PLATFORM_BACKED,
});

const diffEntry = z.object({
  key: z.string(),
  value: z.string().nullable(),
  from_value: z.string().nullable(),
  to_value: z.string().nullable(),
});

export const checkpointDiff = z
  .object({
    added: z.array(diffEntry),
    changed: z.array(diffEntry),
    removed: z.array(diffEntry),
    change_count: z.int(),
    from_sequence: z.int().nullable(),
    to_sequence: z.int().nullable(),
    truncated: z.boolean(),
  })
  .meta({ id: 'CheckpointDiff' });

export const getCheckpointDiff = dashboardRoute.get('getCheckpointDiff', {
  path: '/runs/{run_id}/checkpoints/diff',
  summary: 'What changed between two checkpoints; the last two when none is named',
  params: runPath,
  query: z.object({
    from_sequence: lenientInteger().optional(),
    to_sequence: lenientInteger().optional(),
  }),
  responses: { 200: checkpointDiff },
  errors: ['not_found', 'invalid_request'],
  access: 'operator',
  meta: PLATFORM_BACKED,
});

export const runGraph = z
  .object({
    available: z.boolean(),
    nodes: z.array(
      z.object({
        id: z.string(),
        label: z.string(),
        kind: z.string().nullable(),
        /** Additive: the kind of a step also where `kind` is null (sequential workflows). */
        step_kind: z.string().nullable(),
        visited: z.boolean(),
        current: z.boolean(),
      }),
    ),
    edges: z.array(
      z.object({
        source: z.string(),
        target: z.string(),
        /** Additive: what is written at the edge, and whether a condition guards it. */
        label: z.string().nullable(),
        conditional: z.boolean(),
      }),
    ),
    current: z.string().nullable(),
  })
  .meta({ id: 'RunGraphView' });

export const getRunGraph = dashboardRoute.get('getRunGraph', {
  path: '/runs/{run_id}/graph',
  summary: 'The graph of a run with the path taken',
  params: runPath,
  responses: { 200: runGraph },
  access: 'operator',
  meta: PLATFORM_BACKED,
});

export const runPolicyReport = z
  .object({
    available: z.boolean(),
    valid: z.boolean(),
    version: z.string(),
    summary: openObject,
    human_review_required: z.boolean(),
    human_review_missing: z.boolean(),
    diagnostics: z.array(z.object({ code: z.string(), message: z.string(), severity: z.string() })),
  })
  .meta({ id: 'RunPolicyReport' });

export const getRunPolicyReport = dashboardRoute.get('getRunPolicyReport', {
  path: '/runs/{run_id}/policy-report',
  summary: 'The policy report of the spec that a run froze',
  params: runPath,
  responses: { 200: runPolicyReport },
  access: 'operator',
  meta: PLATFORM_BACKED,
});

export const runRecovery = z
  .object({
    run_id: z.string(),
    status: z.string(),
    checkpoint_count: z.int(),
    continuation_id: z.string().nullable(),
    current_node_id: z.string().nullable(),
    current_step_index: z.int().nullable(),
    error: z.string().nullable(),
    recoverable: z.boolean(),
    visited_nodes: z.array(z.string()),
  })
  .meta({ id: 'RunRecovery' });

export const getRunRecovery = dashboardRoute.get('getRunRecovery', {
  path: '/runs/{run_id}/recovery',
  summary: 'Where a run stopped and whether it can go on',
  params: runPath,
  responses: { 200: runRecovery },
  errors: ['not_found'],
  access: 'operator',
  meta: PLATFORM_BACKED,
});

export const runReplay = z
  .object({
    run_id: z.string(),
    status: z.string(),
    checkpoint_count: z.int(),
    timeline: z.array(
      z.object({
        sequence: z.int().nullable(),
        label: z.string(),
        node: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: 'RunReplay' });

export const getRunReplay = dashboardRoute.get('getRunReplay', {
  path: '/runs/{run_id}/replay',
  summary: 'The saved states of a run in order; nothing runs again',
  params: runPath,
  responses: { 200: runReplay },
  errors: ['not_found'],
  access: 'operator',
  meta: PLATFORM_BACKED,
});

export type Usage = z.output<typeof usage>;
export type RunRow = z.output<typeof runRow>;
export type RunList = z.output<typeof runList>;
export type RunDetail = z.output<typeof runDetail>;
export type CheckpointRow = z.output<typeof checkpointRow>;
export type RunChain = z.output<typeof runChain>;
export type SessionView = z.output<typeof sessionView>;
export type CheckpointDiff = z.output<typeof checkpointDiff>;
export type RunGraphView = z.output<typeof runGraph>;
export type RunPolicyReport = z.output<typeof runPolicyReport>;
export type RunRecovery = z.output<typeof runRecovery>;
export type RunReplay = z.output<typeof runReplay>;
