import { type ConditionFacts, conditionHolds } from '../conditions.ts';
import { beginLeg, isRootWorkflow } from '../leg.ts';
import { latestText, type Message, message } from '../message.ts';
import { own } from '../own.ts';
import { pauseRun } from '../pause.ts';
import type { GraphProgram } from '../program.ts';
import type { StepResult, WorkflowFrame } from '../state.ts';
import type { Turn } from '../turn.ts';
import { completeWorkflow, openStep } from '../workflow-end.ts';

/** Graph (spec-v1 12): one node at a time, first matching edge, revisits allowed. */
export function startGraph(turn: Turn, frame: WorkflowFrame): void {
  const wf = graphOf(turn, frame);
  enterNode(turn, beginLeg(turn, frame, 'workflow_started', 0), wf.start, latestText(frame.thread));
}

function graphOf(turn: Turn, frame: WorkflowFrame): GraphProgram {
  const wf = turn.workflow(frame.workflow);
  if (wf.shape !== 'graph') throw new TypeError('not a graph');
  return wf;
}

/** Runs a node, or pauses at a human one. */
export function enterNode(turn: Turn, frame: WorkflowFrame, key: string, input: string): void {
  const step = graphOf(turn, frame).steps[key];
  if (step === undefined) throw new TypeError(`the graph has no node '${key}'`);
  const waiting: WorkflowFrame = { ...frame, node: key };
  if (step.kind === 'human' && isRootWorkflow(frame)) {
    pauseRun(turn, waiting, step, input, []);
    return;
  }
  turn.put(waiting);
  openStep(turn, waiting, key, 0, input);
}

/** A node ended: its text joins the thread and the edges decide. */
export function nodeEnded(turn: Turn, frame: WorkflowFrame, key: string, result: StepResult): void {
  const joined: WorkflowFrame = {
    ...frame,
    thread: [...frame.thread, message('assistant', result.text)],
    last_messages: result.messages ?? [message('assistant', result.text)],
  };
  route(turn, joined, key, result.text, {
    output: result.text,
    metadata: { kneo_status: 'completed', ...result.metadata },
    variables: {},
    status: result.failed ? 'failed' : 'completed',
  });
}

function follow(wf: GraphProgram, key: string, facts: ConditionFacts): string | undefined {
  return (own(wf.edges, key) ?? []).find((edge) => conditionHolds(edge.condition, facts))?.to;
}

function route(
  turn: Turn,
  frame: WorkflowFrame,
  key: string,
  text: string,
  facts: ConditionFacts,
): void {
  const wf = graphOf(turn, frame);
  const next = follow(wf, key, facts);
  if (next === undefined) {
    completeWorkflow(turn, frame, {
      text,
      messages: frame.thread,
      termination: 'no_matching_edge',
    });
  } else if (frame.visited.length >= wf.max_steps) {
    const messages = frame.last_messages ?? frame.thread;
    completeWorkflow(turn, frame, { text, messages, termination: 'max_steps' });
  } else enterNode(turn, frame, next, text);
}

/** A person answered the node that the run was blocked at: its edges are evaluated on the answer (spec-v1 13). */
export function nodeAnswered(
  turn: Turn,
  frame: WorkflowFrame,
  key: string,
  input: string,
  text: string,
  role: Message['role'] | null,
): void {
  const wf = graphOf(turn, frame);
  const heard = [message('user', input), message(role ?? 'user', text)];
  const facts: ConditionFacts = {
    output: text,
    metadata: { kneo_status: 'completed', node_kind: 'human' },
    variables: {},
    status: 'completed',
  };
  const goesOn = follow(wf, key, facts) !== undefined;
  const thread = goesOn ? [...heard, message('user', text)] : heard;
  route(turn, { ...frame, thread, last_messages: null }, key, text, facts);
}
