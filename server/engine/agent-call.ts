import type { Json, JsonObject } from '../kernel/json.ts';
import {
  AGENT_START,
  agentSpanCompleted,
  agentSpanFailed,
  agentSpanStarted,
} from './agent-events.ts';
import { planAnswered, startStrategy, strategyAnswered, toolsAnswered } from './agent-loop.ts';
import { append, itemsOf, listLength, listOf } from './append-list.ts';
import { type Failure, failure } from './failure.ts';
import { answerIn, resultIn, textIn, toolsIn } from './frame-value.ts';
import { elapsed, WORKFLOW_START } from './leg.ts';
import { slidingWindow, summaryInput, withRetrieved, withSummary } from './memory.ts';
import { type Message, message, withLastAssistantText } from './message.ts';
import { getNamed, setNamed } from './name-map.ts';
import type { ProgramAgent } from './program.ts';
import { MESSAGES_A_PART } from './run-limits.ts';
import type { AgentFrame, FrameValue, Outcome, StepResult } from './state.ts';
import type { Turn } from './turn.ts';
import type { Usage } from './usage.ts';
import { valueText } from './value-text.ts';

/**
 * An agent call (spec-v1 11.1), outer to inner: tracing, memory, input guardrails, output
 * guardrails, token budget, strategy loop.
 */
export function enterAgent(turn: Turn, entered: AgentFrame): void {
  const agent = turn.agent(entered.agent);
  const isNew = entered.quiet || entered.alone === true;
  const history = isNew ? undefined : getNamed(turn.run.histories, agent.key);
  const base = append(history ?? listOf<Message>([]), message('user', entered.input));
  turn.charge(listLength(base) / MESSAGES_A_PART);
  const frame = agentSpanStarted(turn, { ...entered, base });
  turn.put(frame);
  turn.run.model_warning ??= agent.binding.warning;
  if (agent.as_agent !== null) runAsWorkflow(turn, frame, agent.as_agent);
  else if (frame.quiet || agent.memory === null) checkInput(turn, frame);
  else applyMemory(turn, frame, agent);
}

function runAsWorkflow(turn: Turn, frame: AgentFrame, workflow: string): void {
  const running: AgentFrame = { ...frame, phase: 'workflow' };
  turn.put(running);
  turn.open(running, 0, {
    ...WORKFLOW_START,
    workflow,
    traced: false,
    outer_span_id: frame.span?.span_id ?? frame.outer_span_id,
    input: frame.input,
    thread: listOf([message('user', frame.input)]),
  });
}

function applyMemory(turn: Turn, frame: AgentFrame, agent: ProgramAgent): void {
  const { memory } = agent;
  if (memory === null || memory.policy === 'full') checkInput(turn, frame);
  else if (memory.policy === 'sliding_window') {
    const sent = slidingWindow(itemsOf(frame.base), memory.max_messages, memory.keep_system);
    checkInput(turn, { ...frame, sent });
  } else if (memory.policy === 'retrieval') {
    turn.open(frame, 0, {
      kind: 'function',
      function: memory.ref,
      purpose: 'retriever',
      text: frame.input,
      top_k: memory.top_k,
      step_id: frame.step_id,
    });
  } else summarize(turn, frame, memory.by, memory.ref);
}

function summarize(turn: Turn, frame: AgentFrame, by: 'function' | 'agent', ref: string): void {
  const text = summaryInput(itemsOf(frame.base));
  if (text === '') checkInput(turn, frame);
  else if (by === 'function') {
    turn.open(frame, 0, {
      kind: 'function',
      function: ref,
      purpose: 'summarizer',
      text,
      top_k: null,
      step_id: frame.step_id,
    });
  } else turn.open(frame, 0, quietCall(turn, ref, text, frame.step_id));
}

/** A call of an agent by an agent: no history, no middleware, no trace (spec-v1 11.3). */
export function quietCall(turn: Turn, agent: string, input: string, stepId: string | null) {
  return {
    ...AGENT_START,
    agent,
    quiet: true,
    step_id: stepId,
    workflow_name: null,
    outer_span_id: null,
    input,
    started_at: turn.at,
  } as const;
}

function remembered(frame: AgentFrame, agent: ProgramAgent, value: FrameValue): readonly Message[] {
  const found: Json = value.kind === 'value' ? value.value : resultIn(value).text;
  const base = itemsOf(frame.base);
  if (agent.memory?.policy === 'retrieval') return withRetrieved(base, found);
  return withSummary(base, valueText(found));
}

function checkInput(turn: Turn, frame: AgentFrame): void {
  const agent = turn.agent(frame.agent);
  if (frame.quiet || agent.input_guardrails.length === 0) {
    startStrategy(turn, frame);
    return;
  }
  const users = (frame.sent ?? itemsOf(frame.base)).filter((item) => item.role === 'user');
  const guarding: AgentFrame = { ...frame, phase: 'input_guard' };
  turn.put(guarding);
  turn.open(guarding, 0, {
    kind: 'guard',
    stage: 'input',
    agent: frame.agent,
    step_id: frame.step_id,
    text: users.map((item) => item.content).join('\n'),
    index: 0,
  });
}

/** A child of the call ended. */
export function agentChildEnded(turn: Turn, frame: AgentFrame, outcome: Outcome): void {
  if (outcome.ok) childGave(turn, frame, outcome.value);
  else failAgent(turn, frame, outcome.error);
}

function childGave(turn: Turn, frame: AgentFrame, value: FrameValue): void {
  const agent = turn.agent(frame.agent);
  switch (frame.phase) {
    case 'memory':
      checkInput(turn, { ...frame, sent: remembered(frame, agent, value) });
      return;
    case 'input_guard':
      startStrategy(turn, frame);
      return;
    case 'plan':
      planAnswered(turn, frame, answerIn(value));
      return;
    case 'loop':
      answered(turn, strategyAnswered(turn, frame, answerIn(value)));
      return;
    case 'tools':
      answered(turn, toolsAnswered(turn, frame, toolsIn(value)));
      return;
    case 'output_guard':
      complete(turn, replaceAnswer(frame, textIn(value)));
      return;
    case 'workflow':
      workflowGave(turn, frame, resultIn(value));
  }
}

/** The strategy loop ended with an answer: token budget, then output guardrails. */
function answered(turn: Turn, frame: AgentFrame | undefined): void {
  if (frame === undefined) return;
  const agent = turn.agent(frame.agent);
  const over = overBudget(turn, frame, agent);
  if (over !== undefined) {
    failAgent(turn, frame, over);
    return;
  }
  if (frame.quiet || agent.output_guardrails.length === 0) {
    complete(turn, frame);
    return;
  }
  const guarding: AgentFrame = { ...frame, phase: 'output_guard' };
  turn.put(guarding);
  turn.open(guarding, 0, {
    kind: 'guard',
    stage: 'output',
    agent: frame.agent,
    step_id: frame.step_id,
    text: frame.answer,
    index: 0,
  });
}

/** The agent's own ceiling counts its own calls of this run, the run-wide one counts all (spec-v1 17). */
function overBudget(turn: Turn, frame: AgentFrame, agent: ProgramAgent): Failure | undefined {
  if (frame.usage === null) return undefined;
  const limit = agent.token_budget ?? turn.spec.token_budget;
  if (limit === null) return undefined;
  const used =
    agent.token_budget === null
      ? tokensOf(turn.run.usage ?? frame.usage)
      : (getNamed(turn.run.agent_tokens, agent.key) ?? 0);
  if (used <= limit) return undefined;
  return failure('TokenBudgetExceeded', `Token budget of ${limit} exceeded: ${used} tokens used.`);
}

function tokensOf(usage: Usage): number {
  return usage.input_tokens + usage.output_tokens;
}

function replaceAnswer(frame: AgentFrame, text: string): AgentFrame {
  if (text === frame.answer) return frame;
  return { ...frame, answer: text, added: withLastAssistantText(frame.added, text) };
}

function workflowGave(turn: Turn, frame: AgentFrame, result: StepResult): void {
  complete(turn, {
    ...frame,
    answer: result.text,
    added: result.added,
    exhausted: result.capped,
    inner: result.metadata,
  });
}

function joinHistory(turn: Turn, frame: AgentFrame, agent: ProgramAgent): void {
  const mode = agent.append_mode;
  if (frame.quiet || mode === 'never' || agent.as_agent !== null) return;
  const kept = getNamed(turn.run.histories, agent.key) ?? listOf<Message>([]);
  const fresh: Message[] = [];
  if (mode !== 'assistant_only') fresh.push(message('user', frame.input));
  if (mode !== 'user_only') fresh.push(message('assistant', frame.answer));
  turn.run.histories = setNamed(turn.run.histories, agent.key, append(kept, ...fresh));
}

/** What a result tells about the call; a graph condition may look at it (spec-v1 5). */
function agentMetadata(turn: Turn, frame: AgentFrame, agent: ProgramAgent): JsonObject {
  const { binding } = agent;
  const metadata: JsonObject = {
    ...frame.inner,
    agent_name: agent.name,
    runtime_mode: binding.runtime_mode,
    runtime_name: `${agent.strategy}@${binding.sdk}`,
    sdk: binding.sdk,
    iterations: frame.iterations,
    duration_ms: elapsed(turn, frame.started_at),
  };
  if (frame.plan !== null) metadata['plan'] = frame.plan;
  if (frame.usage !== null) metadata['usage'] = { ...frame.usage };
  if (frame.exhausted) metadata['stopped_by_max_iterations'] = true;
  if (binding.warning !== null) metadata['model_warning'] = binding.warning;
  if (agent.memory !== null && !frame.quiet) {
    const before = listLength(frame.base);
    metadata['memory'] = {
      policy: agent.memory.policy,
      before_message_count: before,
      after_message_count: frame.sent?.length ?? before,
    };
  }
  return metadata;
}

function complete(turn: Turn, frame: AgentFrame): void {
  const agent = turn.agent(frame.agent);
  joinHistory(turn, frame, agent);
  agentSpanCompleted(turn, frame, frame.answer);
  turn.succeed(frame, {
    kind: 'result',
    result: {
      text: frame.answer,
      messages: append(frame.base, ...frame.added),
      added: frame.added,
      metadata: agentMetadata(turn, frame, agent),
      failed: false,
      capped: frame.exhausted,
    },
  });
}

function failAgent(turn: Turn, frame: AgentFrame, error: Failure): void {
  agentSpanFailed(turn, frame, error);
  turn.fail(frame, error);
}
