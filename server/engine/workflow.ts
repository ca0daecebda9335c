import { append, itemsOf, listLength, listOf } from './append-list.ts';
import { type Failure, failure, isGuardrailStop } from './failure.ts';
import { resultIn } from './frame-value.ts';
import { goOn, markPlace } from './go-on.ts';
import { participantEnded, participantFailed } from './kinds/concurrent.ts';
import { beginFlowRun, flowStepEnded } from './kinds/flow.ts';
import { nodeEnded } from './kinds/graph.ts';
import { type Standing, turnEnded } from './kinds/turns.ts';
import { beginLeg, isRootWorkflow, recordEnd } from './leg.ts';
import { latestText } from './message.ts';
import type { ProgramWorkflow } from './program.ts';
import { areBelow, countBelow } from './seq-map.ts';
import type { Outcome, StepFrame, StepResult, WorkflowFrame } from './state.ts';
import type { Turn } from './turn.ts';
import { failWorkflow } from './workflow-end.ts';

function absentParticipant(workflow: string, id: string): Failure {
  const text = `The sequence of workflow '${workflow}' names the participant '${id}', which is switched off: enable it or take it out of the sequence.`;
  return failure('ValueError', text, { retryable: false });
}

/** A workflow begins (spec-v1 12). */
export function enterWorkflow(turn: Turn, entered: WorkflowFrame): void {
  const frame = beginLeg(turn, entered, 'workflow_started', 0);
  const wf = turn.workflow(frame.workflow);
  if (wf.shape === 'handoff' && wf.absent !== undefined) {
    failWorkflow(turn, frame, absentParticipant(wf.name, wf.absent));
    return;
  }
  if (wf.shape !== 'graph') goOn(turn, frame, { kind: 'next' });
  else if (wf.flow !== undefined) beginFlowRun(turn, frame, wf, wf.flow);
  else goOn(turn, frame, { kind: 'node', node: wf.start, input: latestText(frame.thread) });
}

/**
 * The frame with one more visited step; a concurrent workflow lists them in participant order. The
 * run shows what its own workflow has visited.
 */
export function visit(turn: Turn, frame: WorkflowFrame, key: string, slot: number): WorkflowFrame {
  const count = listLength(frame.visited);
  const { shape } = turn.workflow(frame.workflow);
  const last = shape !== 'concurrent' || areBelow(frame.settled, slot);
  const at = last ? count : countBelow(frame.settled, slot);
  const visited =
    at === count
      ? append(frame.visited, key)
      : listOf(itemsOf(frame.visited).toSpliced(at, 0, key));
  if (isRootWorkflow(frame)) {
    turn.run.visited = visited;
    turn.run.visited_marked = Math.min(turn.run.visited_marked, at);
  }
  return { ...frame, visited };
}

function standingAfter(
  wf: ProgramWorkflow,
  frame: WorkflowFrame,
  child: StepFrame,
  result: StepResult,
): Standing {
  if (wf.shape === 'graph' && wf.flow !== undefined)
    return flowStepEnded(frame, wf.flow, child, result);
  if (wf.shape === 'graph') return nodeEnded(frame, child.step, child.input, result);
  if (wf.shape === 'concurrent') return participantEnded(frame, child.step, child.slot, result);
  return turnEnded(frame, child.step, result);
}

/** A step of the workflow ended: it is recorded and the kind decides what follows. */
export function workflowChildEnded(
  turn: Turn,
  frame: WorkflowFrame,
  child: StepFrame,
  outcome: Outcome,
): void {
  const wf = turn.workflow(frame.workflow);
  if (!outcome.ok) {
    childFailed(turn, frame, child, outcome);
    return;
  }
  const result = resultIn(outcome.value);
  const visited = visit(turn, frame, child.step, child.slot);
  const standing = standingAfter(wf, visited, child, result);
  turn.put(standing.frame);
  markPlace(turn, standing.frame, standing.go);
  if (wf.shape !== 'graph') {
    const survived = result.metadata['error'];
    const error = typeof survived === 'string' ? survived : null;
    recordEnd(turn, child, 'step_completed', result.text, error);
  } else if (!result.failed) recordEnd(turn, child, 'node_completed', result.text, null);
  goOn(turn, standing.frame, standing.go);
}

function childFailed(
  turn: Turn,
  frame: WorkflowFrame,
  child: StepFrame,
  outcome: Outcome & { ok: false },
): void {
  const { shape } = turn.workflow(frame.workflow);
  if (shape === 'concurrent') {
    goOn(turn, participantFailed(frame, child.slot, outcome.error), { kind: 'next' });
    return;
  }
  const ended = shape === 'graph' && isGuardrailStop(outcome.error);
  if (isRootWorkflow(frame) && !ended) turn.run.restart = restartAt(frame, child, shape);
  failWorkflow(turn, frame, outcome.error);
}

/** Where continue would take the run up again: sequential and graph only (platform.md 6.4). */
export function restartAt(frame: WorkflowFrame, child: StepFrame, shape: ProgramWorkflow['shape']) {
  if (shape !== 'sequential' && shape !== 'graph') return null;
  return {
    step: child.step,
    index: shape === 'sequential' ? frame.next - 1 : null,
    input: child.input,
    visited: frame.visited,
    ...(frame.flow === undefined ? {} : { flow: frame.flow }),
  };
}
