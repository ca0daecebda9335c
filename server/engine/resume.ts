import type { HumanDecision } from './event.ts';
import { decisionText } from './human.ts';
import { participantAnswered } from './kinds/concurrent.ts';
import { enterNode, nodeAnswered } from './kinds/graph.ts';
import { nextTurn, turnAnswered } from './kinds/turns.ts';
import { beginLeg, recordAnswered, WORKFLOW_START } from './leg.ts';
import { message } from './message.ts';
import { replayMetadata } from './recovery.ts';
import type { WorkflowFrame } from './state.ts';
import type { Turn } from './turn.ts';
import { visitedWith } from './workflow.ts';

/** Takes a blocked run up again with a person's answer (spec-v1 13). */
export function resumeRun(turn: Turn, decision: HumanDecision): boolean {
  const { pause } = turn.run;
  const paused = pause === null ? undefined : turn.frame(pause.frame);
  if (turn.run.status !== 'blocked' || pause === null || paused?.kind !== 'workflow') return false;
  const text = decisionText(decision, pause.input);
  const role = pause.request.response_role;
  const wf = turn.workflow(paused.workflow);
  turn.run.status = 'running';
  turn.run.pause = null;
  turn.run.resumed_from = pause.continuation.id;
  turn.run.leg_ends = [];
  const index = wf.shape === 'sequential' ? paused.next + 1 : 0;
  const begun = beginLeg(turn, paused, 'workflow_resumed', index);
  const frame: WorkflowFrame = { ...begun, visited: visitedWith(wf, begun, pause.step) };
  turn.put(frame);
  turn.run.visited = frame.visited;
  turn.run.output_text = text;
  recordAnswered(turn, wf.name, wf.shape === 'graph', pause.step);
  if (wf.shape === 'graph') nodeAnswered(turn, frame, pause.step, pause.input, text, role);
  else if (wf.shape === 'concurrent') participantAnswered(turn, frame, pause.step, text, role);
  else turnAnswered(turn, frame, text, role);
  return true;
}

/** Restarts a failed sequential or graph run at the step that failed (platform.md 6.4). */
export function continueRun(turn: Turn): boolean {
  const { restart, status } = turn.run;
  if (status !== 'failed' || restart === null || turn.spec.root_workflow === null) return false;
  turn.checkpoint('replay_context', replayMetadata(turn.run));
  turn.run.status = 'running';
  turn.run.completed_at = null;
  turn.run.thrown = false;
  turn.run.restart = null;
  turn.run.current_step_index = restart.index;
  const id = turn.place(null, 0, {
    ...WORKFLOW_START,
    workflow: null,
    traced: true,
    outer_span_id: null,
    input: restart.input,
    thread: [message('user', restart.input)],
  });
  const fresh = turn.frame(id);
  if (fresh?.kind !== 'workflow') return false;
  const placed: WorkflowFrame = { ...fresh, visited: restart.visited, next: restart.index ?? 0 };
  const begun = beginLeg(turn, placed, 'workflow_resumed', restart.index ?? 0);
  if (restart.index === null) enterNode(turn, begun, restart.step, restart.input);
  else nextTurn(turn, begun);
  return true;
}
