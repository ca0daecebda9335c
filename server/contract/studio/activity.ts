import { z } from 'zod';
import { lenientInteger } from '../fields.ts';
import { studioRoute } from '../route.ts';
import { FreeObject, ProjectParams, Timestamp } from './fields.ts';

export const AuditOutcome = z.enum(['allowed', 'denied', 'held']);
export type AuditOutcome = z.infer<typeof AuditOutcome>;

/** One row of the audit log. */
export const ActivityEntry = z
  .strictObject({
    id: z.int(),
    at: Timestamp,
    /** In snake case; what somebody did at the machine itself begins with `host.` (studio.md 17). */
    action: z.string(),
    principal_id: z.string(),
    outcome: AuditOutcome,
    run_id: z.string().nullable(),
    /** Ids, refs and hashes; never text of a draft, a key or a password. */
    detail: FreeObject,
  })
  .meta({ id: 'ActivityEntry' });
export type ActivityEntry = z.infer<typeof ActivityEntry>;

const ActivityPage = z
  .strictObject({
    entries: z.array(ActivityEntry),
    /** Names the older rows; null at the end. */
    next_cursor: z.string().nullable(),
  })
  .meta({ id: 'ActivityPage' });

const ActivityChoices = z
  .strictObject({
    /** Everybody who has acted in the project, and everybody who was acted on, by display name. */
    people: z.array(z.strictObject({ principal_id: z.string(), display_name: z.string() })),
    actions: z.array(z.string()),
  })
  .meta({ id: 'ActivityChoices' });
export type ActivityChoices = z.infer<typeof ActivityChoices>;

const AnyTime = z.iso.datetime({ offset: true });

export const listActivity = studioRoute.get('list_activity', {
  path: '/projects/{project_id}/activity',
  summary: 'Audit log of the project, newest first',
  params: ProjectParams,
  query: z.object({
    actor: z.string().max(128).optional(),
    action: z.string().max(128).optional(),
    outcome: AuditOutcome.optional(),
    /** From this time on. */
    since: AnyTime.optional(),
    /** Before this time. */
    until: AnyTime.optional(),
    cursor: z
      .string()
      .regex(/^\d{1,15}$/)
      .optional(),
    limit: lenientInteger({ min: 1, max: 500 }).default(100),
  }),
  responses: { 200: ActivityPage },
  access: 'owner',
  meta: { audit: 'list_activity' },
});

export const getActivityChoices = studioRoute.get('get_activity_choices', {
  path: '/projects/{project_id}/activity/choices',
  summary: 'People and actions that the audit log of the project names',
  params: ProjectParams,
  responses: { 200: ActivityChoices },
  access: 'owner',
});
