import { z } from 'zod';
import { lenientInteger } from '../fields.ts';
import { LIST_WINDOW } from './limits.ts';

/** The parameters that every list takes (contract/platform.md 1.5). */
export function listQuery<Order extends 'asc' | 'desc'>(sortBy: string, order: Order) {
  return {
    limit: lenientInteger({ min: 1, max: 1000 }).default(100),
    offset: lenientInteger({ min: 0, max: 10_000 }).default(0),
    sort_by: z.string().default(sortBy),
    sort_order: z.enum(['asc', 'desc']).default(order),
  };
}

/**
 * Additive: how far the runs that hold a text are counted. A `total` of so many means that many or
 * more; absent, or where it costs nothing to tell, the true count is told.
 */
export const runCount = {
  count_to: lenientInteger({ min: 1, max: LIST_WINDOW }).optional(),
};

export type RunCountQuery = Readonly<z.output<z.ZodObject<typeof runCount>>>;

/** What every list answers beside its items. */
export const listFacts = {
  count: z.int(),
  total: z.int(),
  window: z.int(),
  limit: z.int(),
  offset: z.int(),
  sort_by: z.string(),
  sort_order: z.enum(['asc', 'desc']),
};

export interface ListRequest {
  readonly limit: number;
  readonly offset: number;
  readonly sort_by: string;
  readonly sort_order: 'asc' | 'desc';
}
