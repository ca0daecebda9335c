import type { JsonObject } from '../../kernel/json.ts';
import {
  type AppendList,
  append,
  CHUNK,
  itemsBetween,
  itemsFrom,
  itemsOf,
  listLength,
  listOf,
} from '../append-list.ts';
import { type ConditionFacts, conditionHolds } from '../conditions.ts';
import { isRootWorkflow } from '../leg.ts';
import { type Message, message } from '../message.ts';
import { own } from '../own.ts';
import { pauseRun } from '../pause.ts';
import { type GraphProgram, stepIn } from '../program.ts';
import type { GoOn } from '../resume-point.ts';
import type { StepResult, WorkflowFrame } from '../state.ts';
import type { Turn } from '../turn.ts';
import { completeWorkflow, openStep } from '../workflow-end.ts';
import type { Standing } from './turns.ts';

/** A node has ended: its edges lead on. */
export type Route = GoOn & { readonly kind: 'route' };

/** Runs a node, or pauses at a human one (spec-v1 12: one node at a time). */
export function enterNode(
  turn: Turn,
  frame: WorkflowFrame,
  wf: GraphProgram,
  key: string,
  input: string,
): void {
  const step = stepIn(wf, key);
  const waiting: WorkflowFrame = { ...frame, node: key };
  if (step.kind === 'human' && isRootWorkflow(frame)) {
    pauseRun(turn, waiting, step, input, []);
    return;
  }
  turn.put(waiting);
  openStep(turn, waiting, key, 0, input);
}

function isSame(a: Message, b: Message): boolean {
  return a.role === b.role && a.content === b.content && a.name === b.name;
}

function isPlain(metadata: JsonObject): boolean {
  return Object.keys(metadata).length === 0;
}

/** The very same, or one that cannot be told from it. */
function isEqual(a: Message, b: Message): boolean {
  if (a === b) return true;
  const alike = isSame(a, b) && a.tool_call_id === b.tool_call_id;
  return alike && isPlain(a.metadata) && isPlain(b.metadata);
}

/** Whether a list begins with another one; parts that both share are not looked through. */
function beginsWith(
  list: AppendList<Message>,
  start: AppendList<Message>,
  isOne: (a: Message, b: Message) => boolean,
): boolean {
  const shared = start.full.findIndex((chunk, at) => chunk !== list.full[at]);
  const from = (shared === -1 ? start.full.length : shared) * CHUNK;
  const given = itemsBetween(list, from, listLength(start));
  return itemsFrom(start, from).every((item, at) => {
    const other = given[at];
    return other !== undefined && isOne(other, item);
  });
}

/**
 * The thread of a graph after a node. An agent that took the thread up adds all that it said and heard
 * since (plan, tool results, the input of a second call); any other result adds its text.
 */
function threadAfter(
  thread: WorkflowFrame['thread'],
  result: StepResult,
  said: Message,
): AppendList<Message> {
  const { messages } = result;
  const before = listLength(thread);
  if (messages === null || listLength(messages) <= before) return append(thread, said);
  if (beginsWith(messages, thread, isEqual)) return messages;
  const takenUp = beginsWith(messages, thread, isSame);
  return append(thread, ...(takenUp ? itemsFrom(messages, before) : [said]));
}

/** A node ended: its text joins the thread and the edges will decide. */
export function nodeEnded(
  frame: WorkflowFrame,
  key: string,
  input: string,
  result: StepResult,
): Standing {
  // A node that says nothing passes its input on.
  const text = result.text === '' ? input : result.text;
  const said = message('assistant', text);
  return {
    frame: {
      ...frame,
      thread: threadAfter(frame.thread, result, said),
      last_messages: result.messages === null ? [said] : itemsOf(result.messages),
    },
    go: {
      kind: 'route',
      node: key,
      output: text,
      metadata: { kneo_status: 'completed', ...result.metadata },
      failed: result.failed,
    },
  };
}

/** The node that follows; undefined when no edge holds. */
export function follow(wf: GraphProgram, go: Route): string | undefined {
  const facts: ConditionFacts = {
    output: go.output,
    metadata: go.metadata,
    variables: {},
    status: go.failed ? 'failed' : 'completed',
  };
  return (own(wf.edges, go.node) ?? []).find((edge) => conditionHolds(edge.condition, facts))?.to;
}

/** Takes the first matching edge; revisits are allowed up to the step cap. */
export function route(turn: Turn, frame: WorkflowFrame, wf: GraphProgram, go: Route): void {
  const next = follow(wf, go);
  const text = go.output;
  if (next === undefined) {
    const messages = itemsOf(frame.thread);
    completeWorkflow(turn, frame, { text, messages, termination: 'no_matching_edge' });
  } else if (listLength(frame.visited) >= wf.max_steps) {
    const messages = frame.last_messages ?? itemsOf(frame.thread);
    completeWorkflow(turn, frame, { text, messages, termination: 'max_steps' });
  } else enterNode(turn, frame, wf, next, text);
}

/** A person answered the node that the run was blocked at: its edges are evaluated on the answer (spec-v1 13). */
export function nodeAnswered(
  frame: WorkflowFrame,
  wf: GraphProgram,
  key: string,
  input: string,
  text: string,
  role: Message['role'] | null,
): Standing {
  const go: Route = {
    kind: 'route',
    node: key,
    output: text,
    metadata: { kneo_status: 'completed', node_kind: 'human' },
    failed: false,
  };
  const heard = [message('user', input), message(role ?? 'user', text)];
  const goesOn = follow(wf, go) !== undefined;
  const thread = listOf(goesOn ? [...heard, message('user', text)] : heard);
  return { frame: { ...frame, thread, last_messages: null }, go };
}
