import { isTerminalStatus } from '../contract/platform/run-status.ts';
import { recoverRun } from './carry/carry-on.ts';
import type { EffectError, EffectResult, HumanDecision, RunEvent } from './event.ts';
import { flowWaited, functionAnswered, functionFailed } from './function-call.ts';
import { guardAnswered, guardFailed } from './guardrails.ts';
import { isHold, letsBegin } from './hold.ts';
import { expiryAnswer } from './human.ts';
import { enterModel, modelAnswered, modelFailed } from './model-call.ts';
import { continueRun, resumeRun } from './resume.ts';
import { cancelRun, expireRun, failFromOutside, timeOutRun } from './run-end.ts';
import { answerSize, tooMuchText } from './run-limits.ts';
import { startRun } from './start-run.ts';
import type { Frame, FunctionFrame, GuardFrame, ModelFrame, ToolFrame } from './state.ts';
import { toolAnswered, toolFailed } from './tool-call.ts';
import type { Turn } from './turn.ts';
import { stepTimedOut } from './workflow-step.ts';

/** What reaches a run that is over. */
const TAKES_UP: readonly RunEvent['type'][] = ['continued', 'recovered'];

/** Sets in motion what an event means for the run; false when it means nothing in this state. */
export function handleEvent(turn: Turn, event: RunEvent): boolean {
  if (isTerminalStatus(turn.run.status) && !TAKES_UP.includes(event.type)) return false;
  switch (event.type) {
    case 'continued':
      return continueRun(turn, event.masked === true);
    case 'recovered':
      return recoverRun(turn, event.masked === true);
    case 'start':
      return startRun(turn, event.hold);
    case 'effect_succeeded':
      return effectSucceeded(turn, event.effect_id, event.result);
    case 'effect_failed':
      return effectFailed(turn, event.effect_id, event.error);
    case 'timer_fired':
      return timerFired(turn, event.effect_id);
    case 'human_decided':
      if (isHold(turn.run.pause)) return holdAnswered(turn, event.decision);
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

/** A person said whether a run may begin. */
function holdAnswered(turn: Turn, decision: HumanDecision): boolean {
  if (letsBegin(turn, decision)) startRun(turn);
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
