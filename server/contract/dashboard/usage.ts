import { z } from 'zod';
import { budget, budgetBody, priceList } from '../platform/budgets.ts';
import { usageCounts } from '../platform/usage.ts';
import { dashboardRoute } from '../route.ts';
import { PLATFORM_BACKED } from './fields.ts';

// Additive: what the platform counted as it was used, and its budgets (docs/usage.md).

/** What the page tells usage by. */
export const USAGE_PARTS = ['model', 'key', 'workflow', 'step', 'day'] as const;
export type UsagePart = (typeof USAGE_PARTS)[number];

/** Absent in a platform that does not count: then there is nothing in `rows` either. */
const available = z.boolean();

const usagePart = usageCounts.extend({ name: z.string() }).meta({ id: 'UsagePart' });

export const getUsageParts = dashboardRoute.get('getUsageParts', {
  path: '/usage',
  summary: 'Tokens that the platform counted, by one part; the largest first, days in their order',
  query: z.object({
    window: z.enum(['24h', '7d', '30d']).default('7d'),
    by: z.enum(USAGE_PARTS).default('model'),
  }),
  responses: {
    200: z
      .object({ available, rows: z.array(usagePart), truncated: z.boolean() })
      .meta({ id: 'UsageParts' }),
  },
  access: 'operator',
  meta: PLATFORM_BACKED,
});

const budgetPath = z.object({ budget_id: z.string() });

export const getBudgets = dashboardRoute.get('getBudgets', {
  path: '/budgets',
  summary: 'Budgets of the platform with what the month has used',
  responses: {
    200: z
      .object({
        available,
        month: z.string(),
        /** What budgets of money count by. */
        prices: priceList,
        budgets: z.array(budget),
      })
      .meta({ id: 'BudgetList' }),
  },
  access: 'operator',
  meta: PLATFORM_BACKED,
});

export const putBudget = dashboardRoute.put('putBudget', {
  path: '/budgets/{budget_id}',
  summary: 'Add or replace a budget of the platform',
  params: budgetPath,
  body: budgetBody,
  responses: { 200: budget },
  access: 'policy.write',
  meta: PLATFORM_BACKED,
});

export const deleteBudget = dashboardRoute.delete('deleteBudget', {
  path: '/budgets/{budget_id}',
  summary: 'Remove a budget of the platform',
  params: budgetPath,
  responses: { 200: z.object({ id: z.string() }) },
  errors: ['not_found'],
  access: 'policy.write',
  meta: PLATFORM_BACKED,
});

export const putBudgetPrices = dashboardRoute.put('putBudgetPrices', {
  path: '/budget-prices',
  summary: 'Replace the prices of models that budgets of money count by',
  body: priceList,
  responses: { 200: priceList },
  access: 'policy.write',
  meta: PLATFORM_BACKED,
});
