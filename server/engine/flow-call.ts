import type { FlowSettings, FlowStepSettings } from '../contract/flow.ts';
import type { FlowSource } from '../items/flow.ts';
import type { FlowShape } from '../items/flow-shape.ts';
import type { Item } from '../items/item.ts';
import type { NodeRun, RunRecord, RunSource, WorkflowShape } from '../items/run-record.ts';
import { readOutput, readOutputs } from '../items/stored-output.ts';
import type { JsonObject } from '../kernel/json.ts';
import { type AppendList, findLastItem, itemsOf, listLength } from './append-list.ts';
import type { CallFunction } from './effect.ts';
import { type FlowProgram, type FlowRun, type FlowStepRun, runsOf } from './flow-run.ts';
import { inputOf } from './kinds/flow.ts';
import { own } from './own.ts';
import type { Program } from './program.ts';
import { getSeq } from './seq-map.ts';
import type { RunState, WorkflowFrame } from './state.ts';

/** What a built-in step is called with: all of it read out of the run's state. */
export interface FlowCall {
  readonly flow: FlowSettings;
  readonly step: FlowStepSettings;
  /** Items by input; null where nothing came. */
  readonly inputs: readonly (readonly Item[] | null)[];
  /** Where the items of the first input come from. */
  readonly source: RunSource | null;
  /** How often the step ran before in this run. */
  readonly runIndex: number;
  /** How many steps of the flow ended before. */
  readonly count: number;
  readonly kept: JsonObject;
  readonly shape: WorkflowShape;
  readonly record: RunRecord;
}

const NODE_RUNS = new WeakMap<FlowStepRun, NodeRun>();
const LISTS = new WeakMap<AppendList<FlowStepRun>, readonly NodeRun[]>();
const SHAPES = new WeakMap<FlowShape, WorkflowShape>();

type Steps = FlowSettings['steps'];

function nameOf(steps: Steps, key: string): string {
  return own(steps, key)?.name ?? key;
}

function placeOf(steps: Steps, source: FlowSource | null): RunSource | null {
  if (source === null) return null;
  return { node: nameOf(steps, source.step), output: source.output, run: source.run };
}

/** Items are read when somebody looks at them. */
function nodeRunOf(steps: Steps, run: FlowStepRun): NodeRun {
  const known = NODE_RUNS.get(run);
  if (known !== undefined) return known;
  const { arrival, answer } = run;
  const made: NodeRun = {
    sources: arrival.sources.map((source) => placeOf(steps, source)),
    get outputs() {
      return readOutputs(answer.outputs);
    },
    ...(answer.context === undefined ? {} : { context: answer.context }),
  };
  NODE_RUNS.set(run, made);
  return made;
}

function listOf(steps: Steps, list: AppendList<FlowStepRun>): readonly NodeRun[] {
  const known = LISTS.get(list);
  if (known !== undefined) return known;
  const made = itemsOf(list).map((run) => nodeRunOf(steps, run));
  LISTS.set(list, made);
  return made;
}

function recordOf({ settings: { steps }, shape }: FlowProgram, flow: FlowRun): RunRecord {
  const record = new Map<string, readonly NodeRun[]>();
  for (const key of shape.steps.keys()) {
    const list = runsOf(flow, key);
    if (listLength(list) > 0) record.set(nameOf(steps, key), listOf(steps, list));
  }
  return record;
}

function shapeOf(program: FlowProgram): WorkflowShape {
  const known = SHAPES.get(program.shape);
  if (known !== undefined) return known;
  const { settings, shape } = program;
  const made: WorkflowShape = {
    nodes: new Map(Object.values(settings.steps).map(({ name, parameters }) => [name, parameters])),
    connections: [...shape.edgesFrom.values()].flat().map(({ from, output, to, input }) => ({
      from: nameOf(settings.steps, from),
      output,
      to: nameOf(settings.steps, to),
      input,
    })),
  };
  SHAPES.set(shape, made);
  return made;
}

/** The workflow that an effect works for. */
function workflowOf(state: RunState, effect: CallFunction): WorkflowFrame | undefined {
  const pending = getSeq(state.pending, Number(effect.id.slice(1)));
  let at = pending?.frame ?? null;
  while (at !== null) {
    const frame = getSeq(state.frames, Number(at.slice(1)));
    if (frame?.kind === 'workflow') return frame;
    at = frame?.parent ?? null;
  }
  return undefined;
}

/**
 * What goes into the built-in step that an effect calls.
 * @throws TypeError when the effect is none of a flow's step in progress
 */
export function flowCallOf(program: Program, state: RunState, effect: CallFunction): FlowCall {
  const flow = workflowOf(state, effect)?.flow;
  const wf = program.root_workflow;
  const built = wf?.shape === 'graph' ? wf.flow : undefined;
  const arrival = flow?.now?.arrival;
  if (flow === undefined || built === undefined || arrival === undefined)
    throw new TypeError('the effect is none of an item flow');
  const step = own(built.settings.steps, arrival.step);
  if (step === undefined) throw new TypeError(`the flow says nothing of '${arrival.step}'`);
  const runs = runsOf(flow, arrival.step);
  const inputs = built.shape.steps.get(arrival.step)?.inputs ?? 1;
  return {
    flow: built.settings,
    step,
    inputs: Array.from({ length: inputs }, (_, input) => {
      const stored = inputOf(flow, arrival, input);
      return stored === null ? null : readOutput(stored);
    }),
    source: placeOf(built.settings.steps, arrival.sources[0] ?? null),
    runIndex: listLength(runs),
    count: flow.count,
    kept: findLastItem(runs, () => true)?.answer.context ?? {},
    shape: shapeOf(built),
    record: recordOf(built, flow),
  };
}

/** One time that a step of a flow ran, as its source tells it. */
export interface FlowRunView extends NodeRun {
  readonly key: string;
  readonly name: string;
  readonly type: string;
  /** Number of this run of the step, from 0. */
  readonly run: number;
  /** Number of it among all, from 0. */
  readonly at: number;
  readonly pinned: boolean;
}

/** All that has run of an item flow, in order; a run's last place and its restart hold one. */
export function flowRunsOf({ steps }: FlowSettings, flow: FlowRun): readonly FlowRunView[] {
  const views = Object.entries(steps).flatMap(([key, { name, type }]) =>
    itemsOf(runsOf(flow, key)).map((one, run): FlowRunView => {
      const pinned = one.answer.pinned === true;
      return { key, name, type, run, at: one.at, pinned, ...nodeRunOf(steps, one) };
    }),
  );
  return views.toSorted((one, other) => one.at - other.at);
}
