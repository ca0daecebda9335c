import { listOf } from './append-list.ts';
import { countsUnder } from './carry/counts-under.ts';
import { restartPlace } from './carry/restart-place.ts';
import type { HumanDecision } from './event.ts';
import { goOn, markPlace } from './go-on.ts';
import { decisionText } from './human.ts';
import { participantAnswered, pausedSlot } from './kinds/concurrent.ts';
import { flowAnswered } from './kinds/flow.ts';
import { nodeAnswered } from './kinds/graph.ts';
import { type Standing, turnAnswered } from './kinds/turns.ts';
import { beginLeg, recordAnswered, WORKFLOW_START } from './leg.ts';
import { replayMetadata } from './recovery.ts';
import type { Place } from './resume-point.ts';
import type { Pause, WorkflowFrame } from './state.ts';
import type { Turn } from './turn.ts';
import { visit } from './workflow.ts';

function answered(turn: Turn, frame: WorkflowFrame, pause: Pause, text: string): Standing {
  const wf = turn.workflow(frame.workflow);
  const role = pause.request.response_role;
  const { step, input } = pause;
  if (wf.shape === 'graph' && wf.flow !== undefined) return flowAnswered(frame, wf.flow, text);
  if (wf.shape === 'graph') return nodeAnswered(frame, wf, step, input, text, role);
  if (wf.shape === 'concurrent') return participantAnswered(frame, wf, step, text, role);
  return turnAnswered(frame, wf, text, role);
}

/** Takes a blocked run up again with a person's answer (spec-v1 13). */
export function resumeRun(turn: Turn, decision: HumanDecision): boolean {
  const { pause } = turn.run;
  const paused = pause === null ? undefined : turn.frame(pause.frame);
  if (turn.run.status !== 'blocked' || pause === null || paused?.kind !== 'workflow') return false;
  const text = decisionText(decision, pause.input);
  const wf = turn.workflow(paused.workflow);
  turn.run.status = 'running';
  turn.run.pause = null;
  turn.run.resumed_from = pause.continuation.id;
  turn.run.leg_ends = listOf([]);
  const index = wf.shape === 'sequential' ? paused.next + 1 : 0;
  const begun = beginLeg(turn, paused, 'workflow_resumed', index);
  const slot = wf.shape === 'concurrent' ? pausedSlot(begun, wf, pause.step) : 0;
  const { frame, go } = answered(turn, visit(turn, begun, pause.step, slot), pause, text);
  turn.put(frame);
  turn.run.output_text = text;
  markPlace(turn, frame, go);
  recordAnswered(turn, wf, pause.step);
  goOn(turn, frame, go);
  return true;
}

/** Opens the run's own workflow at a place, as a resumed leg. */
export function openAt(turn: Turn, place: Place, input: string): WorkflowFrame {
  const id = turn.place(null, 0, {
    ...WORKFLOW_START,
    workflow: null,
    traced: true,
    outer_span_id: null,
    input,
    thread: place.thread,
    next: place.next,
    visited: place.visited,
    settled: place.settled,
    last_messages: place.last_messages,
    ...(place.flow === undefined ? {} : { flow: place.flow }),
  });
  const frame = turn.frame(id);
  if (frame?.kind !== 'workflow') throw new TypeError('a workflow frame was just placed');
  const index = place.shape === 'sequential' ? place.next : 0;
  return beginLeg(turn, frame, 'workflow_resumed', index);
}

/** Restarts a failed sequential or graph run at the step that failed (platform.md 6.4). */
export function continueRun(turn: Turn, masked: boolean): boolean {
  const { restart, status } = turn.run;
  const root = turn.spec.root_workflow;
  if (status !== 'failed' || restart === null || root === null) return false;
  turn.checkpoint('replay_context', replayMetadata(turn.run));
  turn.run.status = 'running';
  turn.run.completed_at = null;
  turn.run.thrown = false;
  turn.run.restart = null;
  if (turn.run.carried === true) {
    // It was made ready to go on under another spec, and a kill came in between.
    turn.run.begins_at = null;
    turn.run.carried = false;
  }
  if (masked) turn.run.masked_origin = true;
  // The spec may be another one than the run failed under.
  turn.run.step_counts = countsUnder(turn.spec, turn.run.step_counts);
  turn.run.workflow_name = root.name;
  const place = restartPlace(root, restart);
  turn.run.current_step_index = restart.index === null ? null : place.next;
  const frame = openAt(turn, place, restart.input);
  markPlace(turn, frame, place.go);
  goOn(turn, frame, place.go);
  return true;
}
