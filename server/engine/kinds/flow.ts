import type { FlowStepSettings } from '../../contract/flow.ts';
import { beginFlow, nextArrival, stepEnded, stepsAhead } from '../../items/flow.ts';
import type { FlowEdge } from '../../items/flow-shape.ts';
import type { Arrival } from '../../items/flow-state.ts';
import { type Given, readGiven } from '../../items/given.ts';
import { givenWithoutRunning } from '../../items/given-step.ts';
import type { Item } from '../../items/item.ts';
import {
  itemsOfFields,
  readOutput,
  type StoredOutput,
  storeItems,
  storeOutputs,
} from '../../items/stored-output.ts';
import { textOfItem, textOfItems } from '../../items/text-of-item.ts';
import { append, itemsFrom, itemsOf, listLength } from '../append-list.ts';
import { type ConditionFacts, conditionHolds } from '../conditions.ts';
import { failure } from '../failure.ts';
import {
  answerText,
  type FlowAnswer,
  type FlowProgram,
  type FlowRun,
  type FlowStepRun,
  readAsked,
  runsOf,
} from '../flow-run.ts';
import { jsonIn } from '../frame-value.ts';
import { isRootWorkflow } from '../leg.ts';
import { latestText, message } from '../message.ts';
import { setNamed } from '../name-map.ts';
import { own } from '../own.ts';
import { pauseRun } from '../pause.ts';
import {
  flowIn,
  type GraphProgram,
  type ProgramStep,
  type RehearsedStep,
  stepIn,
} from '../program.ts';
import type { GoOn, Place } from '../resume-point.ts';
import type { Outcome, StepFrame, StepResult, WorkflowFrame } from '../state.ts';
import type { Turn } from '../turn.ts';
import { completeWorkflow, failWorkflow, openStep } from '../workflow-end.ts';
import { calledAnswer, calledStart, callsFlow } from './called.ts';
import type { Standing } from './turns.ts';

// Item flows (decision record 0024): steps hand items on along every output that has some.

export const FLOW: GoOn = { kind: 'flow' };

function runIn(frame: WorkflowFrame): FlowRun {
  if (frame.flow === undefined) throw new TypeError('the workflow is no item flow');
  return frame.flow;
}

function nowIn({ now }: FlowRun): NonNullable<FlowRun['now']> {
  if (now === null) throw new TypeError('the flow has a step in progress');
  return now;
}

function keyOfTrigger({ settings }: FlowProgram, wf: GraphProgram, name: string): string | null {
  if (wf.steps.has(name)) return name;
  const found = Object.entries(settings.steps).find(([, step]) => step.name === name);
  return found !== undefined && wf.steps.has(found[0]) ? found[0] : null;
}

const NO_TEXT: Given = { trigger: null, items: [], pinned: {} };

/** What a flow begins with: nothing that a text says, where a step handed it items. */
function givenTo(frame: WorkflowFrame): Given {
  if (frame.handed !== undefined) return NO_TEXT;
  return readGiven(latestText(frame.thread), isRootWorkflow(frame) ? 'chatInput' : 'query');
}

function startOf(frame: WorkflowFrame, wf: GraphProgram, program: FlowProgram): string {
  return isRootWorkflow(frame) ? wf.start : calledStart(program, wf);
}

/** A flow begins with the items that its run was given. */
export function beginFlowRun(
  turn: Turn,
  frame: WorkflowFrame,
  wf: GraphProgram,
  program: FlowProgram,
): void {
  const given = givenTo(frame);
  const start =
    given.trigger === null ? startOf(frame, wf, program) : keyOfTrigger(program, wf, given.trigger);
  if (start === null) {
    const text = `The workflow has no trigger '${given.trigger}': the input names one that it has, or none.`;
    failWorkflow(turn, frame, failure('ValueError', text, { retryable: false }));
    return;
  }
  const { state, next } = beginFlow(start);
  const pinned = Object.entries(given.pinned).map(([name, items]) => [name, storeItems(items)]);
  const flow: FlowRun = {
    schedule: state,
    runs: {},
    count: 0,
    now: { arrival: next, asked: null, said: [] },
    given: frame.handed ?? storeItems(given.items),
    pinned: Object.fromEntries(pinned),
    last: [],
    failed: null,
    response: null,
  };
  flowOn(turn, { ...frame, flow }, wf, program);
}

const ONE_EMPTY: StoredOutput = { count: 1, json: '[{}]', beside: '[{}]' };

/** What feeds an input of a step; null where nothing came. */
export function inputOf(flow: FlowRun, arrival: Arrival, input: number): StoredOutput | null {
  if (arrival.forced === true) return input === 0 ? ONE_EMPTY : null;
  if (arrival.sources.length === 0) return input === 0 ? flow.given : null;
  const source = arrival.sources[input] ?? null;
  if (source === null) return null;
  const [run] = itemsFrom(runsOf(flow, source.step), source.run);
  return run?.answer.outputs[source.output] ?? null;
}

function itemsIn(input: StoredOutput | null): readonly Item[] {
  return input === null ? [] : readOutput(input);
}

/** The items that answer for a step: those of the rehearsal, else those that came with the input. */
function pinnedOn(
  flow: FlowRun,
  step: FlowStepSettings | undefined,
  rehearsed: RehearsedStep | undefined,
): readonly Item[] | null {
  const items = rehearsed?.items ?? null;
  if (items !== null) return items.map((json) => ({ json }));
  const pin = step === undefined ? undefined : own(flow.pinned, step.name);
  return pin === undefined ? null : readOutput(pin);
}

/** What a step gives without running: it is switched off, or its items came with the run. */
function givenFor(
  flow: FlowRun,
  step: FlowStepSettings | undefined,
  arrival: Arrival,
  rehearsed: RehearsedStep | undefined,
): FlowAnswer | null {
  const pinned = pinnedOn(flow, step, rehearsed);
  const disabled = step?.disabled === true;
  if (!disabled && pinned === null) return null;
  const given = itemsIn(inputOf(flow, arrival, 0));
  const outputs = givenWithoutRunning([given], { disabled, pinned });
  if (outputs === undefined) return null;
  return { outputs: storeOutputs(outputs), ...(disabled ? {} : { pinned: true as const }) };
}

/** Sets a flow going from where it stands: with the step in progress, or with whoever runs next. */
export function flowOn(
  turn: Turn,
  frame: WorkflowFrame,
  wf: GraphProgram,
  program: FlowProgram,
): void {
  const flow = runIn(frame);
  if (flow.now !== null) {
    enterArrival(turn, frame, wf, program, flow.now);
    return;
  }
  const taken = nextArrival(program.shape, flow.schedule);
  if (taken === null && flow.failed !== null) {
    failWorkflow(turn, frame, failure('RuntimeError', flow.failed));
    return;
  }
  if (taken === null) {
    endFlow(turn, frame, program, flow);
    return;
  }
  const now = { arrival: taken.next, asked: null, said: [] };
  enterArrival(turn, { ...frame, flow: { ...flow, schedule: taken.state, now } }, wf, program, now);
}

/** The flow is over; one that was called gives its items, and its text to whoever called with one. */
function endFlow(turn: Turn, frame: WorkflowFrame, program: FlowProgram, flow: FlowRun): void {
  const { workflow, thread } = frame;
  const text = endText(flow);
  const end = { text, termination: null };
  if (workflow === null) completeWorkflow(turn, frame, { ...end, messages: itemsOf(thread) });
  else {
    const messages = itemsOf(append(thread, message('assistant', text)));
    const given = calledAnswer(workflow, program, flow);
    completeWorkflow(turn, frame, { ...end, messages, flow: given });
  }
}

function endText({ last, response }: FlowRun): string {
  const body = response?.['body'];
  if (body !== undefined && body !== null)
    return typeof body === 'string' ? body : JSON.stringify(body);
  const output = last.find((one) => one !== null && one.count > 0) ?? null;
  return output === null ? '' : textOfItems(readOutput(output));
}

function enterArrival(
  turn: Turn,
  frame: WorkflowFrame,
  wf: GraphProgram,
  program: FlowProgram,
  now: NonNullable<FlowRun['now']>,
): void {
  const flow = runIn(frame);
  const key = now.arrival.step;
  const step = stepIn(wf, key);
  if (listLength(frame.visited) >= wf.max_steps) {
    const messages = itemsOf(frame.thread);
    completeWorkflow(turn, frame, { text: endText(flow), messages, termination: 'max_steps' });
    return;
  }
  const waiting: WorkflowFrame = { ...frame, node: key };
  const settings = own(program.settings.steps, key);
  const given = givenFor(flow, settings, now.arrival, step.rehearsed);
  const input = inputOf(flow, now.arrival, 0);
  if (given !== null || step.kind === 'function' || callsFlow(turn, step)) {
    turn.put(waiting);
    openStep(turn, waiting, key, 0, input?.json ?? '[]', { given });
  } else askText(turn, waiting, step, settings, now, input);
}

/** A step of text is asked item by item; a person is asked once. */
function askText(
  turn: Turn,
  frame: WorkflowFrame,
  step: ProgramStep,
  settings: FlowStepSettings | undefined,
  now: NonNullable<FlowRun['now']>,
  input: StoredOutput | null,
): void {
  const items = itemsIn(input);
  if (step.kind === 'human' && isRootWorkflow(frame)) {
    pauseRun(turn, frame, step, textOfItems(items), []);
    return;
  }
  if (now.asked === null && settings?.prompt !== undefined) {
    turn.put(frame);
    turn.open(frame, 0, {
      kind: 'function',
      function: PROMPT,
      purpose: 'step',
      text: '',
      top_k: null,
      step_id: step.key,
      flow: 'prompt',
    });
    return;
  }
  const asked = now.asked ?? items.map(textOfItem);
  const flow = { ...runIn(frame), now: { ...now, asked } };
  const asking: WorkflowFrame = { ...frame, flow };
  turn.put(asking);
  const next = asked[now.said.length] ?? '';
  const isAlone = flowIn(turn.workflow(frame.workflow))?.settings.source === 'dify';
  const conduct = { given: null, ...(isAlone ? { alone: true as const } : {}) };
  if (typeof next === 'string') openStep(turn, asking, step.key, 0, next, conduct);
  else openStep(turn, asking, step.key, 0, next.text, { ...conduct, system: next.system });
}

/** The registry's name for the expressions of a step's prompt. */
const PROMPT = 'n8n.prompt';

/** The expressions of a prompt were evaluated: the step of text is asked. */
export function flowPromptRead(turn: Turn, frame: WorkflowFrame, outcome: Outcome): void {
  const wf = turn.workflow(frame.workflow);
  if (!outcome.ok) {
    failWorkflow(turn, frame, outcome.error);
    return;
  }
  const flow = runIn(frame);
  const asked = readAsked(jsonIn(outcome.value));
  const next: WorkflowFrame = { ...frame, flow: { ...flow, now: { ...nowIn(flow), asked } } };
  turn.put(next);
  if (wf.shape === 'graph' && wf.flow !== undefined) flowOn(turn, next, wf, wf.flow);
}

/** Whether an edge is followed; `text` and `metadata` are those of the step that ended. */
function edgeRule({ conditions }: FlowProgram, result: StepResult, answer: FlowAnswer) {
  const flags = answer.outputs.map((output, at) => [`output_${at}`, (output?.count ?? 0) > 0]);
  const facts: ConditionFacts = {
    output: result.text,
    metadata: { kneo_status: 'completed', ...result.metadata, ...Object.fromEntries(flags) },
    variables: {},
    status: result.failed ? 'failed' : 'completed',
  };
  return (edge: FlowEdge): boolean => {
    const condition = conditions.get(edge);
    return condition === undefined || conditionHolds(condition, facts);
  };
}

function ended(
  flow: FlowRun,
  program: FlowProgram,
  arrival: Arrival,
  result: StepResult,
  answer: FlowAnswer,
): FlowRun {
  const { step } = arrival;
  const before = runsOf(flow, step);
  const run: FlowStepRun = { at: flow.count, arrival, answer };
  const counts = answer.outputs.map((output) => output?.count ?? null);
  return {
    ...flow,
    schedule: stepEnded(
      program.shape,
      flow.schedule,
      arrival,
      listLength(before),
      counts,
      edgeRule(program, result, answer),
    ),
    runs: setNamed(flow.runs, step, append(before, run)),
    count: flow.count + 1,
    now: null,
    last: answer.outputs,
    last_step: step,
    failed: answer.failed ?? null,
    response: answer.response ?? flow.response,
  };
}

/** A workflow guardrail rewrote what the step gave: its text is all that goes on. */
function guardedAnswer(answer: FlowAnswer, text: string): FlowAnswer {
  if (text === answerText(answer)) return answer;
  return { ...answer, outputs: storeOutputs([itemsOfFields([{ output: text }])]) };
}

/** What goes on from a step that failed and goes on: its input, and of Dify's why it failed. */
function failedAnswer(
  flow: FlowRun,
  { settings }: FlowProgram,
  arrival: Arrival,
  { metadata }: StepResult,
): FlowAnswer {
  if (settings.source !== 'dify') return { outputs: [inputOf(flow, arrival, 0)] };
  const json = { error_message: metadata['error'] ?? '', error_type: 'RuntimeError' };
  return { outputs: storeOutputs([itemsOfFields([json])]) };
}

/** A step ended: its items are kept, and those behind it line up. One that failed and goes on hands its input on. */
export function flowStepEnded(
  frame: WorkflowFrame,
  program: FlowProgram,
  child: StepFrame,
  result: StepResult,
): Standing {
  const flow = runIn(frame);
  const now = nowIn(flow);
  const answer = result.flow === undefined ? undefined : guardedAnswer(result.flow, result.text);
  if (answer !== undefined || result.failed) {
    const given = answer ?? failedAnswer(flow, program, now.arrival, result);
    return {
      frame: { ...frame, flow: ended(flow, program, now.arrival, result, given) },
      go: FLOW,
    };
  }
  const text = result.text === '' ? child.input : result.text;
  const said = [...now.said, text];
  const spoken = { ...frame, thread: append(frame.thread, message('assistant', text)) };
  if (said.length < (now.asked?.length ?? 1))
    return { frame: { ...spoken, flow: { ...flow, now: { ...now, said } } }, go: FLOW };
  const outputs = storeOutputs([itemsOfFields(said.map((output) => ({ output })))]);
  const next = ended(flow, program, now.arrival, result, { outputs });
  return { frame: { ...spoken, flow: next }, go: FLOW };
}

/** A person answered: each item goes on with the answer as its `output`. */
export function flowAnswered(frame: WorkflowFrame, program: FlowProgram, text: string): Standing {
  const flow = runIn(frame);
  const now = nowIn(flow);
  const items = itemsIn(inputOf(flow, now.arrival, 0));
  const fields = items.length === 0 ? [{}] : items.map(({ json }) => json);
  const outputs = storeOutputs([itemsOfFields(fields.map((json) => ({ ...json, output: text })))]);
  const result: StepResult = {
    text,
    messages: null,
    added: [],
    metadata: { node_kind: 'human' },
    failed: false,
    capped: false,
  };
  const thread = append(frame.thread, message('user', text));
  return {
    frame: { ...frame, thread, flow: ended(flow, program, now.arrival, result, { outputs }) },
    go: FLOW,
  };
}

/** Whether a flow can go on from a place under this workflow: it has every step that is named. */
export function canFlowGoOn(wf: GraphProgram, { go, flow }: Place): boolean {
  if (wf.flow === undefined || flow === undefined || go.kind !== 'flow') return false;
  const { now, schedule } = flow;
  const named = [...(now === null ? [] : [now.arrival.step]), ...stepsAhead(schedule)];
  return named.every((step) => wf.steps.has(step));
}
