import type { FlowSettings } from '../contract/flow.ts';
import type { CallConduct } from '../items/called-items.ts';
import type { FlowEdge, FlowShape } from '../items/flow-shape.ts';
import type { Arrival, FlowState } from '../items/flow-state.ts';
import type { StoredOutput, StoredOutputs } from '../items/stored-output.ts';
import { isJsonObject, type Json, type JsonObject } from '../kernel/json.ts';
import type { Condition } from '../spec/schema/spec-types.ts';
import { type AppendList, listOf } from './append-list.ts';
import { getNamed, type NameMap } from './name-map.ts';

/** A graph that runs as an item flow (decision record 0024). */
export interface FlowProgram {
  readonly settings: FlowSettings;
  readonly shape: FlowShape;
  /** What must hold of a step's text and metadata for an edge, where that is more than an output. */
  readonly conditions: ReadonlyMap<FlowEdge, Condition>;
}

/** What a built-in step gave: the value that answers its effect. */
export interface FlowAnswer {
  readonly outputs: StoredOutputs;
  /** What the step keeps for its next run. */
  readonly context?: JsonObject;
  /** Its items go on at this moment, in milliseconds since the epoch. */
  readonly wait_until?: number;
  /** What the run answers to whoever began it. */
  readonly response?: JsonObject;
  /** Why the step failed, where its source goes on with its input all the same. */
  readonly failed?: string;
  /** The items came with the run's input: the step itself did not run. */
  readonly pinned?: true;
  /** The first output is what a workflow is to be called with. */
  readonly calls?: CallConduct;
  /** The workflows that the step called, as they ended. */
  readonly called?: readonly CalledFlow[];
}

/** A workflow that a step called, after its end. */
export interface CalledFlow {
  /** Name of the component. */
  readonly workflow: string;
  readonly runs: NameMap<AppendList<FlowStepRun>>;
}

/** One time that a step of a flow ran. */
export interface FlowStepRun {
  /** How many steps of the flow had ended before. */
  readonly at: number;
  readonly arrival: Arrival;
  readonly answer: FlowAnswer;
}

/** What a step of text is asked; `system`: the instructions of its agent for this one time. */
export type Asked = string | { readonly text: string; readonly system: string };

function isAsked(value: Json): value is Json & Asked {
  if (typeof value === 'string') return true;
  if (!isJsonObject(value)) return false;
  return typeof value['text'] === 'string' && typeof value['system'] === 'string';
}

/** Reads the value of an effect that says what a step of text is asked, item by item. */
export function readAsked(value: Json): readonly Asked[] {
  if (Array.isArray(value) && value.every(isAsked)) return value;
  throw new TypeError('a prompt is read as one text for each item');
}

/** The step in progress. */
interface FlowNow {
  readonly arrival: Arrival;
  /** Steps of text: what they are asked, item by item; null = they are none, or it is not known yet. */
  readonly asked: readonly Asked[] | null;
  /** What they have answered so far. */
  readonly said: readonly string[];
}

/** An item flow in progress. */
export interface FlowRun {
  readonly schedule: FlowState;
  readonly runs: NameMap<AppendList<FlowStepRun>>;
  readonly count: number;
  readonly now: FlowNow | null;
  /** What the run was given. */
  readonly given: StoredOutput;
  /** Items that came with the run's input in place of what steps would give, by the step's name. */
  readonly pinned: Readonly<Record<string, StoredOutput>>;
  /** The outputs of the step that ended last. */
  readonly last: StoredOutputs;
  /** The step that ended last; absent in runs of earlier versions. */
  readonly last_step?: string;
  /** Why that step failed: the flow has failed when nothing runs behind it. */
  readonly failed: string | null;
  readonly response: JsonObject | null;
}

/** The runs of a step so far. */
export function runsOf(flow: Pick<FlowRun, 'runs'>, key: string): AppendList<FlowStepRun> {
  return getNamed(flow.runs, key) ?? listOf<FlowStepRun>([]);
}

function isStored(value: Json): value is Json & (StoredOutput | null) {
  if (value === null) return true;
  if (!isJsonObject(value)) return false;
  const { count, json, beside } = value;
  return typeof count === 'number' && typeof json === 'string' && typeof beside === 'string';
}

function storedOutputs(value: Json | undefined): StoredOutputs {
  if (!Array.isArray(value)) throw new TypeError('a built-in step gives outputs');
  return value.map((output) => {
    if (isStored(output)) return output;
    throw new TypeError('an output of a built-in step has no known form');
  });
}

/** Reads the value of an effect that called a built-in step. */
export function readFlowAnswer(value: Json): FlowAnswer {
  if (!isJsonObject(value)) throw new TypeError('a built-in step gives an object');
  const { outputs, context, wait_until, response, failed, calls } = value;
  return {
    outputs: storedOutputs(outputs),
    ...(context !== undefined && isJsonObject(context) ? { context } : {}),
    ...(typeof wait_until === 'number' ? { wait_until } : {}),
    ...(typeof failed === 'string' ? { failed } : {}),
    ...(response !== undefined && isJsonObject(response) ? { response } : {}),
    ...(calls !== undefined && isJsonObject(calls)
      ? { calls: { each: calls['each'] === true, waits: calls['waits'] !== false } }
      : {}),
  };
}

/** The fields of the items that a step gave, as the text that trace and guardrails see. */
export function answerText({ outputs }: FlowAnswer): string {
  return outputs.find((output) => output !== null && output.count > 0)?.json ?? '[]';
}
