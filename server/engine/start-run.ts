import { AGENT_START } from './agent-events.ts';
import { listOf } from './append-list.ts';
import type { HoldQuestion } from './event.ts';
import { goOn } from './go-on.ts';
import { holdRun } from './hold.ts';
import { WORKFLOW_START } from './leg.ts';
import { message } from './message.ts';
import { placeInput } from './rerun.ts';
import { openAt } from './resume.ts';
import type { Place } from './resume-point.ts';
import type { Turn } from './turn.ts';

function runsWorkflow(turn: Turn): boolean {
  return turn.run.setup.target === 'workflow' && turn.spec.root_workflow !== null;
}

/** The run shows the names of its program. */
export function showProgram(turn: Turn): void {
  const workflow = turn.spec.root_workflow;
  turn.run.agent_name = turn.agent(turn.spec.root_agent).name;
  turn.run.workflow_name = workflow?.name ?? null;
  turn.run.workflow_type = runsWorkflow(turn) ? (workflow?.shape ?? null) : null;
  turn.run.workflow_kind = runsWorkflow(turn) ? 'workflow' : 'agent';
}

/** Opens the run's own workflow, or its agent, at the very beginning. */
export function openAtStart(turn: Turn): void {
  const { setup } = turn.run;
  if (runsWorkflow(turn)) {
    turn.open(null, 0, {
      ...WORKFLOW_START,
      workflow: null,
      traced: true,
      outer_span_id: null,
      input: setup.input_text,
      thread: listOf([message('user', setup.input_text)]),
    });
    return;
  }
  turn.open(null, 0, {
    ...AGENT_START,
    agent: turn.spec.root_agent,
    quiet: false,
    step_id: null,
    workflow_name: null,
    outer_span_id: null,
    input: setup.input_text,
    started_at: turn.at,
  });
}

/** A rerun goes on at its place; its own path and messages begin with those of its origin. */
function beginAt(turn: Turn, place: Place): void {
  turn.run.begins_at = null;
  turn.run.visited = place.visited;
  const { go } = place;
  goOn(turn, openAt(turn, place, placeInput(place)), go);
}

/**
 * Starts a run to which nothing has happened yet, or asks first whether it may; false for any other.
 */
export function startRun(turn: Turn, hold?: HoldQuestion): boolean {
  if (turn.run.started_at !== null || turn.run.pause !== null) return false;
  if (hold !== undefined) {
    showProgram(turn);
    holdRun(turn, hold);
    return true;
  }
  turn.run.status = 'running';
  turn.run.started_at = turn.at;
  showProgram(turn);
  const { begins_at: place } = turn.run;
  if (runsWorkflow(turn) && place !== null) beginAt(turn, place);
  else openAtStart(turn);
  return true;
}
