import { textOfItems } from '../items/text-of-item.ts';
import type { JsonObject } from '../kernel/json.ts';
import { AGENT_START, agentSpanFailed } from './agent-events.ts';
import { listOf } from './append-list.ts';
import { type Failure, failure, isGuardrailStop } from './failure.ts';
import { answerText, type FlowAnswer } from './flow-run.ts';
import { resultIn, textIn } from './frame-value.ts';
import { callEnded, callsFlow, prepareCalls } from './kinds/called.ts';
import { recordFailed, recordStarted, stepOf, WORKFLOW_START } from './leg.ts';
import { message, withLastAnswer, withLastAssistantText } from './message.ts';
import type { ProgramStep } from './program.ts';
import type { Outcome, StepFrame, StepResult } from './state.ts';
import type { Turn } from './turn.ts';
import { valueText } from './value-text.ts';

/** The step whose target runs: the fallback's own one when it stands in. */
export function enterStep(turn: Turn, frame: StepFrame): void {
  if (frame.fallback_for === null) recordStarted(turn, frame);
  attempt(turn, frame);
}

function attempt(turn: Turn, frame: StepFrame): void {
  const step = stepOf(turn, frame);
  const next: StepFrame = {
    ...frame,
    attempt: frame.attempt + 1,
    phase: 'target',
    timer: null,
    ...(frame.calls === undefined ? {} : { calls: null }),
  };
  const timer =
    step.timeout_seconds === null
      ? null
      : turn.request(next, {
          kind: 'start_timer',
          reason: 'step_timeout',
          due_at: turn.clock + step.timeout_seconds * 1000,
        });
  const waiting: StepFrame = { ...next, timer };
  turn.put(waiting);
  openTarget(turn, waiting, step);
}

/** The id that agent events carry: the step that the run shows, also while a fallback stands in. */
function shownStep(frame: StepFrame): string {
  return frame.fallback_for ?? frame.step;
}

function openTarget(turn: Turn, frame: StepFrame, step: ProgramStep): void {
  const given = frame.flow?.given ?? null;
  if (given !== null) {
    finish(turn, frame, itemsResult(given));
    return;
  }
  const items = step.rehearsed?.items ?? null;
  if (items !== null) {
    finish(turn, frame, rehearsedResult(step, items));
    return;
  }
  switch (step.kind) {
    case 'agent':
    case 'guardrail':
      turn.open(frame, 0, {
        ...AGENT_START,
        agent: step.ref,
        quiet: false,
        step_id: shownStep(frame),
        workflow_name: frame.workflow_name,
        outer_span_id: frame.span_id,
        input: frame.input,
        started_at: turn.at,
        ...(frame.flow?.system === undefined ? {} : { system: frame.flow.system }),
        ...(frame.flow?.alone === undefined ? {} : { alone: true }),
      });
      return;
    case 'function':
      turn.open(frame, 0, {
        kind: 'function',
        function: step.ref,
        purpose: 'step',
        text: frame.input,
        top_k: null,
        step_id: shownStep(frame),
        ...(frame.flow === undefined ? {} : { flow: 'step' }),
      });
      return;
    case 'workflow':
      if (frame.flow !== undefined && callsFlow(turn, step)) {
        prepareCalls(turn, frame, shownStep(frame));
        return;
      }
      turn.open(frame, 0, {
        ...WORKFLOW_START,
        workflow: step.ref,
        traced: true,
        outer_span_id: frame.span_id,
        input: frame.input,
        thread: listOf([message('user', frame.input)]),
      });
      return;
    case 'human':
      failStep(
        turn,
        frame,
        failure('RuntimeError', `Human step '${step.key}' cannot pause inside a nested workflow.`, {
          retryable: false,
        }),
      );
  }
}

function atStepCap(turn: Turn, ref: string): string {
  const wf = turn.workflow(ref);
  const cap = wf.shape === 'graph' ? wf.max_steps : 0;
  return `Workflow '${ref}' stopped at its step cap: max_steps is ${cap}, and an edge led on.`;
}

function resultOf(turn: Turn, step: ProgramStep, outcome: Outcome): StepResult | Failure {
  if (!outcome.ok) return outcome.error;
  const { value } = outcome;
  if (value.kind === 'items') return itemsResult(value.answer);
  if (value.kind === 'value') {
    return {
      text: valueText(value.value),
      messages: null,
      added: [],
      metadata: { node_kind: 'function' },
      failed: false,
      capped: false,
    };
  }
  const result = resultIn(value);
  if (step.kind !== 'workflow') return result;
  if (result.capped) return failure('RuntimeError', atStepCap(turn, step.ref));
  return { ...result, metadata: { ...result.metadata, node_kind: 'workflow' } };
}

/** What a step of text says that a rehearsal answers for. */
function rehearsedResult(step: ProgramStep, items: readonly JsonObject[]): StepResult {
  return {
    text: textOfItems(items.map((json) => ({ json }))),
    messages: null,
    added: [],
    metadata: { node_kind: step.kind },
    failed: false,
    capped: false,
  };
}

function itemsResult(flow: FlowAnswer): StepResult {
  return {
    text: answerText(flow),
    messages: null,
    added: [],
    metadata: { node_kind: 'function' },
    failed: false,
    capped: false,
    flow,
  };
}

function isFailure(value: StepResult | Failure): value is Failure {
  return 'stop' in value;
}

function isGuarded(turn: Turn, frame: StepFrame): boolean {
  return turn.spec.workflow_guardrails.length > 0 && !turn.isGuarding(frame);
}

/** A child of the step ended: its target, the workflow guardrails or the fallback. */
export function stepChildEnded(turn: Turn, frame: StepFrame, outcome: Outcome): void {
  if (frame.phase === 'guard') {
    guarded(turn, frame, outcome);
    return;
  }
  if (frame.phase === 'fallback') {
    fellBack(turn, frame, outcome);
    return;
  }
  const step = stepOf(turn, frame);
  const isCall = frame.flow !== undefined && callsFlow(turn, step);
  const settled = isCall ? callEnded(turn, frame, step, outcome) : outcome;
  if (settled === null) return;
  turn.abandon(frame.timer);
  const result = resultOf(turn, step, settled);
  if (isFailure(result)) attemptFailed(turn, { ...frame, timer: null }, result);
  else if (!isGuarded(turn, frame)) finish(turn, frame, result);
  else {
    const guarding: StepFrame = { ...frame, timer: null, phase: 'guard', result };
    turn.put(guarding);
    turn.open(guarding, 0, {
      kind: 'guard',
      stage: 'workflow',
      agent: turn.spec.root_agent,
      step_id: shownStep(frame),
      text: result.text,
      index: 0,
    });
  }
}

function guarded(turn: Turn, frame: StepFrame, outcome: Outcome): void {
  if (!outcome.ok) {
    failStep(turn, frame, outcome.error);
    return;
  }
  const text = textIn(outcome.value);
  const { result } = frame;
  if (result === null) throw new TypeError('a guarded step has a result');
  if (text === result.text) {
    finish(turn, frame, result);
    return;
  }
  const messages = result.messages === null ? null : withLastAnswer(result.messages, text);
  finish(turn, frame, {
    ...result,
    text,
    messages,
    added: withLastAssistantText(result.added, text),
  });
}

function fellBack(turn: Turn, frame: StepFrame, outcome: Outcome): void {
  if (!outcome.ok) {
    failStep(turn, frame, outcome.error);
    return;
  }
  const result = resultIn(outcome.value);
  const metadata = { ...result.metadata, fallback_for: frame.step, error: frame.first_error };
  finish(turn, frame, { ...result, metadata });
}

function finish(turn: Turn, frame: StepFrame, result: StepResult): void {
  turn.succeed(frame, { kind: 'result', result });
}

/** The timer of an attempt fired: the attempt is abandoned (spec-v1 12). */
export function stepTimedOut(turn: Turn, frame: StepFrame): void {
  const step = stepOf(turn, frame);
  const text = `Step '${frame.step}' timed out after ${step.timeout_seconds}s.`;
  const error = failure('RetryTimeoutError', text);
  for (const child of turn.childrenOf(frame)) {
    for (const gone of turn.drop(child.id)) {
      if (gone.kind === 'agent') agentSpanFailed(turn, gone, error);
    }
  }
  attemptFailed(turn, { ...frame, timer: null }, error);
}

function attemptFailed(turn: Turn, frame: StepFrame, error: Failure): void {
  turn.put(frame);
  const step = stepOf(turn, frame);
  const repeatable = error.timed_out ? turn.spec.retry_on_timeout : error.retryable;
  if (!error.stop && repeatable && frame.attempt < step.attempts) {
    attempt(turn, frame);
    return;
  }
  if (error.stop || frame.fallback_for !== null) failStep(turn, frame, error);
  else if (step.on_error === 'continue') continueStep(turn, frame, error);
  else if (step.on_error === 'fallback' && step.fallback !== null) {
    startFallback(turn, frame, step.fallback, error);
  } else failStep(turn, frame, error);
}

function continueStep(turn: Turn, frame: StepFrame, error: Failure): void {
  if (frame.graph) recordFailed(turn, frame, error.message);
  const passed = message('assistant', frame.input);
  finish(turn, frame, {
    text: frame.input,
    messages: listOf([passed]),
    added: [passed],
    metadata: {
      [frame.graph ? 'node_failed' : 'step_failed']: true,
      error: error.message,
      on_error: 'continue',
    },
    failed: true,
    capped: false,
  });
}

function startFallback(turn: Turn, frame: StepFrame, fallback: string, error: Failure): void {
  if (frame.graph) recordFailed(turn, frame, error.message);
  const waiting: StepFrame = { ...frame, phase: 'fallback', first_error: error.message };
  turn.put(waiting);
  turn.open(waiting, 0, {
    ...STEP_START,
    workflow: frame.workflow,
    step: fallback,
    graph: frame.graph,
    input: frame.input,
    span_id: frame.span_id,
    workflow_name: frame.workflow_name,
    fallback_for: frame.step,
    ...(frame.flow === undefined ? {} : { flow: frame.flow }),
  });
}

function failStep(turn: Turn, frame: StepFrame, error: Failure): void {
  // A guardrail that stops a node ends the run there: no row, and nothing to continue from.
  const recorded = frame.graph && (frame.first_error !== null || isGuardrailStop(error));
  if (frame.fallback_for === null && !recorded) {
    recordFailed(turn, frame, error.message);
  }
  turn.fail(frame, error);
}

/** The part of a fresh step frame that never differs. */
export const STEP_START = {
  kind: 'step',
  attempt: 0,
  phase: 'target',
  timer: null,
  result: null,
  first_error: null,
} as const;
