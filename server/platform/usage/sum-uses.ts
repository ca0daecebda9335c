import type { UsageCounts } from '../../contract/platform/usage.ts';
import type { TokensUsed } from '../../engine/usage.ts';

/** What the answers of one step and model used; an empty text stands where there is no name. */
export interface SummedUse extends UsageCounts {
  readonly step: string;
  readonly provider: string;
  readonly model: string;
}

const NOTHING: UsageCounts = {
  calls: 0,
  input_tokens: 0,
  cached_input_tokens: 0,
  output_tokens: 0,
  reasoning_tokens: 0,
  total_tokens: 0,
};

/** Sum of counts. */
export function addCounts(a: UsageCounts, b: UsageCounts): UsageCounts {
  return {
    calls: a.calls + b.calls,
    input_tokens: a.input_tokens + b.input_tokens,
    cached_input_tokens: a.cached_input_tokens + b.cached_input_tokens,
    output_tokens: a.output_tokens + b.output_tokens,
    reasoning_tokens: a.reasoning_tokens + b.reasoning_tokens,
    total_tokens: a.total_tokens + b.total_tokens,
  };
}

/** Sum of many counts. */
export function sumCounts(all: readonly UsageCounts[]): UsageCounts {
  return all.reduce(addCounts, NOTHING);
}

/** A provider may tell parts of tokens; the store counts whole ones. */
function countsOf({ usage }: TokensUsed): UsageCounts {
  return {
    calls: 1,
    input_tokens: Math.round(usage.input_tokens),
    cached_input_tokens: Math.round(usage.cached_input_tokens ?? 0),
    output_tokens: Math.round(usage.output_tokens),
    reasoning_tokens: Math.round(usage.reasoning_tokens ?? 0),
    total_tokens: Math.round(usage.total_tokens),
  };
}

/** Answers of the same step and model become one. */
export function sumUses(used: readonly TokensUsed[]): SummedUse[] {
  const sums = new Map<string, SummedUse>();
  for (const use of used) {
    const named = { step: use.step_id ?? '', provider: use.provider, model: use.model ?? '' };
    const key = JSON.stringify(named);
    sums.set(key, { ...addCounts(sums.get(key) ?? NOTHING, countsOf(use)), ...named });
  }
  return [...sums.values()];
}
