import { z } from 'zod';
import { lenientInteger } from '../fields.ts';
import { platformRoute } from '../route.ts';
import { runId } from './runs.ts';

// Additive: what models used, counted as it is used (docs/usage.md).

/** What usage can be told by; `key` is the name of the caller's key. */
export const USAGE_GROUPS = ['day', 'key', 'workflow', 'step', 'provider', 'model'] as const;
export type UsageGroup = (typeof USAGE_GROUPS)[number];

/** Days that one request may span. */
export const MAX_USAGE_DAYS = 400;

/** A day in UTC, as YYYY-MM-DD. */
const usageDay = z.iso.date();

const counts = {
  /** Answers of models; 0 for what was used before they were counted. */
  calls: z.int(),
  input_tokens: z.int(),
  /** Those of the input that were read from a cache. */
  cached_input_tokens: z.int(),
  output_tokens: z.int(),
  /** Those of the output that are thoughts. */
  reasoning_tokens: z.int(),
  total_tokens: z.int(),
};

export const usageCounts = z.object(counts).meta({ id: 'UsageCounts' });
export type UsageCounts = z.output<typeof usageCounts>;

/** Usage of a part; it has the members that were asked for, an empty text where there is no name. */
export const usageRow = z
  .object({
    day: z.string().optional(),
    key: z.string().optional(),
    workflow: z.string().optional(),
    step: z.string().optional(),
    provider: z.string().optional(),
    model: z.string().optional(),
    ...counts,
  })
  .meta({ id: 'UsageRow' });
export type UsageRow = z.output<typeof usageRow>;

export const usageReport = z
  .object({
    from: usageDay,
    to: usageDay,
    rows: z.array(usageRow),
    /** Of the whole span, whatever `limit` says. */
    total: usageCounts,
    /** There are more rows than `limit`. */
    truncated: z.boolean(),
  })
  .meta({ id: 'UsageReport' });
export type UsageReport = z.output<typeof usageReport>;

const usageQuery = z.strictObject({
  /** The first day; absent = 30 days that end with `to`. */
  from: usageDay.optional(),
  /** The last day; absent = today. */
  to: usageDay.optional(),
  group_by: z.array(z.enum(USAGE_GROUPS)).default(['day']),
  key: z.string().optional(),
  workflow: z.string().optional(),
  model: z.string().optional(),
  limit: lenientInteger({ min: 1, max: 1000 }).default(500),
});
export type UsageQuery = z.output<typeof usageQuery>;

export const getUsage = platformRoute.get('getUsage', {
  path: '/usage',
  summary: 'Tokens by day, key, workflow, step and model; days first, then the largest',
  query: usageQuery,
  responses: { 200: usageReport },
  errors: ['invalid_request'],
  access: 'runs:read',
});

export const runUsage = z
  .object({
    run_id: z.string(),
    /** The largest first; a step without a name is the agent of a run without a workflow. */
    steps: z.array(
      z.object({ step: z.string(), provider: z.string(), model: z.string(), ...counts }),
    ),
    total: usageCounts,
  })
  .meta({ id: 'RunUsage' });

export const getRunUsage = platformRoute.get('getRunUsage', {
  path: '/runs/{run_id}/usage',
  summary: 'Tokens of a run by step and model, with those from a cache and those of thoughts',
  params: runId,
  responses: { 200: runUsage },
  errors: ['not_found'],
  access: 'runs:read',
});
