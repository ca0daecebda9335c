// Runs that stopped and go on under another spec, as the platform lets them.
import { carriedOver } from '../carry/carry-on.ts';
import type { AskedRenames } from '../carry/match-steps.ts';
import { type Refitted, refit } from '../carry/refit.ts';
import type { Program } from '../program.ts';
import type { ResumePoint } from '../resume-point.ts';
import { absorb, apply, type DrivenRun, nextTime } from './drive.ts';

/** The last point of a run, as it is read from a store; one at the very beginning is not stored. */
function lastPoint(run: DrivenRun): ResumePoint | undefined {
  const last = run.points.find(({ number }) => number === run.state.point_count);
  return last === undefined ? undefined : JSON.parse(JSON.stringify(last));
}

/** The verdict on a run under another spec. */
export function refitOf(under: Program, run: DrivenRun, asked: AskedRenames = {}): Refitted {
  const { state } = run;
  const { status, setup } = state;
  const stopped = { status, target: setup.target, state, point: lastPoint(run) };
  return refit(run.program, under, stopped, asked);
}

/** The run, made ready to go on under another spec. */
export function carriedRun(run: DrivenRun, under: Program, asked: AskedRenames): DrivenRun {
  const { fit, carried } = refitOf(under, run, asked);
  if (carried === null) throw new Error(fit.misfits.map(({ message }) => message).join(' '));
  const { timeout_seconds } = run.state.setup;
  const moved: DrivenRun = { ...run, points: [...run.points], program: under };
  const limits = { at: nextTime(run), timeout_seconds };
  absorb(moved, carriedOver(run.state, lastPoint(run), carried, limits));
  return moved;
}

/** The run, set going under another spec; its effects are not answered yet. */
export function carryOn(run: DrivenRun, under: Program, asked: AskedRenames = {}): DrivenRun {
  const moved = carriedRun(run, under, asked);
  apply(moved, { type: 'recovered', at: nextTime(moved) });
  return moved;
}
