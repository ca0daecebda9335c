import type { Arrival, FlowSource, FlowState } from '../../items/flow-state.ts';
import { type AppendList, itemsOf, listOf } from '../append-list.ts';
import type { FlowRun, FlowStepRun } from '../flow-run.ts';
import type { Message } from '../message.ts';
import { type NameMap, setNamed } from '../name-map.ts';
import { own } from '../own.ts';
import type { GoOn, Place, Settled } from '../resume-point.ts';
import { type SeqMap, seqEntries, seqValues, setSeq } from '../seq-map.ts';
import type { RestartPoint, StepCount } from '../state.ts';

// What is saved of a run, with the steps of its own workflow under other names.

/** Old name → new name. */
export type Renames = Readonly<Record<string, string>>;

/** What a step is called now. */
export function renamed(renames: Renames, key: string): string {
  return own(renames, key) ?? key;
}

function names(renames: Renames, list: AppendList<string>): AppendList<string> {
  return listOf(itemsOf(list).map((key) => renamed(renames, key)));
}

function source(renames: Renames, from: FlowSource | null): FlowSource | null {
  return from === null ? null : { ...from, step: renamed(renames, from.step) };
}

function arrival(renames: Renames, { step, sources, ...rest }: Arrival): Arrival {
  return {
    ...rest,
    step: renamed(renames, step),
    sources: sources.map((from) => source(renames, from)),
  };
}

function schedule(renames: Renames, { line, waiting, ran, joins }: FlowState): FlowState {
  const sourceOf = (from: FlowSource): FlowSource => ({
    ...from,
    step: renamed(renames, from.step),
  });
  return {
    line: line.map((part) => part.map((each) => arrival(renames, each))),
    waiting: waiting.map(({ step, came }) => ({
      step: renamed(renames, step),
      came: came.map((deque) => deque.map((part) => part.map(sourceOf))),
    })),
    ran: ran.map((step) => renamed(renames, step)),
    ...(joins === undefined
      ? {}
      : {
          joins: Object.fromEntries(
            Object.entries(joins).map(([step, { open, came }]) => [
              renamed(renames, step),
              { open, came: source(renames, came) },
            ]),
          ),
        }),
  };
}

function flowRun(renames: Renames, flow: FlowRun): FlowRun {
  let runs: NameMap<AppendList<FlowStepRun>> = {};
  for (const bucket of seqValues(flow.runs)) {
    for (const [step, list] of Object.entries(bucket)) {
      const moved = itemsOf(list).map((run) => ({
        ...run,
        arrival: arrival(renames, run.arrival),
      }));
      runs = setNamed(runs, renamed(renames, step), listOf(moved));
    }
  }
  const { now, last_step } = flow;
  return {
    ...flow,
    schedule: schedule(renames, flow.schedule),
    runs,
    now: now === null ? null : { ...now, arrival: arrival(renames, now.arrival) },
    ...(last_step === undefined ? {} : { last_step: renamed(renames, last_step) }),
  };
}

function goOn(renames: Renames, go: GoOn): GoOn {
  return go.kind === 'route' || go.kind === 'node'
    ? { ...go, node: renamed(renames, go.node) }
    : go;
}

function flowOf(renames: Renames, { flow }: { readonly flow?: FlowRun }) {
  return flow === undefined ? {} : { flow: flowRun(renames, flow) };
}

/** What steps said is said under their names. */
function spoken(renames: Renames, said: Message): Message {
  const { role, name } = said;
  return role === 'assistant' && name !== null ? { ...said, name: renamed(renames, name) } : said;
}

function settledOf(renames: Renames, { settled }: Place): SeqMap<Settled> {
  let moved = settled;
  for (const [slot, given] of seqEntries(settled)) {
    const added = given.added.map((said) => spoken(renames, said));
    moved = setSeq(moved, slot, { ...given, added });
  }
  return moved;
}

/** A place, its steps under their new names. */
export function renamedPlace(renames: Renames, place: Place): Place {
  return {
    ...place,
    go: goOn(renames, place.go),
    thread: listOf(itemsOf(place.thread).map((said) => spoken(renames, said))),
    settled: settledOf(renames, place),
    visited: names(renames, place.visited),
    ...flowOf(renames, place),
  };
}

/** Where a run failed, its steps under their new names. */
export function renamedRestart(renames: Renames, restart: RestartPoint): RestartPoint {
  return {
    ...restart,
    step: renamed(renames, restart.step),
    visited: names(renames, restart.visited),
    ...flowOf(renames, restart),
  };
}

/** `step|node`, as the counts of step ends name a step. */
function countKey(renames: Renames, key: string): string {
  const at = key.lastIndexOf('|');
  const [step, node] = [key.slice(0, at), key.slice(at + 1)];
  return `${renamed(renames, step)}|${renamed(renames, node)}`;
}

/** The counts of step ends under the new names. */
export function renamedCounts(renames: Renames, counts: SeqMap<StepCount>): SeqMap<StepCount> {
  let moved: SeqMap<StepCount> = {};
  let at = 0;
  for (const count of seqValues(counts)) {
    moved = setSeq(moved, at, { ...count, key: countKey(renames, count.key) });
    at += 1;
  }
  return moved;
}
