import { z } from 'zod';
import { openObject } from '../platform/fields.ts';
import { dashboardRoute } from '../route.ts';
import { idempotencyKey, PLATFORM_BACKED, pageOf, pageQuery } from './fields.ts';

/** What a task asks and what happens without an answer; additive to the contract's rows. */
const requestFacts = {
  request_type: z.string().nullable(),
  options: z.array(z.string()),
  default_option: z.string().nullable(),
  on_timeout: z.string().nullable(),
  /** Epoch seconds. */
  expires_at: z.number().nullable(),
};

export const humanTaskRow = z
  .object({
    continuation_id: z.string(),
    run_id: z.string(),
    workflow_name: z.string(),
    workflow_kind: z.string(),
    request_summary: z.string(),
    request_id: z.string().nullable(),
    status: z.string(),
    deadline_age: z.string(),
    near_deadline: z.boolean(),
    created_age: z.string(),
    /** Additive: the first words of the text that waits, which tell tasks of one kind apart. */
    input_preview: z.string().nullable(),
    ...requestFacts,
  })
  .meta({ id: 'HumanTaskRow' });

const humanTaskPage = z.object(pageOf(humanTaskRow)).meta({ id: 'HumanTaskPage' });

export type HumanTaskPage = z.output<typeof humanTaskPage>;

export const humanTaskDetail = z
  .object({
    continuation_id: z.string(),
    run_id: z.string().nullable(),
    workflow_name: z.string(),
    status: z.string(),
    request_summary: z.string(),
    request_id: z.string().nullable(),
    messages: z.array(
      z.object({ role: z.string(), content: z.string(), at: z.string().nullable() }),
    ),
    ...requestFacts,
    /** Additive: the request's own words, its assignee and the text that waits for the decision. */
    title: z.string().nullable(),
    prompt: z.string().nullable(),
    assignee: z.string().nullable(),
    requested_by: z.string().nullable(),
    input_text: z.string().nullable(),
    /** What the spec gives the person to decide by; `input_text` stands in it too. */
    context: openObject,
    /** Role under which the answer joins the conversation. */
    response_role: z.string().nullable(),
    deadline_age: z.string(),
    near_deadline: z.boolean(),
  })
  .meta({ id: 'HumanTaskDetail' });

export type HumanTaskRow = z.output<typeof humanTaskRow>;
export type HumanTaskDetail = z.output<typeof humanTaskDetail>;

const taskPath = z.object({ continuation_id: z.string() });

export const listHumanTasks = dashboardRoute.get('listHumanTasks', {
  path: '/human-tasks',
  summary: 'Open human tasks, nearest deadline first',
  query: z.object({ status: z.string().default(''), ...pageQuery(200, 50) }),
  responses: { 200: humanTaskPage },
  access: 'operator',
  meta: PLATFORM_BACKED,
});

export const getHumanTask = dashboardRoute.get('getHumanTask', {
  path: '/human-tasks/{continuation_id}',
  summary: 'One open human task',
  params: taskPath,
  responses: { 200: humanTaskDetail },
  errors: ['not_found'],
  access: 'operator',
  meta: PLATFORM_BACKED,
});

export const humanResumeInput = z
  .object({
    decision: z.string(),
    content: z.string().nullish(),
    selected_option: z.string().nullish(),
    request_id: z.string().nullish(),
  })
  .meta({ id: 'HumanResumeInput' });

export const resumeHumanTask = dashboardRoute.post('resumeHumanTask', {
  path: '/human-tasks/{continuation_id}/resume',
  summary: 'Answer a human task; the run goes on',
  params: taskPath,
  body: humanResumeInput,
  responses: {
    200: z
      .object({
        continuation_id: z.string(),
        status: z.string(),
        run_id: z.string().nullable(),
        idempotency_key: idempotencyKey,
      })
      .meta({ id: 'HumanTaskResumed' }),
  },
  errors: ['not_found', 'human_task_expired', 'run_state_conflict', 'invalid_idempotency_key'],
  access: 'run.control',
  meta: PLATFORM_BACKED,
});
