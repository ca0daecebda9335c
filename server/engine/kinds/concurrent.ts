import { itemsOf } from '../append-list.ts';
import type { Failure } from '../failure.ts';
import { isRootWorkflow } from '../leg.ts';
import { lastAssistantText, latestText, type Message, message } from '../message.ts';
import { isOffline } from '../model-call.ts';
import { pauseRun } from '../pause.ts';
import type { ConcurrentProgram, ProgramStep } from '../program.ts';
import type { Settled } from '../resume-point.ts';
import { getSeq, seqValues, setSeq } from '../seq-map.ts';
import type { StepResult, WorkflowFrame } from '../state.ts';
import type { Turn } from '../turn.ts';
import { completeWorkflow, failWorkflow, openStep } from '../workflow-end.ts';
import type { Standing } from './turns.ts';

function isPausing(frame: WorkflowFrame, step: ProgramStep): boolean {
  return step.kind === 'human' && isRootWorkflow(frame);
}

function isOfflineAgent(turn: Turn, step: ProgramStep): boolean {
  if (step.kind !== 'agent' && step.kind !== 'guardrail') return false;
  return isOffline(turn.agent(step.ref).binding.provider);
}

/** A participant that runs now; undefined for one that has given its part or waits for a person. */
function runnable(
  frame: WorkflowFrame,
  wf: ConcurrentProgram,
  slot: number,
): ProgramStep | undefined {
  const step = wf.steps.get(wf.order[slot] ?? '');
  if (step === undefined || isPausing(frame, step)) return undefined;
  return getSeq(frame.settled, slot) === undefined ? step : undefined;
}

/**
 * Starts whoever may start; ends the workflow when all have settled. An offline agent answers at
 * once, so it starts only when everybody before it has settled, and nobody after it starts before it
 * has: an offline run then shows its participants in their order (spec-v1 14). All others run
 * together.
 */
export function startParticipants(turn: Turn, entered: WorkflowFrame, wf: ConcurrentProgram): void {
  const input = latestText(entered.thread);
  let { next, open } = entered;
  for (let held = false; next < wf.order.length && !held; ) {
    const step = runnable(entered, wf, next);
    const offline = step !== undefined && isOfflineAgent(turn, step);
    if (offline && open > 0) break;
    if (step !== undefined) {
      openStep(turn, entered, step.key, next, input);
      open += 1;
    }
    next += 1;
    held = offline;
  }
  const waiting: WorkflowFrame = { ...entered, next, open };
  turn.put(waiting);
  if (open === 0) settleAll(turn, waiting, wf);
}

/** A participant ended well. */
export function participantEnded(
  frame: WorkflowFrame,
  key: string,
  slot: number,
  result: StepResult,
): Standing {
  const added = result.messages === null ? [message('assistant', result.text, key)] : result.added;
  const settled = setSeq(frame.settled, slot, { text: result.text, added });
  return { frame: { ...frame, settled, open: frame.open - 1 }, go: { kind: 'next' } };
}

/** A participant failed: the others still run, then the first failure in their order counts. */
export function participantFailed(
  frame: WorkflowFrame,
  slot: number,
  error: Failure,
): WorkflowFrame {
  const first = frame.failed === null || slot < frame.failed.slot;
  return { ...frame, open: frame.open - 1, failed: first ? { slot, error } : frame.failed };
}

function settleAll(turn: Turn, frame: WorkflowFrame, wf: ConcurrentProgram): void {
  if (frame.failed !== null) {
    failWorkflow(turn, frame, frame.failed.error);
    return;
  }
  const open = wf.order.find((_, slot) => getSeq(frame.settled, slot) === undefined);
  const human = open === undefined ? undefined : wf.steps.get(open);
  if (human !== undefined) pauseRun(turn, frame, human, latestText(frame.thread), []);
  else merge(turn, frame);
}

function merge(turn: Turn, frame: WorkflowFrame): void {
  const added = [...seqValues(frame.settled)].flatMap((settled) => settled.added);
  const messages = [...itemsOf(frame.thread), ...added];
  completeWorkflow(turn, frame, { text: lastAssistantText(messages), messages, termination: null });
}

/** The slot of the human participant that the run was blocked at. */
export function pausedSlot(frame: WorkflowFrame, wf: ConcurrentProgram, key: string): number {
  return wf.order.findIndex(
    (item, slot) => item === key && getSeq(frame.settled, slot) === undefined,
  );
}

/** A person answered: only the merge is left (spec-v1 13), or the next human participant. */
export function participantAnswered(
  frame: WorkflowFrame,
  wf: ConcurrentProgram,
  key: string,
  text: string,
  role: Message['role'] | null,
): Standing {
  const slot = pausedSlot(frame, wf, key);
  const answer: Settled = { text, added: [message(role ?? 'assistant', text)] };
  return {
    frame: { ...frame, settled: setSeq(frame.settled, slot, answer) },
    go: { kind: 'next' },
  };
}
