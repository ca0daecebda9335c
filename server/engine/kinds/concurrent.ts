import type { Failure } from '../failure.ts';
import { beginLeg, isRootWorkflow } from '../leg.ts';
import { lastAssistantText, latestText, type Message, message } from '../message.ts';
import { isOffline } from '../model-call.ts';
import { pauseRun } from '../pause.ts';
import type { ConcurrentProgram, ProgramStep } from '../program.ts';
import type { Outcome, Settled, WorkflowFrame } from '../state.ts';
import type { Turn } from '../turn.ts';
import { completeWorkflow, failWorkflow, openStep } from '../workflow-end.ts';

/** Concurrent (spec-v1 12): all participants on the run input, merged in participant order. */
export function startConcurrent(turn: Turn, entered: WorkflowFrame): void {
  startParticipants(turn, beginLeg(turn, entered, 'workflow_started', 0));
}

function concurrentOf(turn: Turn, frame: WorkflowFrame): ConcurrentProgram {
  const wf = turn.workflow(frame.workflow);
  if (wf.shape !== 'concurrent') throw new TypeError('not a concurrent workflow');
  return wf;
}

function isPausing(frame: WorkflowFrame, step: ProgramStep): boolean {
  return step.kind === 'human' && isRootWorkflow(frame);
}

function isOfflineAgent(turn: Turn, step: ProgramStep): boolean {
  if (step.kind !== 'agent' && step.kind !== 'guardrail') return false;
  return isOffline(turn.agent(step.ref).binding.provider);
}

/**
 * Starts whoever may start. An offline agent answers at once, so it starts only when everybody
 * before it has settled, and nobody after it starts before it has: an offline run then shows its
 * participants in their order (spec-v1 14). All others run together.
 */
function startParticipants(turn: Turn, entered: WorkflowFrame): void {
  const wf = concurrentOf(turn, entered);
  const input = latestText(entered.thread);
  const started: Record<string, true> = { ...entered.started };
  let earlierOpen = false;
  for (const [slot, key] of wf.order.entries()) {
    const step = wf.steps[key];
    if (step === undefined || isPausing(entered, step)) continue;
    const offline = isOfflineAgent(turn, step);
    if (offline && earlierOpen && !started[slot]) break;
    if (!started[slot]) {
      started[slot] = true;
      openStep(turn, entered, key, slot, input);
    }
    const open = entered.settled[slot] === undefined;
    if (offline && open) break;
    earlierOpen ||= open;
  }
  const waiting: WorkflowFrame = { ...entered, started };
  turn.put(waiting);
  if (Object.keys(started).length === 0) settleAll(turn, waiting);
}

/** A participant ended; the workflow waits until all have settled. */
export function participantEnded(
  turn: Turn,
  frame: WorkflowFrame,
  slot: number,
  outcome: Outcome,
): void {
  const settled = { ...frame.settled, [slot]: settledOf(turn, frame, slot, outcome) };
  const next: WorkflowFrame = { ...frame, settled };
  turn.put(next);
  if (allSettled(turn, next)) settleAll(turn, next);
  else startParticipants(turn, next);
}

function settledOf(turn: Turn, frame: WorkflowFrame, slot: number, outcome: Outcome): Settled {
  if (!outcome.ok) return { ok: false, error: outcome.error };
  if (outcome.value.kind !== 'result') throw new TypeError('a participant gives a result');
  const { result } = outcome.value;
  const key = concurrentOf(turn, frame).order[slot] ?? null;
  const added = result.messages === null ? [message('assistant', result.text, key)] : result.added;
  return { ok: true, text: result.text, added };
}

function allSettled(turn: Turn, frame: WorkflowFrame): boolean {
  const wf = concurrentOf(turn, frame);
  return wf.order.every((key, slot) => {
    const step = wf.steps[key];
    return step === undefined || isPausing(frame, step) || frame.settled[slot] !== undefined;
  });
}

function firstFailure(wf: ConcurrentProgram, frame: WorkflowFrame): Failure | undefined {
  for (const slot of wf.order.keys()) {
    const settled = frame.settled[slot];
    if (settled !== undefined && !settled.ok) return settled.error;
  }
  return undefined;
}

function settleAll(turn: Turn, frame: WorkflowFrame): void {
  const wf = concurrentOf(turn, frame);
  const error = firstFailure(wf, frame);
  if (error !== undefined) {
    failWorkflow(turn, frame, error);
    return;
  }
  const open = wf.order.find((key, slot) => {
    const step = wf.steps[key];
    return step !== undefined && isPausing(frame, step) && frame.settled[slot] === undefined;
  });
  const human = open === undefined ? undefined : wf.steps[open];
  if (human !== undefined) pauseRun(turn, frame, human, latestText(frame.thread), []);
  else merge(turn, frame, wf);
}

function merge(turn: Turn, frame: WorkflowFrame, wf: ConcurrentProgram): void {
  const added = wf.order.flatMap((_, slot) => {
    const settled = frame.settled[slot];
    return settled?.ok ? settled.added : [];
  });
  const messages = [...frame.thread, ...added];
  completeWorkflow(turn, frame, { text: lastAssistantText(messages), messages, termination: null });
}

/** A person answered: only the merge is left (spec-v1 13), or the next human participant. */
export function participantAnswered(
  turn: Turn,
  frame: WorkflowFrame,
  key: string,
  text: string,
  role: Message['role'] | null,
): void {
  const slot = concurrentOf(turn, frame).order.indexOf(key);
  const answer: Settled = { ok: true, text, added: [message(role ?? 'assistant', text)] };
  settleAll(turn, { ...frame, settled: { ...frame.settled, [slot]: answer } });
}
