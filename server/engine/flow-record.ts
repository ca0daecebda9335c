import type { FlowSettings } from '../contract/flow.ts';
import type { FlowShape } from '../items/flow-shape.ts';
import type { FlowSource } from '../items/flow-state.ts';
import type { NodeRun, RunRecord, RunSource, WorkflowShape } from '../items/run-record.ts';
import { shownParameters } from '../items/shown-parameters.ts';
import { readOutputs } from '../items/stored-output.ts';
import { type AppendList, itemsOf, listLength } from './append-list.ts';
import { type FlowProgram, type FlowRun, type FlowStepRun, runsOf } from './flow-run.ts';
import { own } from './own.ts';

const NODE_RUNS = new WeakMap<FlowStepRun, NodeRun>();
const LISTS = new WeakMap<AppendList<FlowStepRun>, readonly NodeRun[]>();
const SHAPES = new WeakMap<FlowShape, WorkflowShape>();

type Steps = FlowSettings['steps'];

/** By what other steps call a step: Dify's by their ids. */
export function nameOf(steps: Steps, key: string): string {
  const step = own(steps, key);
  return step?.id ?? step?.name ?? key;
}

/** A source by the name of its step. */
export function placeOf(steps: Steps, source: FlowSource | null): RunSource | null {
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
    at: run.at,
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

/** What has run of a flow, by the names of its steps. */
export function recordOf(
  { settings: { steps }, shape }: FlowProgram,
  flow: Pick<FlowRun, 'runs'>,
): RunRecord {
  const record = new Map<string, readonly NodeRun[]>();
  for (const key of shape.steps.keys()) {
    const list = runsOf(flow, key);
    if (listLength(list) > 0) record.set(nameOf(steps, key), listOf(steps, list));
  }
  return record;
}

/** A flow as far as reading earlier steps needs it. */
export function shapeOf(program: FlowProgram): WorkflowShape {
  const known = SHAPES.get(program.shape);
  if (known !== undefined) return known;
  const { settings, shape } = program;
  const made: WorkflowShape = {
    nodes: new Map(
      Object.values(settings.steps).map((step) => [step.id ?? step.name, shownParameters(step)]),
    ),
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
  /** The steps that called the workflow that it is of, from the outermost; empty = the run's own. */
  readonly within: readonly FlowCaller[];
}

/** A step that called a workflow. */
export interface FlowCaller {
  readonly key: string;
  readonly name: string;
  readonly run: number;
  /** Number of the call that it made. */
  readonly call: number;
}

/** What a spec says of its item flows: of the run's own, and of those that are called. */
export interface FlowsSettings {
  readonly root: Pick<FlowSettings, 'steps'>;
  readonly called: Readonly<Record<string, Pick<FlowSettings, 'steps'>>>;
}

type Unnumbered = Omit<FlowRunView, 'at'>;

function runsWithin(
  flows: FlowsSettings,
  { steps }: Pick<FlowSettings, 'steps'>,
  flow: Pick<FlowRun, 'runs'>,
  within: readonly FlowCaller[],
): readonly Unnumbered[] {
  const all = Object.entries(steps).flatMap(([key, { name, type }]) =>
    itemsOf(runsOf(flow, key)).map((one, run) => ({ key, name, type, one, run })),
  );
  return all
    .toSorted((first, second) => first.one.at - second.one.at)
    .flatMap(({ key, name, type, one, run }) => {
      const inside = (one.answer.called ?? []).flatMap((called, call) => {
        const settings = own(flows.called, called.workflow);
        const path = [...within, { key, name, run, call }];
        return settings === undefined ? [] : runsWithin(flows, settings, called, path);
      });
      const pinned = one.answer.pinned === true;
      return [...inside, { key, name, type, run, pinned, within, ...nodeRunOf(steps, one) }];
    });
}

/** All that has run of an item flow, in order; what a step called stands before its end. */
export function flowRunsOf(flows: FlowsSettings, flow: FlowRun): readonly FlowRunView[] {
  return runsWithin(flows, flows.root, flow, []).map((view, at) => ({ ...view, at }));
}
