import type { Json } from '../kernel/json.ts';
import type { ModelAnswer } from './event.ts';
import type { FrameValue, StepResult, ToolGiven } from './state.ts';

function unexpected(value: FrameValue): TypeError {
  return new TypeError(`a part of the run gave a ${value.kind} to one that cannot use it`);
}

/** What a step, an agent or a workflow gave. */
export function resultIn(value: FrameValue): StepResult {
  if (value.kind === 'result') return value.result;
  throw unexpected(value);
}

/** What a tool call or the guardrails of a stage gave. */
export function textIn(value: FrameValue): string {
  if (value.kind === 'text') return value.text;
  throw unexpected(value);
}

/** What a function gave. */
export function jsonIn(value: FrameValue): Json {
  if (value.kind === 'value') return value.value;
  throw unexpected(value);
}

/** What a model call gave. */
export function answerIn(value: FrameValue): ModelAnswer {
  if (value.kind === 'model') return value.answer;
  throw unexpected(value);
}

/** What a batch of tool calls gave, in call order. */
export function toolsIn(value: FrameValue): readonly ToolGiven[] {
  if (value.kind === 'tools') return value.given;
  throw unexpected(value);
}
