import type { Misfit } from '../../contract/platform/recover.ts';
import { itemsOf, listLength, listOf } from '../append-list.ts';
import { canGoOn } from '../go-on.ts';
import { follow } from '../kinds/graph.ts';
import type {
  ConcurrentProgram,
  GraphProgram,
  ProgramWorkflow,
  TurnsWorkflow,
} from '../program.ts';
import type { Place, Settled } from '../resume-point.ts';
import { type SeqMap, seqValues, setSeq } from '../seq-map.ts';
import type { RestartPoint } from '../state.ts';
import { type Renames, renamed } from './rename-steps.ts';
import { restartPlace } from './restart-place.ts';

/** Where a run stopped, its steps under the names of the new spec. */
export interface Stop {
  /** The step that failed; null where none did, or where nobody kept it. */
  readonly restart: RestartPoint | null;
  /** The last place between two steps; null = nothing had ended. */
  readonly place: Place | null;
}

/** Where a run goes on under a spec, or why it cannot. */
export type Found =
  | {
      /** Null = at the very beginning. */
      readonly place: Place | null;
      /** The steps that it begins with. */
      readonly again: readonly string[];
    }
  | { readonly misfit: Misfit; readonly again: readonly string[] };

const ANEW = 'Start a new run, or run again from a checkpoint.';

function misfit(code: Misfit['code'], step: string | null, message: string): Found {
  return { misfit: { code, step, message }, again: step === null ? [] : [step] };
}

function gone(step: string): Found {
  return misfit(
    'step_gone',
    step,
    `The run stopped in '${step}', which the spec does not have or has switched off. Say which step of the spec it is now, keep a step of that id, or start a new run.`,
  );
}

function lost(): Found {
  return misfit(
    'place_lost',
    null,
    `The spec that the run stopped under cannot be read any more, so nobody knows whose turn it was. ${ANEW}`,
  );
}

/** The spec that the run stopped under; undefined where it cannot be built any more. */
interface Before<Wf extends ProgramWorkflow> {
  readonly before: Wf | undefined;
  readonly renames: Renames;
}

/** Whose turn of an order a number means, as the spec after calls it, and the how manieth of theirs in a round. */
function speakerAt({ before, renames }: Before<TurnsWorkflow>, next: number) {
  if (before === undefined) return undefined;
  const at = next % Math.max(1, before.order.length);
  const key = before.order[at];
  if (key === undefined) return undefined;
  return {
    key: renamed(renames, key),
    nth: before.order.slice(0, at).filter((k) => k === key).length,
  };
}

/** The same turn in the order of another spec; undefined when it has no such speaker. */
function turnIn(
  after: TurnsWorkflow,
  { key, nth }: { readonly key: string; readonly nth: number },
  round: number,
): number | undefined {
  const places = after.order.flatMap((each, at) => (each === key ? [at] : []));
  const at = places[Math.min(nth, places.length - 1)];
  return at === undefined ? undefined : round * after.order.length + at;
}

function turnsOver(after: TurnsWorkflow, step: string, round: number): Found {
  const limit = after.shape === 'group_chat' ? 'rounds' : 'max_iterations';
  const stands = after.shape === 'group_chat' ? `round ${round + 1}` : 'a later turn';
  return misfit(
    'turns_over',
    step,
    `The run stopped in ${stands}, at '${step}', and the spec ends before that. Raise ${limit}, or start a new run.`,
  );
}

function absent(after: TurnsWorkflow): Found | undefined {
  return after.absent === undefined
    ? undefined
    : misfit(
        'participant_absent',
        after.absent,
        `The sequence names '${after.absent}', which is switched off or not there. Enable it, or take it out of the sequence.`,
      );
}

/** A place of turns goes on with the same speaker, in the same round. */
function turnAfter(
  of: Before<TurnsWorkflow>,
  after: TurnsWorkflow,
  base: Place,
  restart: RestartPoint | null,
): Found {
  const { before } = of;
  const { next } = base;
  if (before !== undefined && next >= before.turn_count) {
    return { place: { ...base, next: after.turn_count }, again: [] };
  }
  const speaker =
    speakerAt(of, next) ?? (restart === null ? undefined : { key: restart.step, nth: 0 });
  if (speaker === undefined) return lost();
  const round = before === undefined ? 0 : Math.floor(next / Math.max(1, before.order.length));
  const turn = turnIn(after, speaker, after.shape === 'group_chat' ? round : 0);
  if (turn === undefined) return gone(speaker.key);
  if (turn >= after.turn_count) return turnsOver(after, speaker.key, round);
  return { place: { ...base, next: turn }, again: [speaker.key] };
}

function turnsPlace(of: Before<TurnsWorkflow>, after: TurnsWorkflow, stop: Stop): Found {
  const { restart } = stop;
  const missing = absent(after);
  if (missing !== undefined) return missing;
  const base = stop.place ?? (restart === null ? null : restartPlace(after, restart));
  if (base === null)
    return { place: null, again: after.order.slice(0, after.turn_count > 0 ? 1 : 0) };
  if (base.go.kind === 'end') return { place: base, again: [] };
  const next = stop.place?.next ?? restart?.index ?? 0;
  return turnAfter(of, after, { ...base, next }, restart);
}

/** What the participants of a concurrent workflow gave, at their places in another spec. */
function concurrentPlace(after: ConcurrentProgram, { place }: Stop): Found {
  const isHuman = (key: string): boolean => after.steps.get(key)?.kind === 'human';
  if (place === null) return { place, again: after.order.filter((key) => !isHuman(key)) };
  const given = [...seqValues(place.settled)];
  // Participants are visited in the order of their places.
  const keys = itemsOf(place.visited);
  const taken = new Set<number>();
  let settled: SeqMap<Settled> = {};
  for (const [at, one] of given.entries()) {
    const slot = after.order.findIndex((key, index) => key === keys[at] && !taken.has(index));
    if (slot < 0) continue;
    taken.add(slot);
    settled = setSeq(settled, slot, one);
  }
  const visited = listOf(after.order.filter((_, slot) => taken.has(slot)));
  const again = after.order.filter((key, slot) => !taken.has(slot) && !isHuman(key));
  return { place: { ...place, settled, visited, next: 0 }, again };
}

function graphPlaceOf({ place, restart }: Stop, after: GraphProgram): Place | null {
  if (restart === null) return place;
  const made = restartPlace(after, restart);
  if (place === null) return made;
  // What was said before is kept, as in a run that did not fail.
  return { ...made, thread: place.thread, last_messages: place.last_messages };
}

/** The step that a flow is in, or that stands first in its line. */
function flowStep({ flow }: Place): string | undefined {
  if (flow === undefined) return undefined;
  return flow.now?.arrival.step ?? flow.schedule.line.at(0)?.at(0)?.step;
}

function moved(step: string): Found {
  return misfit(
    'items_moved',
    step,
    `Items of the run wait at wires that the spec does not have any more. Keep the steps and wires up to '${step}', or start a new run.`,
  );
}

/** Set for a graph that would end at its step cap instead of running the step that follows. */
function atCap(
  { max_steps }: GraphProgram,
  { visited }: Place,
  next: string,
  or: string,
): Found | undefined {
  const taken = listLength(visited);
  return taken < max_steps
    ? undefined
    : misfit(
        'at_step_cap',
        next,
        `The run has taken ${taken} steps, and max_steps is ${max_steps}. Raise it, or ${or}.`,
      );
}

/** A graph goes on at a node that has ended: the edges of the new spec lead on. */
function routedPlace(after: GraphProgram, place: Place): Found {
  const { go } = place;
  if (go.kind !== 'route') return { place, again: [] };
  if (!after.steps.has(go.node)) return gone(go.node);
  const next = follow(after, go);
  if (next === undefined) return { place, again: [] };
  return atCap(after, place, next, `change the edges of '${go.node}'`) ?? { place, again: [next] };
}

/** A flow counts a step that stopped like one that follows. */
function flowPlace(after: GraphProgram, place: Place, step: string | undefined): Found {
  if (step === undefined) return { place, again: [] };
  return atCap(after, place, step, 'start a new run') ?? { place, again: [step] };
}

function graphPlace(after: GraphProgram, stop: Stop): Found {
  const place = graphPlaceOf(stop, after);
  if (place === null) return { place, again: [after.start] };
  if (place.go.kind === 'end') return { place, again: [] };
  if (place.go.kind === 'route' && after.flow === undefined) return routedPlace(after, place);
  const step = place.go.kind === 'node' ? place.go.node : flowStep(place);
  if (step !== undefined && !after.steps.has(step)) return gone(step);
  if (!canGoOn(after, place)) return moved(step ?? after.start);
  if (after.flow !== undefined) return flowPlace(after, place, step);
  return { place, again: step === undefined ? [] : [step] };
}

/** Where a run that stopped goes on under a spec of the same kind. */
export function placeUnder(
  before: ProgramWorkflow | undefined,
  after: ProgramWorkflow,
  stop: Stop,
  renames: Renames,
): Found {
  if (after.shape === 'concurrent') return concurrentPlace(after, stop);
  if (after.shape === 'graph') return graphPlace(after, stop);
  const turns = before?.shape === after.shape ? before : undefined;
  return turnsPlace({ before: turns, renames }, after, stop);
}
