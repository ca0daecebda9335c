import { z } from 'zod';
import { lenientBoolean, lenientInteger } from '../fields.ts';
import { platformRoute } from '../route.ts';
import { openObject, timestamp } from './fields.ts';
import { humanRequest } from './human-request.ts';
import { listFacts, listQuery } from './lists.ts';
import { runError, runId, runStatus } from './runs.ts';
import { policyReport, specGraph } from './specs.ts';

/** One event of a run's trace (contract/platform.md 3.9). */
export const traceEvent = z
  .object({
    type: z.string(),
    run_id: z.string(),
    event_id: z.string(),
    timestamp,
    parent_event_id: z.string().nullable(),
    span_id: z.string().nullable(),
    parent_span_id: z.string().nullable(),
    agent_name: z.string().nullable(),
    workflow_name: z.string().nullable(),
    step_id: z.string().nullable(),
    runtime_mode: z.string().nullable(),
    model_provider: z.string().nullable(),
    model_name: z.string().nullable(),
    tool_name: z.string().nullable(),
    guardrail_id: z.string().nullable(),
    memory_policy: z.string().nullable(),
    input_preview: z.string().nullable(),
    output_preview: z.string().nullable(),
    metadata: openObject,
    error: z.string().nullable(),
  })
  .meta({ id: 'TraceEvent' });

export const checkpoint = z
  .object({
    id: z.string(),
    run_id: z.string(),
    type: z.string(),
    workflow_name: z.string().nullable(),
    step_id: z.string().nullable(),
    node_id: z.string().nullable(),
    sequence: z.int(),
    iteration: z.int(),
    state: openObject,
    trace_events: z.array(openObject),
    metadata: openObject,
    created_at: timestamp,
  })
  .meta({ id: 'Checkpoint' });

const checkpointSummary = z.object({
  id: z.string(),
  sequence: z.int(),
  type: z.string(),
  created_at: timestamp,
  workflow_name: z.string().nullable(),
  step_id: z.string().nullable(),
  node_id: z.string().nullable(),
});

/** What a continued run starts from (contract/platform.md 3.7). */
export const replayContext = z
  .object({
    run_id: z.string(),
    status: runStatus,
    workflow_type: z.string().nullable(),
    completed_steps: z.array(z.string()),
    completed_nodes: z.array(z.string()),
    failed_step: z.string().nullable(),
    failed_node: z.string().nullable(),
    next_step_index: z.int().nullable(),
    resume_input: z.string().nullable(),
    checkpoint_count: z.int(),
    can_continue: z.boolean(),
    can_replay: z.boolean(),
  })
  .meta({ id: 'ReplayContext' });

export const recovery = z
  .object({
    run_id: z.string(),
    status: runStatus,
    workflow_name: z.string().nullable(),
    workflow_kind: z.string().nullable(),
    current_step_index: z.int().nullable(),
    current_node_id: z.string().nullable(),
    visited_steps: z.array(z.string()),
    visited_nodes: z.array(z.string()),
    checkpoint_count: z.int(),
    pending_human_request: humanRequest.nullable(),
    continuation_id: z.string().nullable(),
    error: runError.nullable(),
    /** A text that continue would go on from is masked: the run held a secret and its failure was kept. */
    masked: z.boolean().optional(),
    replay_context: replayContext,
  })
  .meta({ id: 'Recovery' });

export const replay = z
  .object({
    run_id: z.string(),
    status: runStatus,
    workflow_name: z.string().nullable(),
    workflow_kind: z.string().nullable(),
    agent_name: z.string().nullable(),
    checkpoint_count: z.int(),
    timeline: z.array(
      checkpointSummary.extend({
        status: z.string().nullable(),
        current_step_index: z.int().nullable(),
        current_step_id: z.string().nullable(),
        current_node_id: z.string().nullable(),
        continuation_id: z.string().nullable(),
        pending_human_request_id: z.string().nullable(),
        error: runError.nullable(),
      }),
    ),
    replay_context: replayContext,
  })
  .meta({ id: 'Replay' });

export const checkpointDiff = z
  .object({
    run_id: z.string(),
    from_checkpoint: checkpointSummary,
    to_checkpoint: checkpointSummary,
    change_count: z.int(),
    added: z.array(z.object({ path: z.string(), value: z.unknown() })),
    removed: z.array(z.object({ path: z.string(), value: z.unknown() })),
    changed: z.array(z.object({ path: z.string(), before: z.unknown(), after: z.unknown() })),
    truncated: z.boolean(),
  })
  .meta({ id: 'CheckpointDiff' });

export const runGraph = specGraph
  .extend({
    run_id: z.string(),
    status: runStatus,
    current: z.string().nullable(),
    visited: z.array(z.string()),
  })
  .meta({ id: 'RunGraph' });

export type Checkpoint = z.output<typeof checkpoint>;
export type CheckpointSummary = z.output<typeof checkpointSummary>;
export type ReplayContext = z.output<typeof replayContext>;
export type Recovery = z.output<typeof recovery>;
export type Replay = z.output<typeof replay>;
export type CheckpointDiff = z.output<typeof checkpointDiff>;
export type RunGraph = z.output<typeof runGraph>;

export const getRecovery = platformRoute.get('getRunRecovery', {
  path: '/runs/{run_id}/recovery',
  summary: 'What a continued run would start from',
  params: runId,
  responses: { 200: recovery },
  errors: ['not_found'],
  access: 'runs:read',
});

export const getReplay = platformRoute.get('getRunReplay', {
  path: '/runs/{run_id}/replay',
  summary: 'Timeline of a run; nothing is executed',
  params: runId,
  responses: { 200: replay },
  errors: ['not_found'],
  access: 'runs:read',
});

export const getRunGraph = platformRoute.get('getRunGraph', {
  path: '/runs/{run_id}/graph',
  summary: "Graph of the run's frozen spec with its position",
  params: runId,
  responses: { 200: runGraph },
  errors: ['not_found', 'spec_invalid', 'invalid_request'],
  access: 'runs:read',
});

export const getRunPolicyReport = platformRoute.get('getRunPolicyReport', {
  path: '/runs/{run_id}/policy-report',
  summary: "Policy report of the run's frozen spec",
  params: runId,
  responses: { 200: policyReport },
  errors: ['not_found', 'invalid_request'],
  access: 'runs:read',
});

/** The longest that a read of a trace waits for news. */
const MAX_WAIT_SECONDS = 60;

export const getTrace = platformRoute.get('getRunTrace', {
  path: '/runs/{run_id}/trace',
  summary: 'Trace events of a run, append-stable',
  params: runId,
  query: z.strictObject({
    event_type: z.string().optional(),
    /** Additive: wait so many seconds for news, and answer `cursor` and `run_status`. */
    wait_seconds: lenientInteger({ min: 0, max: MAX_WAIT_SECONDS }).optional(),
    /** Additive: the `cursor` of the last answer; news is what was committed of the run since. */
    seen: z.string().max(200).optional(),
    /**
     * Additive: begin after so many events, in the order of writing, beyond the bound of `offset` too;
     * `offset` and the order are not asked then.
     */
    after: lenientInteger({ min: 0 }).optional(),
    ...listQuery('timestamp', 'asc'),
  }),
  responses: {
    200: z
      .object({
        run_id: z.string(),
        events: z.array(traceEvent),
        ...listFacts,
        dropped: z.int(),
        complete: z.boolean(),
        cursor: z.string().optional(),
        run_status: runStatus.optional(),
        /** Additive, beside `cursor`: the platform knows `after`. */
        knows_after: z.boolean().optional(),
      })
      .meta({ id: 'Trace' }),
  },
  errors: ['not_found'],
  access: 'runs:read',
});

/** One time that a step of an item flow ran (decision record 0024). */
const flowStepRun = z.object({
  /** Number of it among all, from 0. */
  at: z.int(),
  /** Key of the step in the graph. */
  step: z.string(),
  /** Its name in the source. */
  name: z.string(),
  type: z.string(),
  /** Number of this run of the step, from 0. */
  run: z.int(),
  /** Its items came with the run's input. */
  pinned: z.boolean(),
  /** Additive: what answered in place of the step; null = it ran. */
  answered_by: z.enum(['pinned', 'mocked', 'recorded']).nullable(),
  /** The steps that called the workflow that it is of, from the outermost; empty = the run's own. */
  within: z.array(z.object({ step: z.string(), name: z.string(), run: z.int(), call: z.int() })),
  /** By input: the output that fed it, by the source's name of the step. */
  sources: z.array(z.object({ node: z.string(), output: z.int(), run: z.int() }).nullable()),
  /** By output: the fields of its items, redacted; null of an output that gave nothing. */
  outputs: z.array(z.array(openObject).nullable()),
});

export const runItems = z
  .object({ run_id: z.string(), total: z.int(), runs: z.array(flowStepRun) })
  .meta({ id: 'RunItems' });
export type RunItems = z.output<typeof runItems>;

/** Additive: the items that went from step to step; no runs for a run that is no item flow. */
export const getRunItems = platformRoute.get('getRunItems', {
  path: '/runs/{run_id}/items',
  summary: 'What each step of an item flow gave, in order',
  params: runId,
  query: z.strictObject({
    offset: lenientInteger({ min: 0 }).default(0),
    limit: lenientInteger({ min: 1, max: 1000 }).default(100),
  }),
  responses: { 200: runItems },
  errors: ['not_found'],
  access: 'runs:read',
});

export const listCheckpoints = platformRoute.get('listRunCheckpoints', {
  path: '/runs/{run_id}/checkpoints',
  summary: 'Checkpoints of a run',
  params: runId,
  query: z.strictObject({
    type: z.string().optional(),
    /** Additive: false leaves `state`, `trace_events` and `metadata` empty, for a list of labels. */
    states: lenientBoolean().optional(),
    ...listQuery('sequence', 'asc'),
  }),
  responses: {
    200: z
      .object({ run_id: z.string(), checkpoints: z.array(checkpoint), ...listFacts })
      .meta({ id: 'CheckpointList' }),
  },
  errors: ['not_found'],
  access: 'runs:read',
});

export const diffCheckpoints = platformRoute.get('diffRunCheckpoints', {
  path: '/runs/{run_id}/checkpoints/diff',
  summary: 'Difference of two checkpoints; by default the last two',
  params: runId,
  query: z.strictObject({
    from_sequence: lenientInteger({ min: 1 }).optional(),
    to_sequence: lenientInteger({ min: 1 }).optional(),
  }),
  responses: { 200: checkpointDiff },
  errors: ['not_found', 'invalid_request'],
  access: 'runs:read',
});
