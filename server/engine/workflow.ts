import { participantEnded, startConcurrent } from './kinds/concurrent.ts';
import { nodeEnded, startGraph } from './kinds/graph.ts';
import { startTurns, turnEnded } from './kinds/turns.ts';
import { isRootWorkflow, recordEnd } from './leg.ts';
import type { ProgramWorkflow } from './program.ts';
import type { Outcome, StepFrame, WorkflowFrame } from './state.ts';
import type { Turn } from './turn.ts';
import { failWorkflow } from './workflow-end.ts';

export function enterWorkflow(turn: Turn, frame: WorkflowFrame): void {
  switch (turn.workflow(frame.workflow).shape) {
    case 'graph':
      startGraph(turn, frame);
      return;
    case 'concurrent':
      startConcurrent(turn, frame);
      return;
    case 'sequential':
    case 'handoff':
    case 'group_chat':
      startTurns(turn, frame);
  }
}

/** Steps visited after one more has ended; a concurrent workflow lists them in participant order. */
export function visitedWith(wf: ProgramWorkflow, frame: WorkflowFrame, key: string): string[] {
  if (wf.shape !== 'concurrent') return [...frame.visited, key];
  const ended = new Set([...frame.visited, key]);
  return wf.order.filter((item) => ended.has(item));
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
  if (outcome.value.kind !== 'result') throw new TypeError('a step gives a result');
  const { result } = outcome.value;
  const visited = visitedWith(wf, frame, child.step);
  const ended: WorkflowFrame = { ...frame, visited };
  turn.put(ended);
  if (isRootWorkflow(frame)) turn.run.visited = visited;
  if (wf.shape === 'graph') {
    if (!result.failed) recordEnd(turn, child, 'node_completed', result.text, null);
    nodeEnded(turn, ended, child.step, result);
    return;
  }
  const survived = result.metadata['error'];
  const error = typeof survived === 'string' ? survived : null;
  recordEnd(turn, child, 'step_completed', result.text, error);
  if (wf.shape === 'concurrent') participantEnded(turn, ended, child.slot, outcome);
  else turnEnded(turn, ended, child.step, result);
}

function childFailed(
  turn: Turn,
  frame: WorkflowFrame,
  child: StepFrame,
  outcome: Outcome & { ok: false },
): void {
  const { shape } = turn.workflow(frame.workflow);
  if (shape === 'concurrent') {
    participantEnded(turn, frame, child.slot, outcome);
    return;
  }
  if (isRootWorkflow(frame)) turn.run.restart = restartAt(frame, child, shape);
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
  };
}
