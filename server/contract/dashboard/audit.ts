import { z } from 'zod';
import { lenientInteger } from '../fields.ts';
import { openObject } from '../platform/fields.ts';
import { dashboardRoute } from '../route.ts';
import { PLATFORM_BACKED, pageOf, pageQuery, timestamp } from './fields.ts';

export const auditEvent = z
  .object({
    id: z.string(),
    event_type: z.string(),
    run_id: z.string().nullable(),
    continuation_id: z.string().nullable(),
    actor: z.string().nullable(),
    created_at: z.string(),
    metadata: openObject,
  })
  .meta({ id: 'DashboardAuditEvent' });

export const listAudit = dashboardRoute.get('listAudit', {
  path: '/audit',
  summary: 'Audit events of the platform, newest first',
  query: z.object({
    event_type: z.string().default(''),
    run_id: z.string().default(''),
    ...pageQuery(200, 50),
  }),
  responses: { 200: z.object(pageOf(auditEvent)).meta({ id: 'AuditPage' }) },
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
  })
  .meta({ id: 'AuditLogEntry' });

export const listAuditLog = dashboardRoute.get('listAuditLog', {
  path: '/audit-log',
  summary: 'What operators did through this dashboard, newest first',
  query: z.object({ limit: lenientInteger({ min: 1, max: 500 }).default(100) }),
  responses: { 200: z.object({ entries: z.array(auditLogEntry) }) },
  access: 'audit.read',
});
