import { isObject } from '../kernel/json.ts';

/** Tokens as reported by providers (spec-v1 17). */
export interface Usage {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly total_tokens: number;
  /** Those of the input that were read from a cache; absent = none that anybody told of. */
  readonly cached_input_tokens?: number;
  /** Those of the output that are thoughts; absent = none that anybody told of. */
  readonly reasoning_tokens?: number;
}

/** What one answer of a model used. */
export interface TokensUsed {
  /** Null outside of a workflow. */
  readonly step_id: string | null;
  readonly provider: string;
  readonly model: string | null;
  readonly usage: Usage;
}

const PARTS = ['cached_input_tokens', 'reasoning_tokens'] as const;
type Parts = Pick<Usage, (typeof PARTS)[number]>;

/** The parts of a usage that are told apart; those that are nothing are absent. */
export function usageParts(read: (name: (typeof PARTS)[number]) => number): Parts {
  const told = PARTS.map((name) => [name, read(name)] as const).filter(([, value]) => value > 0);
  return Object.fromEntries(told);
}

function count(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

/**
 * Reads a provider's usage object: `prompt_tokens`/`completion_tokens` are aliases; booleans,
 * negatives and NaN are dropped; a missing total is the sum. Undefined when nothing is reported.
 */
export function parseUsage(value: unknown): Usage | undefined {
  if (!isObject(value)) return undefined;
  const input = count(value['input_tokens']) ?? count(value['prompt_tokens']);
  const output = count(value['output_tokens']) ?? count(value['completion_tokens']);
  const total = count(value['total_tokens']);
  if (input === undefined && output === undefined && total === undefined) return undefined;
  const sum = (input ?? 0) + (output ?? 0);
  return {
    input_tokens: input ?? 0,
    output_tokens: output ?? 0,
    total_tokens: total ?? sum,
    ...usageParts((name) => count(value[name]) ?? 0),
  };
}

/** Sum of two usages; undefined stands for "nothing reported". */
export function addUsage(a: Usage | null, b: Usage | undefined): Usage | null {
  if (b === undefined) return a;
  if (a === null) return b;
  return {
    input_tokens: a.input_tokens + b.input_tokens,
    output_tokens: a.output_tokens + b.output_tokens,
    total_tokens: a.total_tokens + b.total_tokens,
    ...usageParts((name) => (a[name] ?? 0) + (b[name] ?? 0)),
  };
}
