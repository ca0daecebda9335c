import type { Misfit, Refit } from '../../contract/platform/recover.ts';
import { isStoppedStatus } from '../../contract/platform/run-status.ts';
import { itemsOf } from '../append-list.ts';
import type { Program, ProgramWorkflow, TurnsWorkflow } from '../program.ts';
import type { Place, ResumePoint } from '../resume-point.ts';
import type { RunSetup, RunState } from '../state.ts';
import { type AskedRenames, type Matched, matchSteps, stepKeys } from './match-steps.ts';
import { type Found, placeUnder } from './refit-place.ts';
import { type Renames, renamed, renamedPlace, renamedRestart } from './rename-steps.ts';

const NOTHING: Omit<Refit, 'misfits'> = {
  fits: false,
  kind: null,
  repeats: null,
  again: [],
  kept: [],
  gone: [],
  ahead: [],
  added: [],
  skipped: [],
  once_more: [],
  renamed: {},
  missing: [],
  free: [],
  turn: null,
};

function misfit(code: Misfit['code'], message: string): Misfit {
  return { code, step: null, message };
}

const NOTHING_SAVED = misfit(
  'nothing_saved',
  'Nothing was saved that the run could go on from. Start a new run, or run again from a checkpoint.',
);

const AGENT_ALONE = misfit(
  'agent_alone',
  'The run is of an agent alone, which saves nothing between its calls. Run it again with the same input.',
);

const NO_WORKFLOW = misfit(
  'no_workflow',
  'The spec has no workflow of its own, and the run stopped in one.',
);

/** A run as it is stored. */
export interface StoppedRun {
  readonly status: string;
  readonly target: RunSetup['target'];
  /** Undefined where none was kept. */
  readonly state: RunState | undefined;
  /** The last point of the run. */
  readonly point: ResumePoint | undefined;
}

/** What goes on of a run, with the steps under the names of the new spec. */
export interface Carried {
  /** Null = at the very beginning. */
  readonly place: Place | null;
  readonly renames: Renames;
}

/** The verdict, and what goes on where it is good. */
export interface Refitted {
  readonly fit: Refit;
  readonly carried: Carried | null;
}

function unfit({ status, target, state }: StoppedRun): Misfit | undefined {
  if (!isStoppedStatus(status)) {
    return misfit(
      'not_failed',
      `Only a run that failed or timed out goes on under another spec; this one is ${status.replaceAll('_', ' ')}.`,
    );
  }
  if (target === 'agent') return AGENT_ALONE;
  return state === undefined ? NOTHING_SAVED : undefined;
}

/** What somebody who reads the verdict calls a kind of workflow. */
function kindName(shape: string): string {
  return shape.replaceAll('_', ' ');
}

function kindMisfit(state: RunState, wf: ProgramWorkflow): Misfit | undefined {
  const was = state.workflow_type;
  return was === null || was === wf.shape
    ? undefined
    : misfit(
        'other_kind',
        `The run is ${kindName(was)} and the spec ${kindName(wf.shape)}: their places do not correspond. Start a new run.`,
      );
}

/** What had ended is known, or nothing had: a place that is gone would begin it all again. */
function isPlaceKept({ restart, visited }: RunState, place: Place | null): boolean {
  return place !== null || restart !== null || itemsOf(visited).length === 0;
}

/** A conversation: who takes part may speak more than once. */
type Talk = TurnsWorkflow & { readonly shape: 'group_chat' | 'handoff' };

function isTalk(wf: ProgramWorkflow): wf is Talk {
  return wf.shape === 'group_chat' || wf.shape === 'handoff';
}

/** Of a conversation: whose turns are to come after the one that it goes on with. */
function speakersAfter(wf: Talk, next: number): string[] {
  const count = Math.min(wf.turn_count - next - 1, wf.order.length);
  const turns = Array.from({ length: Math.max(0, count) }, (_, at) => next + 1 + at);
  return [...new Set(turns.flatMap((turn) => wf.order[turn % wf.order.length] ?? []))];
}

function turnOf(wf: ProgramWorkflow, found: Found): Refit['turn'] {
  if (!isTalk(wf) || !('place' in found)) return null;
  const next = found.place?.next ?? 0;
  const isChat = wf.shape === 'group_chat' && wf.order.length > 0;
  return {
    number: Math.min(next + 1, wf.turn_count),
    of: wf.turn_count,
    round: isChat && next < wf.turn_count ? Math.floor(next / wf.order.length) + 1 : null,
    rounds: wf.rounds,
  };
}

type Fates = Pick<Refit, 'kept' | 'gone' | 'ahead' | 'skipped' | 'once_more'>;

/** Who has spoken, speaks after the turn that a conversation goes on with, or never does. */
function talkFates(wf: Talk, found: Found, ended: readonly string[]): Omit<Fates, 'gone'> {
  const next = 'place' in found ? (found.place?.next ?? 0) : 0;
  const ahead = speakersAfter(wf, next);
  const kept = ended.filter((key) => wf.steps.has(key));
  const named = new Set([...found.again, ...ahead, ...kept]);
  return { kept, ahead, skipped: stepKeys(wf).filter((key) => !named.has(key)), once_more: [] };
}

/** Where in the order of its steps a sequence goes on; -1 for a kind without an order. */
function placeIn(wf: ProgramWorkflow, found: Found, keys: readonly string[]): number {
  if (wf.shape !== 'sequential') return -1;
  const [first] = found.again;
  return 'place' in found && first === undefined ? keys.length : keys.indexOf(first ?? '');
}

/** What becomes of each step that the run or the spec has. */
function fatesOf(wf: ProgramWorkflow, found: Found, visited: readonly string[]): Fates {
  const { again } = found;
  const ended = [...new Set(visited)].filter((key) => !again.includes(key));
  const gone = ended.filter((key) => !wf.steps.has(key));
  if (isTalk(wf)) return { ...talkFates(wf, found, [...new Set(visited)]), gone };
  const keys = stepKeys(wf);
  const at = placeIn(wf, found, keys);
  const isBehind = (key: string): boolean => keys.indexOf(key) > at;
  const done = ended.filter((key) => wf.steps.has(key));
  const open = keys.filter((key) => !again.includes(key) && !ended.includes(key));
  // A place that was not found is nowhere in the order.
  const isSequence = wf.shape === 'sequential' && at >= 0;
  return {
    kept: done.filter((key) => !isSequence || !isBehind(key)),
    gone,
    ahead: open.filter(isBehind),
    skipped: open.filter((key) => !isBehind(key)),
    once_more: isSequence ? keys.filter((key) => done.includes(key) && isBehind(key)) : [],
  };
}

function fitOf(
  before: ProgramWorkflow | undefined,
  wf: ProgramWorkflow,
  matched: Matched,
  found: Found,
  visited: readonly string[],
): Refit {
  const { renames, missing, free } = matched;
  const known = new Set(
    (before === undefined ? stepKeys(wf) : stepKeys(before)).map((key) => renamed(renames, key)),
  );
  const misfits = [...matched.misfits, ...('misfit' in found ? [found.misfit] : [])];
  const fates = fatesOf(wf, found, visited);
  // A branch that the run did not know has not begun yet.
  const fresh = wf.shape === 'concurrent' ? found.again.filter((key) => !known.has(key)) : [];
  const again = found.again.filter((key) => !fresh.includes(key));
  const ahead = [...fates.ahead, ...fresh];
  return {
    ...fates,
    fits: misfits.length === 0,
    kind: wf.shape,
    repeats: again[0] ?? null,
    again,
    ahead,
    added: ahead.filter((key) => !known.has(key)),
    renamed: { ...renames },
    missing: [...missing],
    free: [...free],
    turn: turnOf(wf, found),
    misfits,
  };
}

function judged(
  before: Program | undefined,
  wf: ProgramWorkflow,
  state: RunState,
  place: Place | null,
  asked: AskedRenames,
): Refitted {
  const was = before?.root_workflow ?? undefined;
  const matched = matchSteps(was, wf, { restart: state.restart, place }, asked);
  const { renames } = matched;
  const stop = {
    restart: state.restart === null ? null : renamedRestart(renames, state.restart),
    place: place === null ? null : renamedPlace(renames, place),
  };
  const found = placeUnder(was, wf, stop, renames);
  const visited = itemsOf((stop.restart ?? stop.place)?.visited ?? { full: [], tail: [] });
  const fit = fitOf(was, wf, matched, found, visited);
  const carried = fit.fits && 'place' in found ? { place: found.place, renames } : null;
  return { fit, carried };
}

function refused(reason: Misfit): Refitted {
  return { fit: { ...NOTHING, misfits: [reason] }, carried: null };
}

/**
 * Whether a run that stopped can go on from its last saved place under another spec, and what becomes
 * of its steps. `before` is the spec that it ran under; undefined when that cannot be built any more.
 */
export function refit(
  before: Program | undefined,
  after: Program,
  run: StoppedRun,
  asked: AskedRenames = {},
): Refitted {
  const reason = unfit(run);
  if (reason !== undefined || run.state === undefined) return refused(reason ?? NOTHING_SAVED);
  const wf = after.root_workflow;
  if (wf === null) return refused(NO_WORKFLOW);
  const other = kindMisfit(run.state, wf);
  if (other !== undefined) return refused(other);
  const place = run.point?.place ?? null;
  if (!isPlaceKept(run.state, place)) return refused(NOTHING_SAVED);
  return judged(before, wf, run.state, place, asked);
}
