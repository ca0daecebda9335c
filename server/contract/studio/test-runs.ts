import { z } from 'zod';
import { lenientInteger } from '../fields.ts';
import { recordingChoice } from '../platform/recordings.ts';
import { studioRoute } from '../route.ts';
import { GOVERN_ERRORS } from './artifacts.ts';
import { FreeObject, ProjectParams, TestRunParams, Timestamp } from './fields.ts';
import { GraphEdge, GraphNode } from './govern.ts';

const RunUsage = z
  .strictObject({ input_tokens: z.int(), output_tokens: z.int(), total_tokens: z.int() })
  .meta({ id: 'RunUsage' });

export const PlatformTestRun = z
  .strictObject({
    error: FreeObject.nullable(),
    output_text: z.string().nullable(),
    status: z.string(),
    usage: RunUsage.nullable(),
  })
  .meta({ id: 'PlatformTestRun' });
export type PlatformTestRun = z.infer<typeof PlatformTestRun>;

const TestRunStatus = z.enum(['pending', 'started', 'failed_to_start', 'abandoned', 'unknown']);
export type TestRunStatus = z.infer<typeof TestRunStatus>;

export const StudioTestRun = z
  .strictObject({
    id: z.string(),
    status: TestRunStatus,
    artifact_id: z.string().nullable(),
    platform_run_id: z.string().nullable(),
    platform: PlatformTestRun.nullable(),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'StudioTestRun' });
export type StudioTestRun = z.infer<typeof StudioTestRun>;

const TestRunCreateRequest = z
  .strictObject({
    artifact_id: z.string(),
    input: z.string(),
    /** Additive: whether the models and tools of the run are recorded or replayed (decision record 0007). */
    recording: recordingChoice.optional(),
  })
  .meta({ id: 'TestRunCreateRequest' });

export const StopResult = z
  .strictObject({
    outcome: z.enum(['cancelled', 'already_finished', 'requested']),
    status: z.string(),
    message: z.string(),
  })
  .meta({ id: 'StopResult' });
export type StopResult = z.infer<typeof StopResult>;

export const RunGraph = z
  .strictObject({
    run_id: z.string(),
    status: z.string().nullable(),
    workflow_kind: z.string().nullable(),
    start: z.string().nullable(),
    nodes: z.array(GraphNode),
    edges: z.array(GraphEdge),
    current: z.string().nullable(),
    visited: z.array(z.string()),
    max_steps: z.int().nullable(),
  })
  .meta({ id: 'RunGraph' });
export type RunGraph = z.infer<typeof RunGraph>;

export const TraceWindow = z
  .strictObject({
    events: z.array(FreeObject),
    offset: z.int(),
    limit: z.int(),
    returned: z.int(),
    total: z.int().nullable(),
    window: z.unknown(),
    complete: z.boolean().nullable(),
    dropped: z.int().nullable(),
    paging_limit_reached: z.boolean(),
    next_offset: z.int().nullable(),
    run_status: z.string(),
    run_terminal: z.boolean(),
  })
  .meta({ id: 'TraceWindow' });
export type TraceWindow = z.infer<typeof TraceWindow>;

export const CheckpointPage = z
  .strictObject({
    checkpoints: z.array(FreeObject),
    limit: z.int(),
    offset: z.int(),
    next_offset: z.int().nullable(),
    paging_limit_reached: z.boolean(),
    returned: z.int(),
    total: z.int().nullable(),
  })
  .meta({ id: 'CheckpointPage' });
export type CheckpointPage = z.infer<typeof CheckpointPage>;

export const CheckpointDiff = z
  .strictObject({
    run_id: z.string(),
    added: z.array(FreeObject),
    changed: z.array(FreeObject),
    removed: z.array(FreeObject),
    change_count: z.int().nullable(),
    from_checkpoint: FreeObject.nullable(),
    to_checkpoint: FreeObject.nullable(),
    truncated: z.boolean().nullable(),
  })
  .meta({ id: 'CheckpointDiff' });
export type CheckpointDiff = z.infer<typeof CheckpointDiff>;

const READ_ERRORS = [
  'test_run_not_found',
  'test_run_not_on_platform',
  'test_run_target_unavailable',
  'test_run_state_corrupt',
  'environment_unavailable',
  'environment_changed',
];
/** Bounds are the handler's: outside them the code is `invalid_…_window`. */
const windowQuery = {
  offset: lenientInteger().default(0),
  limit: lenientInteger().default(100),
};

export const startTestRun = studioRoute.post('start_test_run', {
  path: '/projects/{project_id}/test-runs',
  summary: 'Run an artifact on the platform it is bound to',
  params: ProjectParams,
  body: TestRunCreateRequest,
  responses: { 202: StudioTestRun },
  errors: [
    ...GOVERN_ERRORS,
    'platform_version_unknown',
    'platform_version_unsupported',
    'test_run_dispatch_conflict',
    'test_run_finalization_conflict',
  ],
  access: 'editor',
  meta: { audit: 'start_test_run' },
});

export const listTestRuns = studioRoute.get('list_test_runs', {
  path: '/projects/{project_id}/test-runs',
  summary: 'Test runs, newest first, without the platform’s live part',
  params: ProjectParams,
  query: z.object({
    artifact_id: z.string().optional(),
    limit: lenientInteger({ min: 1, max: 500 }).default(100),
  }),
  responses: { 200: z.array(StudioTestRun) },
  access: 'viewer',
});

const RunOrigin = z
  .strictObject({
    session_id: z.string(),
    project_id: z.string(),
    project_name: z.string(),
    /** Null for a run from the editor: it runs a text, and no artifact is made. */
    artifact_id: z.string().nullable(),
    artifact_deleted: z.boolean(),
    /** The draft that the artifact was made of, or that stood in the editor. */
    draft_ref: z.string(),
    draft_revision: z.string(),
  })
  .meta({ id: 'RunOrigin' });
export type RunOrigin = z.infer<typeof RunOrigin>;

/** What stands before the id of a test run or draft run in the session that its run gets. */
export const TEST_RUN_SESSION = 'studio-';

/** Additive: the way back from runs of the platform, whose session names the studio's run. */
export const listRunOrigins = studioRoute.get('list_run_origins', {
  path: '/run-origins',
  summary: 'Project, artifact and draft behind sessions of runs, as far as the caller may see them',
  query: z.object({
    /** Up to 200, with commas between. */
    session_ids: z.string().max(16_384),
  }),
  responses: { 200: z.array(RunOrigin) },
  errors: ['unauthenticated', 'no_active_principal'],
  access: 'session',
});

const DraftSession = z
  .strictObject({ draft_ref: z.string(), session_id: z.string(), started_at: Timestamp })
  .meta({ id: 'DraftSession' });
export type DraftSession = z.infer<typeof DraftSession>;

/** Additive: what to ask a platform for to read how each draft ran last. */
export const listDraftSessions = studioRoute.get('list_draft_sessions', {
  path: '/projects/{project_id}/draft-sessions',
  summary:
    'Session of the newest run of each draft that has run, from the editor or as an artifact',
  params: ProjectParams,
  responses: { 200: z.array(DraftSession) },
  access: 'viewer',
});

export const getTestRun = studioRoute.get('get_test_run', {
  path: '/projects/{project_id}/test-runs/{test_run_id}',
  summary: 'One test run, with the platform’s word when it started there',
  params: TestRunParams,
  responses: { 200: StudioTestRun },
  errors: READ_ERRORS,
  access: 'viewer',
});

export const cancelTestRun = studioRoute.post('cancel_test_run', {
  path: '/projects/{project_id}/test-runs/{test_run_id}/cancel',
  summary: 'Ask the platform to stop a run',
  params: TestRunParams,
  responses: { 200: StopResult },
  errors: READ_ERRORS,
  access: 'editor',
  meta: { audit: 'cancel_test_run' },
});

export const getTestRunGraph = studioRoute.get('get_test_run_graph', {
  path: '/projects/{project_id}/test-runs/{test_run_id}/graph',
  summary: 'Topology of a run with its path',
  params: TestRunParams,
  responses: { 200: RunGraph },
  errors: READ_ERRORS,
  access: 'viewer',
});

export const getTestRunTrace = studioRoute.get('get_test_run_trace', {
  path: '/projects/{project_id}/test-runs/{test_run_id}/trace',
  summary: 'A window of the trace',
  params: TestRunParams,
  query: z.object({ ...windowQuery, event_type: z.string().optional() }),
  responses: { 200: TraceWindow },
  errors: [...READ_ERRORS, 'invalid_trace_window'],
  access: 'viewer',
});

export const listTestRunCheckpoints = studioRoute.get('list_test_run_checkpoints', {
  path: '/projects/{project_id}/test-runs/{test_run_id}/checkpoints',
  summary: 'Checkpoints in order',
  params: TestRunParams,
  query: z.object({ ...windowQuery, type: z.string().optional() }),
  responses: { 200: CheckpointPage },
  errors: [...READ_ERRORS, 'invalid_checkpoint_window'],
  access: 'viewer',
});

export const diffTestRunCheckpoints = studioRoute.get('diff_test_run_checkpoints', {
  path: '/projects/{project_id}/test-runs/{test_run_id}/checkpoints/diff',
  summary: 'What changed between two checkpoints',
  params: TestRunParams,
  query: z.object({ from_sequence: lenientInteger(), to_sequence: lenientInteger() }),
  responses: { 200: CheckpointDiff },
  errors: READ_ERRORS,
  access: 'viewer',
});
