import { z } from 'zod';
import { lenientInteger } from '../fields.ts';
import { openObject } from '../platform/fields.ts';
import { dashboardRoute } from '../route.ts';
import { PLATFORM_BACKED, pageOf, pageQuery, timestamp } from './fields.ts';
import { launchDetails } from './launch.ts';

export const auditEvent = z
  .object({
    id: z.string(),
    event_type: z.string(),
    run_id: z.string().nullable(),
    continuation_id: z.string().nullable(),
    actor: z.string().nullable(),
    /** Additive: who did it through this dashboard, which the platform knows by its key only. */
    operator: z.string().nullable(),
    created_at: z.string(),
    metadata: openObject,
  })
  .meta({ id: 'DashboardAuditEvent' });

/** Additive: from this moment on, and before that one. */
const between = {
  created_after: z.string().default(''),
  created_before: z.string().default(''),
};

export const listAudit = dashboardRoute.get('listAudit', {
  path: '/audit',
  summary: 'Audit events of the platform, newest first',
  query: z.object({
    event_type: z.string().default(''),
    run_id: z.string().default(''),
    ...between,
    ...pageQuery(200, 50),
  }),
  responses: { 200: z.object(pageOf(auditEvent)).meta({ id: 'AuditPage' }) },
  errors: ['bad_request'],
  access: 'audit.read',
  meta: PLATFORM_BACKED,
});

export const auditLogEntry = z
  .object({
    id: z.string(),
    operator: z.string(),
    action: z.string(),
    environment: z.string().nullable(),
    target: z.string().nullable(),
    outcome: z.enum(['ok', 'error', 'denied']),
    created_at: timestamp,
    /** Additive: of a launch; absent where there is nothing to tell. */
    details: launchDetails.optional(),
  })
  .meta({ id: 'AuditLogEntry' });

export const listAuditLog = dashboardRoute.get('listAuditLog', {
  path: '/audit-log',
  summary: 'What operators did through this dashboard, newest first',
  query: z.object({
    limit: lenientInteger({ min: 1, max: 500 }).default(100),
    /** Additive, and the others too; empty means no filter. */
    offset: lenientInteger({ min: 0, max: 1_000_000 }).default(0),
    operator: z.string().default(''),
    outcome: z.enum(['', 'ok', 'error', 'denied']).default(''),
    environment: z.string().default(''),
    /** A run, with what stands in its place for other actions. */
    target: z.string().default(''),
    ...between,
  }),
  errors: ['bad_request'],
  responses: { 200: z.object({ entries: z.array(auditLogEntry) }) },
  access: 'audit.read',
});
