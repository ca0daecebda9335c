import type { Usage } from '../../contract/dashboard/runs.ts';
import { isJsonObject, type JsonObject } from '../../kernel/json.ts';
import { integerOrNull, type Source } from '../read.ts';
import type { PriceBook } from '../settings/pricing.ts';

const MICRO = 1_000_000;

/** Rounds to six decimals. */
export function round6(value: number): number {
  return Math.round(value * MICRO) / MICRO;
}

interface UsageFacts {
  readonly metadata?: JsonObject | null | undefined;
  readonly usage?: Source | null | undefined;
}

function usageSource(run: UsageFacts): Source | undefined {
  const nested = run.metadata?.['usage'];
  return isJsonObject(nested) ? nested : (run.usage ?? undefined);
}

/** Unrounded cost of a number of tokens; undefined without a rate or a count. Negative counts are zero. */
export function costOf(totalTokens: number | null, prices: PriceBook): number | undefined {
  if (prices.blended_per_1k === null || totalTokens === null) return undefined;
  return (Math.max(0, totalTokens) / 1000) * prices.blended_per_1k;
}

/** Total tokens that a run reports; null when it reports none. */
export function totalTokens(run: UsageFacts): number | null {
  return integerOrNull(usageSource(run)?.['total_tokens']);
}

/** The usage of a run with its approximate price; null when no count is an integer. */
export function usageView(run: UsageFacts, prices: PriceBook): Usage | null {
  const source = usageSource(run) ?? {};
  const input = integerOrNull(source['input_tokens']);
  const output = integerOrNull(source['output_tokens']);
  const total = integerOrNull(source['total_tokens']);
  if (input === null && output === null && total === null) return null;
  const cost = costOf(total, prices);
  return {
    input_tokens: input,
    output_tokens: output,
    total_tokens: total,
    cost_usd: cost === undefined ? null : round6(cost),
    cost_approximate: cost !== undefined,
    currency: prices.currency,
  };
}
