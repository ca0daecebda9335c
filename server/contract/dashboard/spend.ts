import { z } from 'zod';
import { dashboardRoute } from '../route.ts';
import { PLATFORM_BACKED } from './fields.ts';

export const spendView = z
  .object({
    window: z.string(),
    total_cost_usd: z.number().nullable(),
    currency: z.string(),
    counted: z.int(),
    scanned: z.int(),
    total: z.int().nullable(),
    truncated: z.boolean(),
    priced: z.boolean(),
    approximate: z.boolean(),
  })
  .meta({ id: 'SpendView' });

export type SpendView = z.output<typeof spendView>;

export const getSpend = dashboardRoute.get('getSpend', {
  path: '/spend',
  summary: 'Approximate spend of the environment in a window of time',
  query: z.object({ window: z.string().default('7d') }),
  responses: { 200: spendView },
  errors: ['bad_request'],
  access: 'operator',
  meta: PLATFORM_BACKED,
});
