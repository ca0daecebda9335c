import type { Json } from '../kernel/json.ts';
import type { PendingEffect } from './effect.ts';
import type { EffectResult } from './event.ts';
import type { RunError } from './failure.ts';
import type { ToolCall } from './message.ts';

/** What one run may use up in all, however its spec counts rounds, steps and repeats. */
export interface RunLimits {
  /**
   * Steps, calls, and what is recorded of them: a step of an agent takes about a dozen. What costs
   * more counts more: long histories and long looks of guardrails.
   */
  readonly parts: number;
  /** Characters that models, functions and tools answered. */
  readonly text_chars: number;
}

export const DEFAULT_RUN_LIMITS: RunLimits = { parts: 1_000_000, text_chars: 33_554_432 };

/** A call that takes up so many messages of earlier ones counts one part more. */
export const MESSAGES_A_PART = 100;
/** Guardrails that look at texts with so many steps count one part more. */
export const LOOK_STEPS_A_PART = 2_000;

function exceeded(message: string): RunError {
  return { type: 'RunLimitExceeded', message };
}

/** Why a run ends that set too many parts in motion. */
export function tooManyParts(limit: number): RunError {
  return exceeded(
    `The run took more than ${limit} parts (steps, calls and their records). Look for rounds or a circle without an end, or raise SERV_RUN_MAX_PARTS.`,
  );
}

/** Why a run ends whose answers are too long in sum. */
export function tooMuchText(limit: number): RunError {
  return exceeded(
    `Models, functions and tools answered with more than ${limit} characters in this run. Look for texts that grow from step to step, or raise SERV_RUN_MAX_TEXT_CHARS.`,
  );
}

/** Characters that the tools and settings offered to all models asked at once may have. */
export const MAX_OFFERED_CHARS = 16_777_216;

const KNOWN_SIZES = new WeakMap<object, number>();

function knownSize(value: object): number {
  const known = KNOWN_SIZES.get(value);
  if (known !== undefined) return known;
  const size = JSON.stringify(value).length;
  KNOWN_SIZES.set(value, size);
  return size;
}

/** Characters that a call repeats although they belong to its spec: they are stored with each call. */
export function offeredSize(effect: PendingEffect): number {
  if (effect.kind !== 'call_model') return 0;
  return effect.tools.reduce((sum, offer) => sum + knownSize(offer), knownSize(effect.extra));
}

/** Why a run ends of which one event sets too much in motion. */
export const TOO_MUCH_AT_ONCE = exceeded(
  'The run set too much in motion at once. Look for participants that are workflows with many participants, or that share many long tools.',
);

function sizeOf(value: Json): number {
  return typeof value === 'string' ? value.length : JSON.stringify(value).length;
}

function callSize({ name, arguments: args }: ToolCall): number {
  return name.length + sizeOf(args);
}

/** Characters of an answer. */
export function answerSize(result: EffectResult): number {
  if (result.kind === 'value') return sizeOf(result.value);
  const { text, tool_calls } = result.answer;
  return tool_calls.reduce((sum, call) => sum + callSize(call), text.length);
}
