import type { Misfit, Refit } from '../contract/platform/recover.ts';
import { itemsOf } from './append-list.ts';
import { canGoOn } from './go-on.ts';
import type { Program, ProgramWorkflow } from './program.ts';
import { restartPlace } from './restart-place.ts';
import type { Place } from './resume-point.ts';
import { type SeqMap, seqValues, setSeq } from './seq-map.ts';
import type { RunState, StepCount } from './state.ts';

const NOTHING: Omit<Refit, 'misfits'> = {
  fits: false,
  repeats: null,
  kept: [],
  gone: [],
  ahead: [],
  added: [],
  skipped: [],
};

function misfit(code: Misfit['code'], step: string | null, message: string): Misfit {
  return { code, step, message };
}

function unfit(status: string): Misfit {
  return status === 'failed'
    ? misfit(
        'nothing_saved',
        null,
        'Nothing was saved that the run could go on from. Start a new run, or run again from a checkpoint.',
      )
    : misfit(
        'not_failed',
        null,
        `Only a failed run goes on under another spec; this one is ${status}.`,
      );
}

function stepKeys(wf: ProgramWorkflow): readonly string[] {
  return wf.shape === 'graph' ? [...wf.steps.keys()] : [...new Set(wf.order)];
}

function kindMisfit(state: RunState, wf: ProgramWorkflow): Misfit | undefined {
  const was = state.restart?.index === null ? 'graph' : 'sequential';
  return wf.shape === was
    ? undefined
    : misfit(
        'other_kind',
        null,
        `The run is ${was} and the spec ${wf.shape}: their places do not correspond. Start a new run.`,
      );
}

function placeMisfit(wf: ProgramWorkflow, place: Place, step: string): Misfit | undefined {
  if (!wf.steps.has(step)) {
    return misfit(
      'step_gone',
      step,
      `The run stopped in '${step}', which the spec does not have or has switched off. Keep a step of that id, or start a new run.`,
    );
  }
  return canGoOn(wf, place)
    ? undefined
    : misfit(
        'items_moved',
        step,
        `Items of the run wait at wires that the spec does not have any more. Keep the steps and wires up to '${step}', or start a new run.`,
      );
}

/** A run as it is stored. */
export interface FailedRun {
  readonly status: string;
  /** Undefined where none was kept. */
  readonly state: RunState | undefined;
}

/**
 * Whether a failed run can go on from its last saved place under another spec, and what becomes of
 * its steps. `before` is the spec that it ran under; undefined when that cannot be built any more.
 */
export function refit(
  before: Program | undefined,
  after: Program,
  { status, state }: FailedRun,
): Refit {
  const restart = state?.restart ?? null;
  if (status !== 'failed' || state === undefined || restart === null) {
    return { ...NOTHING, misfits: [unfit(status)] };
  }
  const wf = after.root_workflow;
  if (wf === null || state.setup.target !== 'workflow') {
    const message = 'The spec has no workflow of its own, and the run stopped in one.';
    return { ...NOTHING, misfits: [misfit('no_workflow', null, message)] };
  }
  const other = kindMisfit(state, wf);
  if (other !== undefined) return { ...NOTHING, repeats: restart.step, misfits: [other] };
  const found = placeMisfit(wf, restartPlace(wf, restart), restart.step);
  const ended = [...new Set(itemsOf(restart.visited))].filter((step) => step !== restart.step);
  const keys = stepKeys(wf);
  const open = keys.filter((key) => key !== restart.step && !ended.includes(key));
  const at = wf.shape === 'graph' ? -1 : keys.indexOf(restart.step);
  const known = new Set(before?.root_workflow == null ? keys : stepKeys(before.root_workflow));
  const ahead = open.filter((key) => keys.indexOf(key) > at);
  return {
    fits: found === undefined,
    repeats: restart.step,
    kept: ended.filter((step) => wf.steps.has(step)),
    gone: ended.filter((step) => !wf.steps.has(step)),
    ahead,
    added: ahead.filter((key) => !known.has(key)),
    skipped: open.filter((key) => keys.indexOf(key) < at),
    misfits: found === undefined ? [] : [found],
  };
}

function countersOf(program: Program): ReadonlyMap<string, number> {
  const all = [
    ...Object.values(program.workflows),
    ...(program.root_workflow === null ? [] : [program.root_workflow]),
  ];
  return new Map(
    all.flatMap(({ shape, steps }) =>
      [...steps.values()].map(
        ({ key, counter }) => [shape === 'graph' ? `|${key}` : `${key}|`, counter] as const,
      ),
    ),
  );
}

/** The counts of step ends under the counters of a program; those of steps that it lacks come after. */
export function countsUnder(program: Program, counts: SeqMap<StepCount>): SeqMap<StepCount> {
  const counters = countersOf(program);
  let next = Math.max(-1, ...counters.values()) + 1;
  let moved: SeqMap<StepCount> = {};
  for (const count of seqValues(counts)) {
    moved = setSeq(moved, counters.get(count.key) ?? next++, count);
  }
  return moved;
}
