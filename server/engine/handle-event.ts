import { isTerminalStatus } from '../contract/platform/run-status.ts';
import { AGENT_START } from './agent-events.ts';
import { listOf } from './append-list.ts';
import type { EffectError, EffectResult, RunEvent } from './event.ts';
import { flowWaited, functionAnswered, functionFailed } from './function-call.ts';
import { goOn } from './go-on.ts';
import { guardAnswered, guardFailed } from './guardrails.ts';
import { expiryAnswer } from './human.ts';
import { WORKFLOW_START } from './leg.ts';
import { message } from './message.ts';
import { enterModel, modelAnswered, modelFailed } from './model-call.ts';
import { placeInput } from './rerun.ts';
import { continueRun, openAt, resumeRun } from './resume.ts';
import type { Place } from './resume-point.ts';
import { cancelRun, expireRun, failFromOutside, timeOutRun } from './run-end.ts';
import { answerSize, tooMuchText } from './run-limits.ts';
import type { Frame, FunctionFrame, GuardFrame, ModelFrame, ToolFrame } from './state.ts';
import { toolAnswered, toolFailed } from './tool-call.ts';
import type { Turn } from './turn.ts';
import { stepTimedOut } from './workflow-step.ts';

/** Sets in motion what an event means for the run; false when it means nothing in this state. */
export function handleEvent(turn: Turn, event: RunEvent): boolean {
  if (isTerminalStatus(turn.run.status) && event.type !== 'continued') return false;
  switch (event.type) {
    case 'continued':
      return continueRun(turn, event.masked === true);
    case 'start':
      return startRun(turn);
    case 'effect_succeeded':
      return effectSucceeded(turn, event.effect_id, event.result);
    case 'effect_failed':
      return effectFailed(turn, event.effect_id, event.error);
    case 'timer_fired':
      return timerFired(turn, event.effect_id);
    case 'human_decided':
      return resumeRun(turn, event.decision);
    case 'task_expired':
      return taskExpired(turn);
    case 'cancelled':
      cancelRun(turn, event.reason, event.requested === true);
      return true;
    case 'deadline_passed':
      timeOutRun(turn);
      return true;
    case 'failed':
      failFromOutside(turn, event.error, { ...event.metadata });
      return true;
  }
}

function startRun(turn: Turn): boolean {
  if (turn.run.started_at !== null) return false;
  const { setup } = turn.run;
  const workflow = turn.spec.root_workflow;
  const runsWorkflow = setup.target === 'workflow' && workflow !== null;
  turn.run.status = 'running';
  turn.run.started_at = turn.at;
  turn.run.agent_name = turn.agent(turn.spec.root_agent).name;
  turn.run.workflow_name = workflow?.name ?? null;
  turn.run.workflow_type = runsWorkflow ? workflow.shape : null;
  turn.run.workflow_kind = runsWorkflow ? 'workflow' : 'agent';
  const { begins_at: place } = turn.run;
  if (runsWorkflow && place !== null) beginAt(turn, place);
  else if (runsWorkflow) {
    turn.open(null, 0, {
      ...WORKFLOW_START,
      workflow: null,
      traced: true,
      outer_span_id: null,
      input: setup.input_text,
      thread: listOf([message('user', setup.input_text)]),
    });
  } else {
    turn.open(null, 0, {
      ...AGENT_START,
      agent: turn.spec.root_agent,
      quiet: false,
      step_id: null,
      workflow_name: null,
      outer_span_id: null,
      input: setup.input_text,
      started_at: turn.at,
    });
  }
  return true;
}

/** A rerun goes on at its place; its own path and messages begin with those of its origin. */
function beginAt(turn: Turn, place: Place): void {
  turn.run.begins_at = null;
  turn.run.visited = place.visited;
  const { go } = place;
  goOn(turn, openAt(turn, place, placeInput(place)), go);
}

/** The frame that asked for an effect, which is settled; undefined when it is none of these kinds. */
function settled<K extends Frame['kind']>(
  turn: Turn,
  id: string,
  kinds: readonly K[],
  isTimer: boolean,
): Extract<Frame, { kind: K }> | undefined {
  const pending = turn.settle(id);
  const frame = pending === undefined ? undefined : turn.frame(pending.frame);
  const fits = (pending?.effect.kind === 'start_timer') === isTimer && isOneOf(frame, kinds);
  return fits ? frame : undefined;
}

function isOneOf<K extends Frame['kind']>(
  frame: Frame | undefined,
  kinds: readonly K[],
): frame is Extract<Frame, { kind: K }> {
  return kinds.some((kind) => kind === frame?.kind);
}

/** Calls and looks go out from these frames. */
const ASKING = ['model', 'function', 'tool', 'guard'] as const;
type Asking = ModelFrame | FunctionFrame | ToolFrame | GuardFrame;

/** Attempts of steps, waits before a model is asked again, and waits of item flows. */
const TIMED = ['step', 'model', 'function'] as const;

function effectSucceeded(turn: Turn, id: string, result: EffectResult): boolean {
  const frame = settled(turn, id, ASKING, false);
  if (frame === undefined) return false;
  turn.run.text_chars = (turn.run.text_chars ?? 0) + answerSize(result);
  const most = turn.spec.limits.text_chars;
  if (turn.run.text_chars > most) failFromOutside(turn, tooMuchText(most), {});
  else giveAnswer(turn, frame, result);
  return true;
}

function giveAnswer(turn: Turn, frame: Asking, result: EffectResult): void {
  switch (frame.kind) {
    case 'model':
      modelAnswered(turn, frame, result);
      return;
    case 'function':
      functionAnswered(turn, frame, result);
      return;
    case 'tool':
      toolAnswered(turn, frame, result);
      return;
    case 'guard':
      guardAnswered(turn, frame, result);
  }
}

function effectFailed(turn: Turn, id: string, error: EffectError): boolean {
  const frame = settled(turn, id, ASKING, false);
  if (frame === undefined) return false;
  giveError(turn, frame, error);
  return true;
}

function giveError(turn: Turn, frame: Asking, error: EffectError): void {
  switch (frame.kind) {
    case 'model':
      modelFailed(turn, frame, error);
      return;
    case 'function':
      functionFailed(turn, frame, error);
      return;
    case 'tool':
      toolFailed(turn, frame, error);
      return;
    case 'guard':
      guardFailed(turn, frame, error);
  }
}

function timerFired(turn: Turn, id: string): boolean {
  const frame = settled(turn, id, TIMED, true);
  if (frame === undefined) return false;
  if (frame.kind === 'step') stepTimedOut(turn, frame);
  else if (frame.kind === 'model') enterModel(turn, frame);
  else flowWaited(turn, frame);
  return true;
}

/** The task sweep met the deadline of the human step (spec-v1 13). */
function taskExpired(turn: Turn): boolean {
  const { pause } = turn.run;
  if (pause === null || pause.continuation.expires_at === null) return false;
  const { request, continuation } = pause;
  if (request.on_timeout === 'continue') return resumeRun(turn, expiryAnswer(request));
  if (request.on_timeout === 'fail') {
    expireRun(turn, request.timeout_seconds);
    return true;
  }
  const escalated = {
    ...continuation,
    expires_at: null,
    pending_human_request: {
      ...request,
      escalated_at: turn.at / 1000,
      original_expires_at: continuation.expires_at,
    },
  };
  turn.run.pause = { ...pause, continuation: escalated };
  turn.effects.push({ kind: 'ask_human', continuation: escalated });
  return true;
}
