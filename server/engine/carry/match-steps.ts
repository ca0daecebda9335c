import type { Misfit } from '../../contract/platform/recover.ts';
import { stepsAhead } from '../../items/flow.ts';
import { itemsOf } from '../append-list.ts';
import { own } from '../own.ts';
import type { ProgramStep, ProgramWorkflow } from '../program.ts';
import type { Place } from '../resume-point.ts';
import type { RestartPoint } from '../state.ts';
import type { Renames } from './rename-steps.ts';

/** What somebody says of steps that a spec does not have: what it calls them; null = none of its steps is it. */
export type AskedRenames = Readonly<Record<string, string | null>>;

/** How the steps that a run knows are found in another spec. */
export interface Matched {
  readonly renames: Renames;
  /** Steps of the run that the spec lacks under their name; the one that it stopped in comes first. */
  readonly missing: readonly string[];
  /** Steps of the spec that the run does not know. */
  readonly free: readonly string[];
  readonly misfits: readonly Misfit[];
}

/** The ids of the steps of a workflow, in its order. */
export function stepKeys(wf: ProgramWorkflow): readonly string[] {
  return wf.shape === 'graph' ? [...wf.steps.keys()] : [...new Set(wf.order)];
}

/** The steps of a run that must be found, or it does not go on. */
function needed(
  before: ProgramWorkflow | undefined,
  restart: RestartPoint | null,
  place: Place | null,
): string[] {
  const flow = restart?.flow ?? place?.flow;
  const lined = flow === undefined ? [] : stepsAhead(flow.schedule);
  const now = flow?.now == null ? [] : [flow.now.arrival.step];
  return [...stoppedIn(before, restart, place), ...now, ...lined];
}

function stoppedIn(
  before: ProgramWorkflow | undefined,
  restart: RestartPoint | null,
  place: Place | null,
): string[] {
  if (restart !== null) return [restart.step];
  if (place === null) return [];
  const { go } = place;
  if (go.kind === 'route' || go.kind === 'node') return [go.node];
  if (before === undefined || before.shape === 'graph' || before.shape === 'concurrent') return [];
  const turn = place.next < before.turn_count ? before.order[place.next % before.order.length] : '';
  return turn === undefined || turn === '' ? [] : [turn];
}

function isAlike(was: ProgramStep | undefined, is: ProgramStep | undefined): boolean {
  return was !== undefined && was.kind === is?.kind && was.ref === is.ref;
}

function unknownName(was: string, is: string): Misfit {
  return {
    code: 'rename_unknown',
    step: was,
    message: `'${was}' cannot go on as '${is}': choose a step of the spec that the run does not know yet, each for one step only.`,
  };
}

function askedFor(
  asked: AskedRenames,
  missing: readonly string[],
  free: readonly string[],
): Pick<Matched, 'renames' | 'misfits'> {
  const renames: Record<string, string> = {};
  const misfits: Misfit[] = [];
  const taken = new Set<string>();
  for (const was of missing) {
    const is = own(asked, was) ?? null;
    if (is === null) continue;
    if (free.includes(is) && !taken.has(is)) {
      taken.add(is);
      renames[was] = is;
    } else misfits.push(unknownName(was, is));
  }
  return { renames, misfits };
}

/**
 * Finds the steps that a run knows in another spec. Where one of the old spec and one of the new have
 * no counterpart, they are one step: if the run cannot go on without it, or if both do the same.
 */
export function matchSteps(
  before: ProgramWorkflow | undefined,
  after: ProgramWorkflow,
  from: { readonly restart: RestartPoint | null; readonly place: Place | null },
  asked: AskedRenames,
): Matched {
  const { restart, place } = from;
  const must = needed(before, restart, place);
  const visited = itemsOf((restart ?? place)?.visited ?? { full: [], tail: [] });
  const known = [...new Set([...must, ...visited])];
  const has = new Set(stepKeys(after));
  const old = new Set([...(before === undefined ? [] : stepKeys(before)), ...known]);
  const missing = known.filter((key) => !has.has(key));
  const free = [...has].filter((key) => !old.has(key));
  const told = askedFor(asked, missing, free);
  const [was] = missing;
  const [is] = free;
  const lost = [...old].filter((key) => !has.has(key));
  const single = lost.length === 1 && free.length === 1 && was !== undefined && is !== undefined;
  if (!single || Object.hasOwn(asked, was)) return { ...told, missing, free };
  const same = must.includes(was) || isAlike(before?.steps.get(was), after.steps.get(is));
  return { ...told, renames: same ? { [was]: is } : {}, missing, free };
}
