import {
  ATTR_GEN_AI_USAGE_CACHE_READ_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_OUTPUT_TOKENS,
  ATTR_GEN_AI_USAGE_REASONING_OUTPUT_TOKENS,
} from '@opentelemetry/semantic-conventions/incubating';
import { isObject } from '../../kernel/json.ts';
import type { SpanAttributes } from './span-record.ts';

const NAMES = [
  ['input_tokens', ATTR_GEN_AI_USAGE_INPUT_TOKENS],
  ['output_tokens', ATTR_GEN_AI_USAGE_OUTPUT_TOKENS],
  ['cached_input_tokens', ATTR_GEN_AI_USAGE_CACHE_READ_INPUT_TOKENS],
  ['reasoning_tokens', ATTR_GEN_AI_USAGE_REASONING_OUTPUT_TOKENS],
] as const;

/** Tokens as the conventions for generative AI name them; only those that were told. */
export function usageAttributes(usage: unknown): SpanAttributes {
  if (!isObject(usage)) return {};
  return Object.fromEntries(
    NAMES.flatMap(([name, attribute]) => {
      const value = usage[name];
      return typeof value === 'number' ? [[attribute, value] as const] : [];
    }),
  );
}

/** Attributes without those that nobody knows. */
export function known(
  attributes: Readonly<Record<string, string | number | boolean | null | undefined>>,
): SpanAttributes {
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) =>
      value === null || value === undefined ? [] : [[name, value] as const],
    ),
  );
}
