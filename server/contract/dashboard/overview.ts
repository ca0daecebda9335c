import { z } from 'zod';
import { lenientInteger } from '../fields.ts';
import { dashboardRoute } from '../route.ts';
import { PLATFORM_BACKED, timestamp } from './fields.ts';

export const TONES = ['ok', 'info', 'warn', 'error', 'neutral'] as const;

export const overview = z
  .object({
    tiles: z.array(
      z.object({
        key: z.string(),
        label: z.string(),
        value: z.int().nullable(),
        tone: z.enum(TONES),
        link: z.string(),
      }),
    ),
    ready: z.boolean().nullable(),
    error_rate: z.number().nullable(),
    grafana_url: z.string().nullable(),
  })
  .meta({ id: 'Overview' });

export type Overview = z.output<typeof overview>;

export const getOverview = dashboardRoute.get('getOverview', {
  path: '/overview',
  summary: 'Run counts, pending tasks, readiness and error rate',
  responses: { 200: overview },
  access: 'operator',
  meta: PLATFORM_BACKED,
});

/** Runs that were created in one hour, by how they stand now. */
const activityHour = z.object({
  from: timestamp,
  created: z.int(),
  failed: z.int(),
  blocked: z.int(),
});

export const activity = z
  .object({
    /** Whole hours, oldest first; the last one goes on. */
    hours: z.array(activityHour),
    counted: z.int(),
    /** Runs of the window as the platform counts them; null where it does not. */
    total: z.int().nullable(),
    /** Only the newest runs were looked at. */
    truncated: z.boolean(),
  })
  .meta({ id: 'Activity' });

export type Activity = z.output<typeof activity>;

/** Additive. */
export const getActivity = dashboardRoute.get('getActivity', {
  path: '/activity',
  summary: 'Runs of the last hours by the hour in which they were created',
  query: z.object({ hours: lenientInteger({ min: 1, max: 168 }).default(24) }),
  responses: { 200: activity },
  access: 'operator',
  meta: PLATFORM_BACKED,
});
