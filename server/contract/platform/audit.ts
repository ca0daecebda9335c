import { z } from 'zod';
import { platformRoute } from '../route.ts';
import { openObject, timestamp } from './fields.ts';
import { listFacts, listQuery } from './lists.ts';

/** One audit record (contract/platform.md 8). */
export const auditEvent = z
  .object({
    id: z.string(),
    event_type: z.string(),
    run_id: z.string().nullable(),
    continuation_id: z.string().nullable(),
    actor: z.string().nullable(),
    metadata: openObject,
    created_at: timestamp,
  })
  .meta({ id: 'AuditEvent' });

export type AuditEvent = z.output<typeof auditEvent>;

export const listAuditEvents = platformRoute.get('listAuditEvents', {
  path: '/audit-events',
  summary: 'List audit events, newest first',
  query: z.strictObject({
    event_type: z.string().optional(),
    run_id: z.string().optional(),
    /** Additive: from this moment on, and before that one. */
    created_after: z.string().optional(),
    created_before: z.string().optional(),
    ...listQuery('created_at', 'desc'),
  }),
  responses: {
    200: z.object({ events: z.array(auditEvent), ...listFacts }).meta({ id: 'AuditEventList' }),
  },
  errors: ['invalid_timestamp'],
  access: 'audit:read',
});
