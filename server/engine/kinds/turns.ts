import { beginLeg, isRootWorkflow } from '../leg.ts';
import { latestText, type Message, message } from '../message.ts';
import { pauseRun } from '../pause.ts';
import type { TurnsWorkflow } from '../program.ts';
import type { StepResult, WorkflowFrame } from '../state.ts';
import type { Turn } from '../turn.ts';
import { completeWorkflow, openStep } from '../workflow-end.ts';

/** Sequential, handoff and group-chat (spec-v1 12): a list of turns over one thread. */
export function startTurns(turn: Turn, frame: WorkflowFrame): void {
  nextTurn(turn, beginLeg(turn, frame, 'workflow_started', 0));
}

function turnsOf(turn: Turn, frame: WorkflowFrame): TurnsWorkflow {
  const wf = turn.workflow(frame.workflow);
  if (wf.shape === 'graph' || wf.shape === 'concurrent') throw new TypeError('not a turn workflow');
  return wf;
}

/** Starts the next turn, pauses at a human one, or completes the workflow. */
export function nextTurn(turn: Turn, frame: WorkflowFrame): void {
  const wf = turnsOf(turn, frame);
  const key = wf.turns[frame.next];
  const step = key === undefined ? undefined : wf.steps[key];
  if (step === undefined) {
    completeWorkflow(turn, frame, { text: null, messages: frame.thread, termination: null });
    return;
  }
  const input = latestText(frame.thread);
  if (step.kind === 'human' && isRootWorkflow(frame)) {
    pauseRun(turn, frame, step, input, wf.turns.slice(frame.next + 1));
    return;
  }
  const waiting: WorkflowFrame = { ...frame, next: frame.next + 1 };
  turn.put(waiting);
  openStep(turn, waiting, step.key, 0, input);
}

/** A turn ended: its messages replace the thread, a plain text joins it under the step's name. */
export function turnEnded(turn: Turn, frame: WorkflowFrame, key: string, result: StepResult): void {
  const thread = result.messages ?? [...frame.thread, message('assistant', result.text, key)];
  nextTurn(turn, { ...frame, thread });
}

/** A person answered the turn that the run was blocked at (spec-v1 13). */
export function turnAnswered(
  turn: Turn,
  frame: WorkflowFrame,
  text: string,
  role: Message['role'] | null,
): void {
  const wf = turnsOf(turn, frame);
  const next: WorkflowFrame = { ...frame, next: frame.next + 1 };
  const last = next.next >= wf.turns.length;
  const answer = message(role ?? 'user', text);
  if (last) {
    const messages = wf.shape === 'sequential' ? [...frame.thread, answer] : [];
    completeWorkflow(turn, next, { text, messages, termination: null });
    return;
  }
  const spoken = wf.shape === 'sequential' && role !== null ? [answer] : [];
  const joined = wf.shape === 'sequential' ? message('user', text) : answer;
  nextTurn(turn, { ...next, thread: [...frame.thread, ...spoken, joined] });
}
