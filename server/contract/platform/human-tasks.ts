import { z } from 'zod';
import { platformRoute } from '../route.ts';
import { epochSeconds, jsonObject, openObject, textUpTo, timestamp } from './fields.ts';
import { humanRequest } from './human-request.ts';
import type { RequestLimits } from './limits.ts';
import { listFacts, listQuery } from './lists.ts';

const taskStatus = z.enum(['pending', 'escalated']);
const HUMAN_DECISIONS = ['approved', 'rejected', 'edited', 'selected', 'provided'] as const;

/** Item of GET /human-tasks: the continuation of a paused run (contract/platform.md 3.8). */
export const taskItem = z
  .object({
    id: z.string(),
    continuation_id: z.string(),
    request_id: z.string(),
    status: taskStatus,
    run_id: z.string(),
    workflow_name: z.string().nullable(),
    workflow_kind: z.string().nullable(),
    current_step_index: z.int().nullable(),
    current_node_id: z.string().nullable(),
    current_input: z.string().nullable(),
    visited_steps: z.array(z.string()),
    visited_nodes: z.array(z.string()),
    messages: z.array(openObject),
    variables: openObject,
    pending_human_request_id: z.string(),
    pending_human_request: humanRequest,
    expires_at: epochSeconds.nullable(),
    trace_events: z.array(openObject),
    metadata: openObject,
    created_at: timestamp,
  })
  .meta({ id: 'HumanTaskItem' });

export const task = z
  .object({
    continuation_id: z.string(),
    request: humanRequest,
    messages: z.array(openObject).nullable(),
    run_id: z.string(),
    status: taskStatus,
    expires_at: epochSeconds.nullable(),
    workflow_name: z.string().nullable(),
  })
  .meta({ id: 'HumanTask' });

export const humanResumeResult = z
  .object({
    run_id: z.string(),
    status: z.string(),
    output_text: z.string().nullable(),
    metadata: openObject,
  })
  .meta({ id: 'HumanResumeResult' });

export type TaskItem = z.output<typeof taskItem>;
export type Task = z.output<typeof task>;
export type HumanResumeResult = z.output<typeof humanResumeResult>;

const continuationId = z.strictObject({ continuation_id: z.string() });

/** Body of POST /human-tasks/{continuation_id}/resume under the configured limits. */
export function humanResumeBody(limits: RequestLimits) {
  return z.strictObject({
    request_id: textUpTo(limits.max_path_chars),
    decision: z.enum(HUMAN_DECISIONS),
    content: textUpTo(limits.max_human_content_chars).nullable().default(null),
    selected_option: textUpTo(limits.max_path_chars).nullable().default(null),
    metadata: jsonObject(limits.max_metadata_bytes).default({}),
  });
}

export type HumanResume = z.output<ReturnType<typeof humanResumeBody>>;

export const listHumanTasks = platformRoute.get('listHumanTasks', {
  path: '/human-tasks',
  summary: 'List open human tasks',
  query: z.strictObject({
    run_id: z.string().optional(),
    workflow_kind: z.string().optional(),
    status: taskStatus.optional(),
    ...listQuery('id', 'asc'),
  }),
  responses: {
    200: z.object({ tasks: z.array(taskItem), ...listFacts }).meta({ id: 'HumanTaskList' }),
  },
  access: 'human:read',
});

export const getHumanTask = platformRoute.get('getHumanTask', {
  path: '/human-tasks/{continuation_id}',
  summary: 'One open human task with the thread of its run',
  params: continuationId,
  responses: { 200: task },
  errors: ['not_found'],
  access: 'human:read',
});

/** POST /human-tasks/{continuation_id}/resume under the configured limits. */
export function resumeHumanTaskRoute(limits: RequestLimits) {
  return platformRoute.post('resumeHumanTask', {
    path: '/human-tasks/{continuation_id}/resume',
    summary: 'Answer a human task; the rest of the run executes before the answer',
    params: continuationId,
    body: humanResumeBody(limits),
    responses: { 200: humanResumeResult },
    errors: [
      'not_found',
      'human_task_expired',
      'run_state_conflict',
      'resource_locked',
      'idempotency_key_in_progress',
      'idempotency_key_conflict',
      'invalid_request',
      'spec_invalid',
      'token_budget_exceeded',
      'run_limit_exceeded',
      'budget_exceeded',
      'run_stopped',
      'code_not_trusted',
      'code_unusable',
      'guardrail_violation',
    ],
    access: 'human:write',
    meta: { idempotency: 'human:resume' },
  });
}
