import { z } from 'zod';
import { lenientBoolean } from '../fields.ts';
import { dashboardRoute } from '../route.ts';
import { PLATFORM_BACKED } from './fields.ts';

/** Spend of a part of the runs: of a day, of a workflow, of a model. */
const spendPart = z
  .object({
    /** A day (YYYY-MM-DD, UTC), the name of a workflow, or that of a model. */
    key: z.string(),
    /** What runs of no workflow are called: by their spec, else by their agent. */
    name: z.string().optional(),
    runs: z.int(),
    tokens: z.int(),
    cost_usd: z.number().nullable(),
  })
  .meta({ id: 'SpendPart' });

export type SpendPart = z.output<typeof spendPart>;

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
    /** Additive, when asked for: the same runs by day, every day of the window, oldest first. */
    by_day: z.array(spendPart).optional(),
    /** Additive, when asked for: by workflow and by model, the dearest first; '' where none is told. */
    by_workflow: z.array(spendPart).optional(),
    by_model: z.array(spendPart).optional(),
  })
  .meta({ id: 'SpendView' });

export type SpendView = z.output<typeof spendView>;

export const getSpend = dashboardRoute.get('getSpend', {
  path: '/spend',
  summary: 'Approximate spend of the environment in a window of time',
  query: z.object({
    window: z.string().default('7d'),
    /** Additive: the answer parts the spend by day, workflow and model too. */
    parts: lenientBoolean().default(false),
  }),
  responses: { 200: spendView },
  errors: ['bad_request'],
  access: 'operator',
  meta: PLATFORM_BACKED,
});
