import type {
  CallFunction,
  CallMcpTool,
  CallModel,
  CallTool,
  PendingEffect,
} from '../engine/effect.ts';
import type { EffectError, EffectResult, RunEvent } from '../engine/event.ts';
import { offlineAnswer } from '../engine/offline-model.ts';
import type { RunState } from '../engine/state.ts';
import type { Clock } from '../kernel/clock.ts';
import { isObject, type Json } from '../kernel/json.ts';
import { performCheck } from './check-text.ts';
import { isBuiltIn } from './handler-registry.ts';

/** Project or embedding code by its full name. */
export type CallHandler = (
  implementation: string,
  args: readonly unknown[],
  signal: AbortSignal,
) => Promise<unknown>;

/** What effects are performed with. */
export interface EffectDeps {
  readonly clock: Clock;
  readonly callHandler: CallHandler;
  /** Calls a step of an item flow, with what the run's state holds of it. */
  readonly callStep: (effect: CallFunction, state: RunState, signal: AbortSignal) => Promise<Json>;
  /** Calls a tool that a built-in step carries out. */
  readonly callBuiltInTool: (effect: CallTool, signal: AbortSignal) => Promise<Json>;
  /** Answers calls of every provider but the offline one. */
  readonly callModel: (effect: CallModel, signal: AbortSignal) => Promise<EffectResult>;
  /** Calls a tool of an MCP server; the answer is its text. */
  readonly callMcpTool: (effect: CallMcpTool, signal: AbortSignal) => Promise<string>;
}

/** Performs the engine's effects; the answers are events. */
export interface EffectRunner {
  /** The answer of an effect that needs nothing outside this process's memory. */
  answerNow(effect: PendingEffect): RunEvent | undefined;
  /** `state`: that in which the effect is asked for. Never rejects: a failure is an event too. An aborted effect may answer late; nobody listens then. */
  perform(effect: PendingEffect, signal: AbortSignal, state: RunState): Promise<RunEvent>;
}

/** A failure of an effect with what the engine decides by. */
export class EffectFailure extends Error {
  override readonly name = 'EffectFailure';
  readonly facts: Omit<EffectError, 'message'>;

  constructor(message: string, facts: Omit<EffectError, 'message'> = {}) {
    super(message);
    this.facts = facts;
  }
}

function toJson(value: unknown): Json {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  const text: string | undefined = JSON.stringify(value);
  return text === undefined ? String(value) : JSON.parse(text);
}

function errorOf(error: unknown): EffectError {
  if (error instanceof EffectFailure) return { message: error.message, ...error.facts };
  if (error instanceof Error) return { message: error.message, type: error.name };
  if (isObject(error) && typeof error['message'] === 'string') return { message: error['message'] };
  return { message: String(error) };
}

/** Timers stand still while the machine sleeps, so the clock is looked at again and again. */
const LOOK_MS = 1000;

/** Until the clock says so or the time that was left has passed, whatever happened to the clock. */
function waitUntil(dueAt: number, clock: Clock, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = performance.now() + Math.max(0, dueAt - clock.now());
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = (): void => {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    resolve();
  };
  const look = (): void => {
    const left = Math.min(end - performance.now(), dueAt - clock.now());
    if (left <= 0) stop();
    else timer = setTimeout(look, Math.min(left, LOOK_MS));
  };
  signal.addEventListener('abort', stop, { once: true });
  look();
  return promise;
}

/** Performs what the engine wants, each effect by what it is. A failure is an EffectFailure. */
export function createEffectRunner(deps: EffectDeps): EffectRunner {
  const callCode = async (
    effect: CallFunction | CallTool,
    args: readonly unknown[],
    signal: AbortSignal,
  ): Promise<EffectResult> => {
    const value = await deps.callHandler(effect.implementation, args, signal);
    return { kind: 'value', value: toJson(value) };
  };
  const resultOf = async (
    effect: PendingEffect,
    signal: AbortSignal,
    state: RunState,
  ): Promise<EffectResult> => {
    switch (effect.kind) {
      case 'call_model':
        return deps.callModel(effect, signal);
      case 'call_function':
        if (effect.flow !== undefined)
          return { kind: 'value', value: await deps.callStep(effect, state, signal) };
        return callCode(effect, effect.args, signal);
      case 'call_tool':
        if (isBuiltIn(effect.implementation))
          return { kind: 'value', value: await deps.callBuiltInTool(effect, signal) };
        return callCode(effect, [effect.arguments], signal);
      case 'call_mcp_tool':
        return { kind: 'value', value: await deps.callMcpTool(effect, signal) };
      case 'check_text':
        return { kind: 'value', value: toJson(await performCheck(effect, signal)) };
      case 'start_timer':
        throw new TypeError('a timer has no result');
    }
  };
  return {
    answerNow(effect) {
      if (effect.kind !== 'call_model' || effect.binding.provider !== 'offline') return undefined;
      return {
        type: 'effect_succeeded',
        at: deps.clock.now(),
        effect_id: effect.id,
        result: { kind: 'model', answer: offlineAnswer(effect) },
      };
    },
    async perform(effect, signal, state) {
      if (effect.kind === 'start_timer') {
        await waitUntil(effect.due_at, deps.clock, signal);
        return { type: 'timer_fired', at: deps.clock.now(), effect_id: effect.id };
      }
      try {
        const result = await resultOf(effect, signal, state);
        return { type: 'effect_succeeded', at: deps.clock.now(), effect_id: effect.id, result };
      } catch (error) {
        return {
          type: 'effect_failed',
          at: deps.clock.now(),
          effect_id: effect.id,
          error: errorOf(error),
        };
      }
    },
  };
}
