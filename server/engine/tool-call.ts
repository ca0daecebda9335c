import { quietCall } from './agent-call.ts';
import type { EffectError, EffectResult } from './event.ts';
import { failure } from './failure.ts';
import { resultIn, textIn } from './frame-value.ts';
import { isOffline } from './model-call.ts';
import { OFFLINE_TOOL } from './offline-model.ts';
import type { ProgramAgent, ProgramTool } from './program.ts';
import { pythonLiteral } from './python-text.ts';
import { getSeq, setSeq } from './seq-map.ts';
import type { Outcome, ToolFrame, ToolsFrame } from './state.ts';
import { argumentProblem } from './tool-arguments.ts';
import { toolRefusal } from './tool-policy.ts';
import type { Turn } from './turn.ts';
import { valueText } from './value-text.ts';

/** All calls of one model answer, in parallel. */
export function enterTools(turn: Turn, frame: ToolsFrame): void {
  frame.calls.forEach((call, slot) => {
    turn.open(frame, slot, {
      kind: 'tool',
      agent: frame.agent,
      step_id: frame.step_id,
      call,
      phase: 'call',
    });
  });
}

/** One call of the batch ended; a refusal or a guardrail stop ends the batch at once. */
export function toolsChildEnded(
  turn: Turn,
  frame: ToolsFrame,
  slot: number,
  outcome: Outcome,
): void {
  if (!outcome.ok) {
    turn.fail(frame, outcome.error);
    return;
  }
  const results = setSeq(frame.results, slot, textIn(outcome.value));
  const open = frame.open - 1;
  turn.put({ ...frame, results, open });
  if (open > 0) return;
  const given = frame.calls.map((call, at) => ({ call, text: getSeq(results, at) ?? '' }));
  turn.succeed(frame, { kind: 'tools', given });
}

/** One tool call (spec-v1 11.3): selection, domains, arguments, then the call itself. */
export function enterTool(turn: Turn, frame: ToolFrame): void {
  const agent = turn.agent(frame.agent);
  const { name, arguments: args } = frame.call;
  const tool = agent.tools.includes(name) ? turn.spec.tools[name] : undefined;
  const refused = toolRefusal(agent.tool_policy, name, args);
  if (refused !== undefined) {
    const advice = isOfflineSearch(agent, name) ? OFFLINE_SEARCH : '';
    turn.fail(frame, failure('ToolMiddlewareViolation', refused + advice));
    return;
  }
  if (tool === undefined) {
    toolGave(turn, frame, `${name}: ${pythonLiteral(args)}`);
    return;
  }
  const problem = argumentProblem(name, tool.offer.parameters, args);
  if (problem === undefined) call(turn, frame, tool, agent.name);
  else if (problem.kind === 'unfit') {
    turn.fail(frame, failure('ToolMiddlewareViolation', problem.message));
  } else toolGave(turn, frame, errorText(problem.message));
}

/** The offline runtime asks for this one tool, whatever the agent has (spec-v1 11.2). */
const OFFLINE_SEARCH =
  ' No model answered: the offline runtime did, and it looks for a tool \'web_search\' when the input contains "search". Add a tool of that name to the agent, or give the agent a model with a key.';

function isOfflineSearch(agent: ProgramAgent, name: string): boolean {
  const has = agent.tools.includes(name);
  return name === OFFLINE_TOOL && !has && isOffline(agent.binding.provider);
}

function call(turn: Turn, frame: ToolFrame, tool: ProgramTool, agentName: string): void {
  const { backing } = tool;
  const shared = {
    tool: tool.offer.name,
    call_id: frame.call.id,
    arguments: frame.call.arguments,
    agent_name: agentName,
    step_id: frame.step_id,
  };
  if (backing.kind === 'function') {
    turn.request(frame, {
      ...shared,
      kind: 'call_tool',
      implementation: backing.implementation,
    });
  } else if (backing.kind === 'mcp') {
    turn.request(frame, {
      ...shared,
      kind: 'call_mcp_tool',
      server: backing.server,
      remote_name: backing.remote_name,
    });
  } else {
    const input = valueText(frame.call.arguments['input'] ?? '');
    turn.open(frame, 0, quietCall(turn, backing.agent, input, frame.step_id));
  }
}

function errorText(message: string): string {
  return `{"error": ${JSON.stringify(message)}}`;
}

/** What a tool gave goes to the model, past the guardrails of stage tool. */
export function toolAnswered(turn: Turn, frame: ToolFrame, result: EffectResult): void {
  if (result.kind !== 'value') toolGave(turn, frame, result.answer.text);
  // A model must see that a tool gave nothing; an empty text says less.
  else toolGave(turn, frame, result.value === null ? 'null' : valueText(result.value));
}

/** A tool that throws tells the model so and the loop goes on. */
export function toolFailed(turn: Turn, frame: ToolFrame, error: EffectError): void {
  toolGave(turn, frame, errorText(error.message));
}

/** An agent tool or the guardrails of the result ended. */
export function toolChildEnded(turn: Turn, frame: ToolFrame, outcome: Outcome): void {
  if (!outcome.ok) {
    const fatal = outcome.error.stop || frame.phase === 'guard';
    if (fatal) turn.fail(frame, outcome.error);
    else toolGave(turn, frame, errorText(outcome.error.message));
  } else if (frame.phase === 'guard') turn.succeed(frame, outcome.value);
  else toolGave(turn, frame, resultIn(outcome.value).text);
}

function toolGave(turn: Turn, frame: ToolFrame, text: string): void {
  const agent = turn.agent(frame.agent);
  const quiet = turn.isQuiet(frame);
  if (quiet || agent.tool_guardrails.length === 0) {
    turn.succeed(frame, { kind: 'text', text });
    return;
  }
  const guarding: ToolFrame = { ...frame, phase: 'guard' };
  turn.put(guarding);
  turn.open(guarding, 0, {
    kind: 'guard',
    stage: 'tool',
    agent: frame.agent,
    step_id: frame.step_id,
    text,
    index: 0,
  });
}
