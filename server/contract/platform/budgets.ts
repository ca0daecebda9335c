import { z } from 'zod';
import { lenientBoolean } from '../fields.ts';
import { platformRoute } from '../route.ts';
import { fewMembers, positiveNumber, timestamp } from './fields.ts';

// Additive: how much the runs of a month may use, and what happens beyond it (docs/usage.md).

const MAX_NAME_CHARS = 200;
export const MAX_BUDGETS = 100;
const MAX_PRICES = 200;

const name = z.string().min(1).max(MAX_NAME_CHARS);
const scope = z.string().min(1).max(MAX_NAME_CHARS).nullable().default(null);

export const budgetBody = z.strictObject({
  name,
  /** Only runs that the key of this name asked for; null = of all keys. */
  key: scope,
  /** Only runs of the workflow of this name; null = of all, and of agents alone. */
  workflow: scope,
  unit: z.enum(['tokens', 'cost']),
  /** Tokens, or money in the currency of the prices, that a month may use. */
  amount: positiveNumber(),
  /** `stop` refuses runs and ends those that execute, `ask` lets new runs wait for a person. */
  action: z.enum(['stop', 'ask']),
  enabled: lenientBoolean().default(true),
});
export type BudgetBody = z.output<typeof budgetBody>;

export const budget = z
  .object({
    id: z.string(),
    name: z.string(),
    key: z.string().nullable(),
    workflow: z.string().nullable(),
    unit: z.enum(['tokens', 'cost']),
    amount: z.number(),
    action: z.enum(['stop', 'ask']),
    enabled: z.boolean(),
    /** What the month has used so far, in the budget's unit. */
    used: z.number(),
    /** Tokens of models without a price, which a budget of money cannot count. */
    unpriced_tokens: z.int(),
    updated_at: timestamp,
  })
  .meta({ id: 'Budget' });
export type Budget = z.output<typeof budget>;

const budgetPath = z.strictObject({
  budget_id: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/),
});

export const listBudgets = platformRoute.get('listBudgets', {
  path: '/budgets',
  summary: 'Budgets with what the month has used of them',
  responses: {
    200: z.object({
      budgets: z.array(budget),
      count: z.int(),
      /** The month that is counted, YYYY-MM in UTC. */
      month: z.string(),
    }),
  },
  access: 'policies:read',
});

export const putBudget = platformRoute.put('putBudget', {
  path: '/budgets/{budget_id}',
  summary: 'Add a budget under a name of your choice, or replace it',
  params: budgetPath,
  body: budgetBody,
  responses: { 200: budget },
  errors: ['invalid_request'],
  access: 'policies:write',
});

export const deleteBudget = platformRoute.delete('deleteBudget', {
  path: '/budgets/{budget_id}',
  summary: 'Remove a budget',
  params: budgetPath,
  responses: { 200: z.object({ id: z.string() }) },
  errors: ['not_found'],
  access: 'policies:write',
});

const rate = z.number().min(0);

const modelPrice = z.strictObject({
  model: name,
  /** Money for a million tokens. */
  input: rate,
  /** Of those read from a cache; null = as the others of the input. */
  cached_input: rate.nullable().default(null),
  output: rate,
});

export const priceList = z
  .strictObject({
    currency: z.string().min(1).max(8).default('USD'),
    prices: fewMembers(MAX_PRICES, z.array(modelPrice)).default([]),
  })
  .meta({ id: 'PriceList' });
export type PriceList = z.output<typeof priceList>;

export const getPrices = platformRoute.get('getPrices', {
  path: '/usage/prices',
  summary: 'Prices of models, which budgets of money count by',
  responses: { 200: priceList },
  access: 'policies:read',
});

export const putPrices = platformRoute.put('putPrices', {
  path: '/usage/prices',
  summary: 'Replace the prices of models',
  body: priceList,
  responses: { 200: priceList },
  access: 'policies:write',
});
