import type { FlowSettings, FlowStepSettings } from '../contract/flow.ts';
import type { Item } from '../items/item.ts';
import type { RunRecord, RunSource, WorkflowShape } from '../items/run-record.ts';
import { readOutput } from '../items/stored-output.ts';
import type { JsonObject } from '../kernel/json.ts';
import { findLastItem, listLength } from './append-list.ts';
import type { CallFunction } from './effect.ts';
import { placeOf, recordOf, shapeOf } from './flow-record.ts';
import { runsOf } from './flow-run.ts';
import { inputOf } from './kinds/flow.ts';
import { own } from './own.ts';
import type { Program } from './program.ts';
import { getSeq } from './seq-map.ts';
import type { RunState, WorkflowFrame } from './state.ts';

/** What a built-in step is called with: all of it read out of the run's state. */
export interface FlowCall {
  readonly flow: FlowSettings;
  readonly step: FlowStepSettings;
  /** The instructions of the agent that the step asks; null for another step. */
  readonly instructions: string | null;
  /** Items by input; null where nothing came. */
  readonly inputs: readonly (readonly Item[] | null)[];
  /** Where the items of the first input come from. */
  readonly source: RunSource | null;
  /** How often the step ran before in this run. */
  readonly runIndex: number;
  /** Differs from step to step: how many of the flow ended before, or more in a called workflow. */
  readonly count: number;
  readonly kept: JsonObject;
  readonly shape: WorkflowShape;
  readonly record: RunRecord;
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
  const frame = workflowOf(state, effect);
  const flow = frame?.flow;
  const name = frame?.workflow ?? null;
  const wf = name === null ? program.root_workflow : own(program.workflows, name);
  const built = wf?.shape === 'graph' ? wf.flow : undefined;
  const arrival = flow?.now?.arrival;
  if (flow === undefined || built === undefined || arrival === undefined)
    throw new TypeError('the effect is none of an item flow');
  const step = own(built.settings.steps, arrival.step);
  if (step === undefined) throw new TypeError(`the flow says nothing of '${arrival.step}'`);
  const runs = runsOf(flow, arrival.step);
  const inputs = built.shape.steps.get(arrival.step)?.inputs ?? 1;
  const target = wf?.steps.get(arrival.step);
  const agent = target?.kind === 'agent' ? own(program.agents, target.ref) : undefined;
  return {
    flow: built.settings,
    step,
    instructions: agent?.system_prompt ?? null,
    inputs: Array.from({ length: inputs }, (_, input) => {
      const stored = inputOf(flow, arrival, input);
      return stored === null ? null : readOutput(stored);
    }),
    source: placeOf(built.settings.steps, arrival.sources[0] ?? null),
    runIndex: listLength(runs),
    count: name === null ? flow.count : flow.count + Number(frame?.id.slice(1)),
    kept: findLastItem(runs, () => true)?.answer.context ?? {},
    shape: shapeOf(built),
    record: recordOf(built, flow),
  };
}
