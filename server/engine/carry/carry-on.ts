import { isStoppedStatus } from '../../contract/platform/run-status.ts';
import { listOf } from '../append-list.ts';
import { goOn } from '../go-on.ts';
import { closeResumedLeg } from '../leg.ts';
import { replayMetadata } from '../recovery.ts';
import { placeInput } from '../rerun.ts';
import { openAt } from '../resume.ts';
import type { ResumePoint } from '../resume-point.ts';
import { openAtStart, showProgram } from '../start-run.ts';
import type { RunState } from '../state.ts';
import type { StepOutcome } from '../step-outcome.ts';
import { Turn } from '../turn.ts';
import { countsUnder } from './counts-under.ts';
import type { Carried } from './refit.ts';
import { renamedCounts, renamedRestart } from './rename-steps.ts';

/** What a stopped run is given when it goes on. */
export interface CarryRequest {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Wall-clock limit from now on, in seconds. */
  readonly timeout_seconds: number | null;
}

/**
 * The state of a run that stopped, made ready to go on under another spec: its place and its steps
 * are those of the new one. It stays over until `recovered` sets it going, so that a kill between the
 * two leaves a run that can be taken up again.
 */
export function carriedOver(
  state: RunState,
  point: ResumePoint | undefined,
  { place, renames }: Carried,
  { at, timeout_seconds }: CarryRequest,
): StepOutcome {
  const turn = new Turn(null, state, at);
  // What the leg had deferred is recorded under the names and counters that it had.
  closeResumedLeg(turn, null);
  const { restart, setup } = turn.run;
  const deadline_at = timeout_seconds === null ? null : at / 1000 + timeout_seconds;
  turn.run.setup = { ...setup, timeout_seconds, deadline_at };
  turn.run.restart = restart === null ? null : renamedRestart(renames, restart);
  turn.run.step_counts = renamedCounts(renames, turn.run.step_counts);
  turn.run.visited = place?.visited ?? listOf([]);
  turn.run.visited_marked = 0;
  // What agents said in the step that stopped is not part of what goes on.
  turn.run.histories = point?.histories ?? {};
  turn.run.begins_at = place;
  turn.run.carried = true;
  turn.markPoint(place);
  return turn.outcome();
}

/** Sets a run that stopped going again, at the place that it was carried over to. */
export function recoverRun(turn: Turn, masked: boolean): boolean {
  const { begins_at: place, carried, status } = turn.run;
  if (carried !== true || !isStoppedStatus(status) || turn.spec.root_workflow === null) {
    return false;
  }
  turn.checkpoint('replay_context', replayMetadata(turn.run));
  turn.run.status = 'running';
  turn.run.completed_at = null;
  turn.run.thrown = false;
  turn.run.restart = null;
  turn.run.begins_at = null;
  turn.run.carried = false;
  turn.run.started_at ??= turn.at;
  if (masked) turn.run.masked_origin = true;
  turn.run.step_counts = countsUnder(turn.spec, turn.run.step_counts);
  showProgram(turn);
  if (place === null) {
    openAtStart(turn);
    return true;
  }
  turn.run.current_step_index = place.shape === 'sequential' ? place.next : null;
  goOn(turn, openAt(turn, place, placeInput(place)), place.go);
  return true;
}
