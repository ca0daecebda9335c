import { type CallEnd, type CallingStep, itemsCalled } from '../../items/called-items.ts';
import type { Item } from '../../items/item.ts';
import { originOf } from '../../items/pairing.ts';
import {
  readOutput,
  readOutputs,
  type StoredOutput,
  storeItems,
  storeOutputs,
} from '../../items/stored-output.ts';
import { append, itemsOf, listLength, listOf } from '../append-list.ts';
import { recordOf } from '../flow-record.ts';
import type { FlowAnswer, FlowProgram, FlowRun } from '../flow-run.ts';
import { WORKFLOW_START } from '../leg.ts';
import { message } from '../message.ts';
import { getNamed } from '../name-map.ts';
import { own } from '../own.ts';
import type { GraphProgram, ProgramStep } from '../program.ts';
import type { FlowCallEnd, FlowCalls, Outcome, StepFrame } from '../state.ts';
import type { Turn } from '../turn.ts';

// A step of an item flow that calls another one: with all of its items, or once for each.

/** The registry's name for what says with which items a workflow is called. */
const CALL = 'n8n.executeWorkflow';
const CALLED_TRIGGER = 'n8n-nodes-base.executeWorkflowTrigger';

/** Whether the workflow that a step refers to is an item flow, which takes items and gives some. */
export function callsFlow(turn: Turn, step: ProgramStep): boolean {
  if (step.kind !== 'workflow') return false;
  const wf = turn.workflow(step.ref);
  return wf.shape === 'graph' && wf.flow !== undefined;
}

/** Asks with which items the workflow is to be called. */
export function prepareCalls(turn: Turn, frame: StepFrame, stepId: string): void {
  turn.open(frame, 0, {
    kind: 'function',
    function: CALL,
    purpose: 'step',
    text: frame.input,
    top_k: null,
    step_id: stepId,
    flow: 'call',
  });
}

function conductOf({ answer }: FlowCalls) {
  return answer.calls ?? { each: false, waits: true };
}

function given({ answer }: FlowCalls): readonly Item[] {
  const [output] = answer.outputs;
  return output === undefined || output === null ? [] : readOutput(output);
}

/** What the next call is made with; null when all were made. */
function nextGiven(calls: FlowCalls): StoredOutput | null {
  const made = listLength(calls.ends);
  if (!conductOf(calls).each) return made > 0 ? null : (calls.answer.outputs[0] ?? storeItems([]));
  const item = given(calls)[made];
  return item === undefined ? null : storeItems([item]);
}

function settingsOf(turn: Turn, frame: StepFrame) {
  const wf = turn.workflow(frame.workflow);
  return wf.shape === 'graph' ? own(wf.flow?.settings.steps ?? {}, frame.step) : undefined;
}

function endOf(end: FlowCallEnd): CallEnd {
  return 'error' in end ? end : { outputs: readOutputs(end.outputs) };
}

function withOne(answer: FlowAnswer, given: readonly Item[]): FlowAnswer {
  if ((answer.outputs[0]?.count ?? 0) > 0) return answer;
  const pairedItem = given.map((_, item) => ({ item }));
  const [first] = storeOutputs([[{ json: {}, pairedItem }]]);
  return { ...answer, outputs: [first ?? null, ...answer.outputs.slice(1)] };
}

/** What the step gives, now that all calls were made. */
function answerOf(turn: Turn, frame: StepFrame, calls: FlowCalls): FlowAnswer {
  const settings = settingsOf(turn, frame);
  const ends = itemsOf(calls.ends);
  const step: CallingStep = {
    ...conductOf(calls),
    given: given(calls),
    onError: settings?.on_error ?? 'stop',
  };
  const called = ends.flatMap((end) => ('error' in end ? [] : end.called));
  const answer = { outputs: storeOutputs(itemsCalled(step, ends.map(endOf))), called };
  return settings?.always_output === true ? withOne(answer, step.given) : answer;
}

function goOn(turn: Turn, frame: StepFrame, step: ProgramStep, calls: FlowCalls): Outcome | null {
  const handed = nextGiven(calls);
  if (handed === null)
    return { ok: true, value: { kind: 'items', answer: answerOf(turn, frame, calls) } };
  const calling: StepFrame = { ...frame, calls };
  turn.put(calling);
  turn.open(calling, 0, {
    ...WORKFLOW_START,
    workflow: step.ref,
    traced: true,
    outer_span_id: frame.span_id,
    input: handed.json,
    thread: listOf([message('user', handed.json)]),
    handed,
  });
  return null;
}

/** How a call that failed ends; undefined when the step fails with it. */
function failedCall(turn: Turn, frame: StepFrame, calls: FlowCalls, outcome: Outcome) {
  if (outcome.ok || outcome.error.stop) return undefined;
  const { waits } = conductOf(calls);
  const isHandled = (settingsOf(turn, frame)?.on_error ?? 'stop') !== 'stop';
  return waits && !isHandled ? undefined : { error: outcome.error.message };
}

/**
 * What the step was prepared with, or a call that it made, ended.
 * @returns what its target gave in all, or null when there is a further call
 */
export function callEnded(
  turn: Turn,
  frame: StepFrame,
  step: ProgramStep,
  outcome: Outcome,
): Outcome | null {
  const calls = frame.calls ?? null;
  if (calls === null) {
    const answer = outcome.ok && outcome.value.kind === 'items' ? outcome.value.answer : undefined;
    if (answer?.calls === undefined) return outcome;
    return goOn(turn, frame, step, { answer, ends: listOf([]) });
  }
  const result = outcome.ok && outcome.value.kind === 'result' ? outcome.value.result : undefined;
  if (result?.capped === true) return outcome;
  const end =
    result?.flow === undefined
      ? failedCall(turn, frame, calls, outcome)
      : { outputs: result.flow.outputs, called: result.flow.called ?? [] };
  if (end === undefined) return outcome;
  return goOn(turn, frame, step, { ...calls, ends: append(calls.ends, end) });
}

/** The step with which a called workflow begins: the one that its source has for calls. */
export function calledStart({ settings }: FlowProgram, wf: GraphProgram): string {
  const found = Object.entries(settings.steps).find(
    ([key, { type, disabled }]) =>
      type === CALLED_TRIGGER && disabled !== true && wf.steps.has(key),
  );
  return found?.[0] ?? wf.start;
}

/** The items of the step that ended last, each with the one of those that were handed in that it was made of. */
export function calledAnswer(workflow: string, program: FlowProgram, flow: FlowRun): FlowAnswer {
  const record = recordOf(program, flow);
  const called = [{ workflow, runs: flow.runs }];
  const { last_step: key = '' } = flow;
  const node = program.settings.steps[key]?.name ?? key;
  const run = listLength(getNamed(flow.runs, key) ?? listOf([])) - 1;
  const outputs = readOutputs(flow.last).map(
    (items, output) =>
      items?.map(({ pairedItem: _, ...item }, at): Item => {
        const origin = originOf(record, { node, output, run, item: at });
        return origin === undefined ? item : { ...item, pairedItem: { item: origin } };
      }) ?? null,
  );
  return { outputs: storeOutputs(outputs), called };
}
