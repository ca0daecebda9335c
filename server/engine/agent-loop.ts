import type { ModelAnswer } from './event.ts';
import { type Message, message } from './message.ts';
import { getNamed, setNamed } from './name-map.ts';
import type { AgentFrame, ToolGiven } from './state.ts';
import type { Turn } from './turn.ts';
import { addUsage, parseUsage } from './usage.ts';

/** Starts the strategy of the agent: plan first for plan-act, else the first model call. */
export function startStrategy(turn: Turn, frame: AgentFrame): void {
  const agent = turn.agent(frame.agent);
  if (agent.strategy !== 'plan-act') {
    callModel(turn, frame);
    return;
  }
  const planning: AgentFrame = { ...frame, phase: 'plan', iterations: 1 };
  turn.put(planning);
  turn.open(planning, 0, {
    kind: 'model',
    agent: frame.agent,
    step_id: frame.step_id,
    phase: 'plan',
    iteration: 1,
    attempt: 0,
  });
}

function callModel(turn: Turn, frame: AgentFrame): void {
  const calling: AgentFrame = { ...frame, phase: 'loop', iterations: frame.iterations + 1 };
  turn.put(calling);
  turn.open(calling, 0, {
    kind: 'model',
    agent: frame.agent,
    step_id: frame.step_id,
    phase: 'answer',
    iteration: calling.iterations,
    attempt: 0,
  });
}

/** Adds the answer's tokens, and its warning when it is the first of the run. */
function countUsage(turn: Turn, frame: AgentFrame, answer: ModelAnswer): AgentFrame {
  turn.run.model_warning ??= answer.warning ?? null;
  const used = parseUsage(answer.usage);
  if (used === undefined) return frame;
  const key = frame.agent;
  const tokens =
    (getNamed(turn.run.agent_tokens, key) ?? 0) + used.input_tokens + used.output_tokens;
  turn.run.usage = addUsage(turn.run.usage, used);
  if (answer.replayed !== true) {
    const { provider, model } = turn.agent(key).binding;
    turn.used.push({ step_id: frame.step_id, provider, model, usage: used });
  }
  turn.run.agent_tokens = setNamed(turn.run.agent_tokens, key, tokens);
  return { ...frame, usage: addUsage(frame.usage, used) };
}

/** The plan joins as an assistant message; then the react loop runs. */
export function planAnswered(turn: Turn, frame: AgentFrame, answer: ModelAnswer): void {
  const counted = countUsage(turn, frame, answer);
  const added = [...frame.added, message('assistant', `Plan:\n${answer.text}`)];
  callModel(turn, { ...counted, plan: answer.text, added });
}

function assistant(answer: ModelAnswer, withCalls: boolean): Message {
  const plain = message('assistant', answer.text);
  if (!withCalls) return plain;
  const calls = answer.tool_calls.map((call) => ({ ...call }));
  return { ...plain, metadata: { tool_calls: calls } };
}

/** The model answered: the finished frame, or undefined while tools run. */
export function strategyAnswered(
  turn: Turn,
  frame: AgentFrame,
  answer: ModelAnswer,
): AgentFrame | undefined {
  const counted = countUsage(turn, frame, answer);
  const simple = turn.agent(frame.agent).strategy === 'simple';
  const wantsTools = !simple && answer.tool_calls.length > 0;
  const next: AgentFrame = {
    ...counted,
    answer: answer.text,
    added: [...frame.added, assistant(answer, wantsTools)],
  };
  if (!wantsTools) {
    turn.put(next);
    return next;
  }
  const calling: AgentFrame = { ...next, phase: 'tools' };
  turn.put(calling);
  turn.open(calling, 0, {
    kind: 'tools',
    agent: frame.agent,
    step_id: frame.step_id,
    calls: answer.tool_calls,
    results: {},
    open: answer.tool_calls.length,
  });
  return undefined;
}

/** All tools answered: the next model call, or the finished frame when the iterations are used up. */
export function toolsAnswered(
  turn: Turn,
  frame: AgentFrame,
  given: readonly ToolGiven[],
): AgentFrame | undefined {
  const agent = turn.agent(frame.agent);
  const results = given.map(({ call, text }): Message => {
    return { role: 'tool', content: text, name: call.name, tool_call_id: call.id, metadata: {} };
  });
  const next: AgentFrame = { ...frame, added: [...frame.added, ...results] };
  const loops = frame.iterations - (frame.plan === null ? 0 : 1);
  if (loops >= agent.max_iterations) {
    const exhausted: AgentFrame = { ...next, exhausted: true };
    turn.put(exhausted);
    return exhausted;
  }
  callModel(turn, next);
  return undefined;
}
