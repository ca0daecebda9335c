import { append, itemsOf } from '../append-list.ts';
import { isRootWorkflow } from '../leg.ts';
import { latestText, type Message, message } from '../message.ts';
import { pauseRun } from '../pause.ts';
import type { TurnsWorkflow } from '../program.ts';
import type { GoOn } from '../resume-point.ts';
import type { StepResult, WorkflowFrame } from '../state.ts';
import type { Turn } from '../turn.ts';
import { completeWorkflow, openStep } from '../workflow-end.ts';

const NEXT: GoOn = { kind: 'next' };

/** How a workflow stands and how it goes on. */
export interface Standing {
  readonly frame: WorkflowFrame;
  readonly go: GoOn;
}

/** Starts the next turn (spec-v1 12), pauses at a human one, or completes the workflow. */
export function nextTurn(turn: Turn, frame: WorkflowFrame, wf: TurnsWorkflow): void {
  const key = wf.turns[frame.next];
  const step = key === undefined ? undefined : wf.steps[key];
  if (step === undefined) {
    const messages = itemsOf(frame.thread);
    // Nobody had a turn, so nobody said anything: the input is no answer.
    const text = wf.turns.length === 0 ? '' : null;
    completeWorkflow(turn, frame, { text, messages, termination: null });
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
export function turnEnded(frame: WorkflowFrame, key: string, result: StepResult): Standing {
  const thread =
    result.messages === null
      ? append(frame.thread, message('assistant', result.text, key))
      : result.messages;
  return { frame: { ...frame, thread }, go: NEXT };
}

/** A person answered the turn that the run was blocked at (spec-v1 13). */
export function turnAnswered(
  frame: WorkflowFrame,
  wf: TurnsWorkflow,
  text: string,
  role: Message['role'] | null,
): Standing {
  const next: WorkflowFrame = { ...frame, next: frame.next + 1 };
  const answer = message(role ?? 'user', text);
  if (next.next >= wf.turns.length) {
    const messages = wf.shape === 'sequential' ? [...itemsOf(frame.thread), answer] : [];
    return { frame: next, go: { kind: 'end', text, messages } };
  }
  const spoken = wf.shape === 'sequential' && role !== null ? [answer] : [];
  const joined = wf.shape === 'sequential' ? message('user', text) : answer;
  return { frame: { ...next, thread: append(frame.thread, ...spoken, joined) }, go: NEXT };
}
