import type { Usage } from '../../contract/dashboard/runs.ts';
import { isJsonObject, isObject, type JsonObject } from '../../kernel/json.ts';
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

/** Values that a walk over a frozen spec looks at, so that none takes long. */
const MAX_LOOKED_AT = 5_000;

function modelName(value: unknown): string | undefined {
  const name = isObject(value) && isObject(value['model']) ? value['model']['name'] : undefined;
  return typeof name === 'string' ? name : undefined;
}

/**
 * The model of a run, by the spec that it froze: '' where the platform does not show one there, or
 * several, since the tokens of a run are not told by model.
 */
export function modelOf(run: UsageFacts): string {
  const names = new Set<string>();
  const queue: unknown[] = [run.metadata?.['frozen_spec']];
  for (let looked = 0; queue.length > 0 && looked < MAX_LOOKED_AT; looked += 1) {
    const value = queue.pop();
    if (typeof value !== 'object' || value === null) continue;
    const name = modelName(value);
    if (name !== undefined) names.add(name);
    queue.push(...Object.values(value).slice(0, MAX_LOOKED_AT));
  }
  const [only] = names;
  return names.size === 1 && only !== undefined ? only : '';
}

/** Unrounded cost of tokens by the blended price; undefined without a rate or a count. */
function blendedCost(total: number | null, prices: PriceBook): number | undefined {
  if (prices.blended_per_1k === null || total === null) return undefined;
  return (Math.max(0, total) / 1000) * prices.blended_per_1k;
}

/**
 * Unrounded cost of a run: by the price of its model where there is one, else by the blended one;
 * undefined without a price or a count. Negative counts are zero.
 */
export function costOf(run: UsageFacts, prices: PriceBook): number | undefined {
  const price =
    prices.models.length === 0
      ? undefined
      : prices.models.find(({ model }) => model === modelOf(run));
  const source = usageSource(run) ?? {};
  const input = integerOrNull(source['input_tokens']);
  const output = integerOrNull(source['output_tokens']);
  if (price === undefined || (input === null && output === null)) {
    return blendedCost(totalTokens(run), prices);
  }
  const tokens = (count: number | null): number => Math.max(0, count ?? 0) / 1000;
  return tokens(input) * price.input_per_1k + tokens(output) * price.output_per_1k;
}

/** True when anything has a price. */
export function isPriced(prices: PriceBook): boolean {
  return prices.blended_per_1k !== null || prices.models.length > 0;
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
  const cost = costOf(run, prices);
  return {
    input_tokens: input,
    output_tokens: output,
    total_tokens: total,
    cost_usd: cost === undefined ? null : round6(cost),
    cost_approximate: cost !== undefined,
    currency: prices.currency,
  };
}
