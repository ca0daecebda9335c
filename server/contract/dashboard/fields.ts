import { z } from 'zod';
import { lenientInteger } from '../fields.ts';

/** `limit` and `offset` of a list: the maximum and default page size differ by list. */
export function pageQuery(maximum: number, standard: number) {
  return {
    limit: lenientInteger({ min: 1, max: maximum }).default(standard),
    offset: lenientInteger({ min: 0 }).default(0),
  };
}

/** The paged envelope: rows and what is known of the list they come from. */
export function pageOf<Row extends z.ZodType>(row: Row) {
  return {
    rows: z.array(row),
    count: z.int(),
    total: z.int(),
    limit: z.int(),
    offset: z.int(),
    window: z.int(),
  };
}

/** Text between two lengths, counted in code points. */
export function textBetween(min: number, max: number): z.ZodType<string, string> {
  return z
    .string()
    .refine((text) => text.length >= min, {
      error: `String should have at least ${min} character${min === 1 ? '' : 's'}`,
      params: { type: 'string_too_short' },
    })
    .refine((text) => text.length <= max || [...text].length <= max, {
      error: `String should have at most ${max} characters`,
      params: { type: 'string_too_long' },
    });
}

/** The version a new row is created with: 0 creates, the current one updates. */
export const writeVersion = lenientInteger({ min: 0 });
/** The version of a row that must exist. */
export const rowVersion = lenientInteger({ min: 1 });

/** Query of a versioned delete. */
export const deleteQuery = z.object({ version: rowVersion });

/** ISO-8601 UTC with offset, fixed width. */
export const timestamp = z.string();

/** Header-like facts of a keyed mutation: the key it went out with. */
export const idempotencyKey = z.string();

/** Marks an operation that calls the platform: its environment is resolved and checked first. */
export const PLATFORM_BACKED = { platform: true } as const;
