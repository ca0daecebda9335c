import { z } from 'zod';
import { rerunRun as upstreamRerun } from '../platform/client-routes.ts';
import { rerunState as upstreamRerunState } from '../platform/rerun.ts';
import * as upstream from '../platform/run-reads.ts';
import { getRun } from '../platform/runs.ts';
import { runUsage } from '../platform/usage.ts';
import { dashboardRoute } from '../route.ts';
import { idempotencyKey, PLATFORM_BACKED } from './fields.ts';
import { runPath } from './runs.ts';

// Additive: what the platform keeps of a run, as the platform tells it. The views of `runs.ts` show
// less of it; who may ask, and for which environment, is checked here all the same.

const READ = {
  params: runPath,
  errors: ['not_found'],
  access: 'operator',
  meta: PLATFORM_BACKED,
} as const;

export const getRunRecord = dashboardRoute.get('getRunRecord', {
  ...READ,
  path: '/runs/{run_id}/record',
  summary: 'A run as the platform keeps it',
  responses: { 200: getRun.responses[200] },
});

export const getTrace = dashboardRoute.get('getRecordTrace', {
  ...READ,
  path: '/runs/{run_id}/record/trace',
  summary: 'Trace events of a run with all of their fields',
  query: z.object(upstream.getTrace.query.shape),
  responses: { 200: upstream.getTrace.responses[200] },
});

export const getReplay = dashboardRoute.get('getRecordReplay', {
  ...READ,
  path: '/runs/{run_id}/record/replay',
  summary: 'The saved states of a run in order',
  responses: { 200: upstream.getReplay.responses[200] },
});

export const getRecovery = dashboardRoute.get('getRecordRecovery', {
  ...READ,
  path: '/runs/{run_id}/record/recovery',
  summary: 'Where a run stopped and what can be done about it',
  responses: { 200: upstream.getRecovery.responses[200] },
});

export const getRunItems = dashboardRoute.get('getRecordItems', {
  ...READ,
  path: '/runs/{run_id}/record/items',
  summary: 'What each step of an item flow gave, in order',
  query: z.object(upstream.getRunItems.query.shape),
  responses: { 200: upstream.getRunItems.responses[200] },
});

export const listCheckpoints = dashboardRoute.get('getRecordCheckpoints', {
  ...READ,
  path: '/runs/{run_id}/record/checkpoints',
  summary: 'Checkpoints of a run with their states',
  query: z.object(upstream.listCheckpoints.query.shape),
  responses: { 200: upstream.listCheckpoints.responses[200] },
});

export const rerunState = dashboardRoute.get('getRerunState', {
  ...READ,
  path: '/runs/{run_id}/rerun',
  summary: 'What a rerun from a checkpoint can edit',
  query: z.object(upstreamRerunState.query.shape),
  responses: { 200: upstreamRerunState.responses[200] },
});

export const rerunRun = dashboardRoute.post('rerunRun', {
  path: '/runs/{run_id}/rerun',
  summary: 'Start a new run from a checkpoint of this one',
  params: runPath,
  body: upstreamRerun.body,
  responses: {
    200: z
      .object({ run_id: z.string(), status: z.string(), idempotency_key: idempotencyKey })
      .meta({ id: 'RerunResult' }),
  },
  errors: [
    'not_found',
    'run_state_conflict',
    'invalid_idempotency_key',
    'idempotency_key_conflict',
  ],
  access: 'run.control',
  meta: PLATFORM_BACKED,
});

export const getRunUsage = dashboardRoute.get('getRecordUsage', {
  ...READ,
  path: '/runs/{run_id}/usage',
  summary: 'Tokens of a run by step and model',
  responses: {
    200: z
      // `available` is false for a platform that does not count tokens by step.
      .object({ available: z.boolean(), steps: runUsage.shape.steps })
      .meta({ id: 'RunUsageSteps' }),
  },
});
