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
import { nameOf, recordOf } from '../flow-record.ts';
import { type FlowAnswer, type FlowProgram, type FlowRun, runsOf } from '../flow-run.ts';
import { WORKFLOW_START } from '../leg.ts';
import { message } from '../message.ts';
import { own } from '../own.ts';
import { flowIn, type GraphProgram, type ProgramStep } from '../program.ts';
import type { FlowCallEnd, FlowCalls, Outcome, StepFrame } from '../state.ts';
import type { Turn } from '../turn.ts';

// A step of an item flow that calls another one: with all of its items, or once for each.

/** The registry's name for what says with which items a workflow is called. */
const CALL = 'n8n.executeWorkflow';
const CALLED_TRIGGER = 'n8n-nodes-base.executeWorkflowTrigger';

/** Whether the workflow that a step refers to is an item flow, which takes items and gives some. */
export function callsFlow(turn: Turn, step: ProgramStep): boolean {
  return step.kind === 'workflow' && flowIn(turn.workflow(step.ref)) !== undefined;
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

function given({ answer }: FlowCalls): readonly Item[] {
  const [output] = answer.outputs;
  return output === undefined || output === null ? [] : readOutput(output);
}

/** What the next call is made with; null when all were made. */
function nextGiven(calls: FlowCalls): StoredOutput | null {
  const made = listLength(calls.ends);
  if (!calls.answer.calls.each)
    return made > 0 ? null : (calls.answer.outputs[0] ?? storeItems([]));
  const item = given(calls)[made];
  return item === undefined ? null : storeItems([item]);
}

function settingsOf(turn: Turn, frame: StepFrame) {
  const flow = flowIn(turn.workflow(frame.workflow));
  return flow && own(flow.settings.steps, frame.step);
}

function endOf(end: FlowCallEnd): CallEnd {
  return 'error' in end ? end : { outputs: readOutputs(end.outputs) };
}

function withOne(answer: FlowAnswer, given: readonly Item[]): FlowAnswer {
  if ((answer.outputs[0]?.count ?? 0) > 0) return answer;
  const pairedItem = given.map((_, item) => ({ item }));
  return {
    ...answer,
    outputs: [storeItems([{ json: {}, pairedItem }]), ...answer.outputs.slice(1)],
  };
}

/** What the step gives, now that all calls were made. */
function answerOf(turn: Turn, frame: StepFrame, calls: FlowCalls): FlowAnswer {
  const settings = settingsOf(turn, frame);
  const ends = itemsOf(calls.ends);
  const step: CallingStep = {
    ...calls.answer.calls,
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
  const { waits } = calls.answer.calls;
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
    const calling = { ...answer, calls: answer.calls };
    return goOn(turn, frame, step, { answer: calling, ends: listOf([]) });
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
  const node = nameOf(program.settings.steps, key);
  const run = listLength(runsOf(flow, key)) - 1;
  const outputs = readOutputs(flow.last).map(
    (items, output) =>
      items?.map(({ pairedItem: _, ...item }, at): Item => {
        const origin = originOf(record, { node, output, run, item: at });
        return origin === undefined ? item : { ...item, pairedItem: { item: origin } };
      }) ?? null,
  );
  return { outputs: storeOutputs(outputs), called };
}
