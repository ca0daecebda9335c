import { z } from 'zod';
import { dashboardRoute } from '../route.ts';
import { PLATFORM_BACKED } from './fields.ts';

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
