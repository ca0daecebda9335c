// One agent, driven from call to call.
import { itemsOf } from '../append-list.ts';
import type { CallModel, RuntimeBinding } from '../effect.ts';
import type { ModelAnswer } from '../event.ts';
import type { Message } from '../message.ts';
import { apply, createdRun, type DrivenRun, nextTime, testSetup } from './drive.ts';
import { programOf } from './sample-programs.ts';

export const online: RuntimeBinding = {
  provider: 'openai',
  model: 'm',
  runtime_mode: 'sdk',
  sdk: 'openai',
  warning: null,
};

export function pendingModel(run: DrivenRun): CallModel {
  const effect = run.queue.find((item) => item.kind === 'call_model');
  if (effect?.kind !== 'call_model') throw new Error('no model call is pending');
  return effect;
}

/** What the pending model call sends. */
export function sentTo(run: DrivenRun): Message[] {
  return itemsOf(pendingModel(run).messages);
}

/** Answers the pending model call. */
export function say(run: DrivenRun, answer: Partial<ModelAnswer>): void {
  const effect = pendingModel(run);
  run.queue.splice(run.queue.indexOf(effect), 1);
  apply(run, {
    type: 'effect_succeeded',
    at: nextTime(run),
    effect_id: effect.id,
    result: { kind: 'model', answer: { text: '', tool_calls: [], ...answer } },
  });
}

export function startAgent(spec: string, input = 'hello', options = {}): DrivenRun {
  const run = createdRun(
    programOf(spec, { bind: () => online, ...options }),
    testSetup(input, 'agent'),
  );
  apply(run, { type: 'start', at: nextTime(run) });
  return run;
}

export const REACT = `
version: v1
agent:
  name: bot
  system_prompt: Be brief.
  model: {provider: openai, name: m, max_tokens: 50, timeout_seconds: 7, temperature: 0.2, token_budget: 100}
  strategy: {type: react, max_iterations: 2}
  tools: {include: [look, ask], permissions: {denied_domains: [bad.example]}}
tools:
  look: {description: Look., implementation: look, parameters: {type: object, properties: {n: {type: integer}}, required: [n]}}
  ask: {description: Ask., agent: helper}
components:
  agents: {helper: {name: helper, system_prompt: Help.}}
`;
export const call = (name: string, args: Record<string, unknown>, id = 'c1') => ({
  id,
  name,
  arguments: args as never,
});
