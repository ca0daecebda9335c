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

/** Whose turn it is at a place of the order; undefined after the last one. */
function turnAt(wf: TurnsWorkflow, place: number): string | undefined {
  return place < wf.turn_count ? wf.order[place % wf.order.length] : undefined;
}

/** The first turn of a step at a place or after it; undefined when there is none. */
export function findTurn(wf: TurnsWorkflow, key: string, from: number): number | undefined {
  const end = Math.min(wf.turn_count, from + wf.order.length);
  for (let place = from; place < end; place += 1) if (turnAt(wf, place) === key) return place;
  return undefined;
}

/** Of turns that are still to come this many are named where a run waits for a person. */
const NAMED_TURNS = 1000;

function turnsAfter(wf: TurnsWorkflow, place: number): string[] {
  const left = Math.max(0, Math.min(wf.turn_count - place - 1, NAMED_TURNS));
  return Array.from({ length: left }, (_, at) => turnAt(wf, place + 1 + at) ?? '');
}

/** Starts the next turn (spec-v1 12), pauses at a human one, or completes the workflow. */
export function nextTurn(turn: Turn, frame: WorkflowFrame, wf: TurnsWorkflow): void {
  const key = turnAt(wf, frame.next);
  const step = key === undefined ? undefined : wf.steps.get(key);
  if (step === undefined) {
    const messages = itemsOf(frame.thread);
    // Nobody had a turn, so nobody said anything: the input is no answer.
    const text = wf.turn_count === 0 ? '' : null;
    completeWorkflow(turn, frame, { text, messages, termination: null });
    return;
  }
  const input = latestText(frame.thread);
  if (step.kind === 'human' && isRootWorkflow(frame)) {
    pauseRun(turn, frame, step, input, turnsAfter(wf, frame.next));
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
  if (next.next >= wf.turn_count) {
    const messages = wf.shape === 'sequential' ? [...itemsOf(frame.thread), answer] : [];
    return { frame: next, go: { kind: 'end', text, messages } };
  }
  const spoken = wf.shape === 'sequential' && role !== null ? [answer] : [];
  const joined = wf.shape === 'sequential' ? message('user', text) : answer;
  return { frame: { ...next, thread: append(frame.thread, ...spoken, joined) }, go: NEXT };
}
