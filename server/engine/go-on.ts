import { startParticipants } from './kinds/concurrent.ts';
import { canFlowGoOn, flowOn } from './kinds/flow.ts';
import { enterNode, route } from './kinds/graph.ts';
import { nextTurn } from './kinds/turns.ts';
import { isRootWorkflow } from './leg.ts';
import type { ProgramWorkflow } from './program.ts';
import type { GoOn, Place } from './resume-point.ts';
import type { WorkflowFrame } from './state.ts';
import type { Turn } from './turn.ts';
import { completeWorkflow } from './workflow-end.ts';

/** Whether a workflow of this shape can go on like that; a rerun is checked with it. */
export function canGoOn(wf: ProgramWorkflow, place: Place): boolean {
  if (place.shape !== wf.shape) return false;
  const { go } = place;
  if (wf.shape === 'graph' && (wf.flow !== undefined || go.kind === 'flow')) {
    return go.kind === 'end' || canFlowGoOn(wf, place);
  }
  if (wf.shape === 'graph') {
    return go.kind !== 'next' && go.kind !== 'flow' && (go.kind === 'end' || wf.steps.has(go.node));
  }
  if (go.kind === 'end') return wf.shape !== 'concurrent';
  const limit = wf.shape === 'concurrent' ? wf.order.length : wf.turn_count;
  return go.kind === 'next' && place.next <= limit;
}

/** Sets a workflow going again from where it stands. */
export function goOn(turn: Turn, frame: WorkflowFrame, go: GoOn): void {
  const wf = turn.workflow(frame.workflow);
  if (go.kind === 'end') {
    completeWorkflow(turn, frame, { text: go.text, messages: go.messages, termination: null });
  } else if (wf.shape === 'graph' && wf.flow !== undefined) flowOn(turn, frame, wf, wf.flow);
  else if (wf.shape === 'graph') {
    if (go.kind === 'route') route(turn, frame, wf, go);
    else if (go.kind === 'node') enterNode(turn, frame, wf, go.node, go.input);
  } else if (wf.shape === 'concurrent') startParticipants(turn, frame, wf);
  else nextTurn(turn, frame, wf);
}

/** Gives off the place where the run's own workflow stands; nested ones begin again as a whole. */
export function markPlace(turn: Turn, frame: WorkflowFrame, go: GoOn): void {
  if (!isRootWorkflow(frame)) return;
  const { shape } = turn.workflow(frame.workflow);
  const { thread, visited, settled, last_messages } = frame;
  const next = shape === 'concurrent' ? 0 : frame.next;
  const flow = frame.flow === undefined ? {} : { flow: frame.flow };
  turn.markPoint({ shape, go, thread, next, visited, settled, last_messages, ...flow });
}
