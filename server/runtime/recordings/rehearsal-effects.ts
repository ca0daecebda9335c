import {
  type Rehearsal,
  type RehearsalAnswer,
  SINGLE_AGENT,
} from '../../contract/platform/rehearsals.ts';
import type { PendingEffect } from '../../engine/effect.ts';
import type { EffectResult, RunEvent } from '../../engine/event.ts';
import { textOfItems } from '../../items/text-of-item.ts';
import type { EffectRunner } from '../run-effects.ts';
import { type RunPlace, replayingRunner } from './recording-effects.ts';

function own(answers: Rehearsal['steps'], name: string): RehearsalAnswer | undefined {
  return Object.hasOwn(answers, name) ? answers[name] : undefined;
}

function answerFor(
  { steps, tools }: Rehearsal,
  effect: PendingEffect,
): RehearsalAnswer | undefined {
  switch (effect.kind) {
    case 'call_model':
      return own(steps, effect.step_id ?? SINGLE_AGENT);
    case 'call_tool':
    case 'call_mcp_tool':
      return own(tools, effect.tool);
    default:
      return undefined;
  }
}

function resultOf(effect: PendingEffect, items: RehearsalItems): EffectResult {
  const text = textOfItems(items.map((json) => ({ json })));
  return effect.kind === 'call_model'
    ? { kind: 'model', answer: { text, tool_calls: [] } }
    : { kind: 'value', value: text };
}

type RehearsalItems = Extract<RehearsalAnswer, { items: unknown }>['items'];

/**
 * Answers calls of models and tools with what a rehearsal states for their step or tool, or from the
 * recording that it names; everything else is performed.
 */
export function withRehearsal(
  runner: EffectRunner,
  setup: RunPlace & { readonly rehearsal: Rehearsal },
): EffectRunner {
  const { rehearsal, clock } = setup;
  const replays = new Map<string, EffectRunner>();
  const replayOf = (name: string): EffectRunner => {
    const replay = replays.get(name) ?? replayingRunner(runner, setup, name);
    replays.set(name, replay);
    return replay;
  };
  const stated = (effect: PendingEffect): RunEvent | undefined => {
    const answer = answerFor(rehearsal, effect);
    if (answer === undefined || answer.by === 'recorded') return undefined;
    const result = resultOf(effect, answer.items);
    return { type: 'effect_succeeded', at: clock.now(), effect_id: effect.id, result };
  };
  return {
    answerNow: (effect) =>
      answerFor(rehearsal, effect)?.by === 'recorded'
        ? undefined
        : (stated(effect) ?? runner.answerNow(effect)),
    async perform(effect, signal, state) {
      const answer = answerFor(rehearsal, effect);
      const performing = answer?.by === 'recorded' ? replayOf(answer.recording) : runner;
      return stated(effect) ?? (await performing.perform(effect, signal, state));
    },
  };
}
