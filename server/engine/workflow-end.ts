import type { JsonObject } from '../kernel/json.ts';
import { itemsOf, listOf } from './append-list.ts';
import type { Failure } from './failure.ts';
import type { FlowAnswer } from './flow-run.ts';
import { elapsed, endLeg, failLeg, shownType, type Termination } from './leg.ts';
import { lastAssistantText, latestText, type Message } from './message.ts';
import type { StepFrame, WorkflowFrame } from './state.ts';
import type { Turn } from './turn.ts';
import { STEP_START } from './workflow-step.ts';

/** Opens one step of a workflow. */
export function openStep(
  turn: Turn,
  frame: WorkflowFrame,
  key: string,
  slot: number,
  input: string,
  flow?: StepFrame['flow'],
): void {
  const wf = turn.workflow(frame.workflow);
  turn.open(frame, slot, {
    ...STEP_START,
    workflow: frame.workflow,
    step: key,
    graph: wf.shape === 'graph',
    input,
    span_id: frame.span?.span_id ?? frame.outer_span_id,
    workflow_name: wf.name,
    fallback_for: null,
    ...(flow === undefined ? {} : { flow }),
  });
}

/** What a result tells about its workflow (spec-v1 12, 15). */
export function workflowMetadata(turn: Turn, frame: WorkflowFrame, more: JsonObject): JsonObject {
  const wf = turn.workflow(frame.workflow);
  const visited = itemsOf(frame.visited);
  const type = shownType(wf);
  const facts: JsonObject = { name: wf.name, type };
  if (wf.shape === 'graph') facts['visited_nodes'] = visited;
  else facts['visited_steps'] = visited;
  if (wf.shape === 'concurrent') facts['rounds'] = null;
  else if (wf.shape !== 'graph' && wf.shape !== 'sequential') facts['rounds'] = wf.rounds;
  return {
    workflow: { ...facts, ...more },
    workflow_type: type,
    workflow_steps: visited,
    iterations: visited.length,
    workflow_description: wf.description,
    variables: {},
    duration_ms: elapsed(turn, turn.run.started_at ?? turn.at),
  };
}

interface WorkflowEnd {
  /** Null = the last assistant message of the thread. */
  readonly text: string | null;
  readonly messages: readonly Message[];
  readonly termination: Termination | null;
  /** What a called item flow gave. */
  readonly flow?: FlowAnswer;
}

/** Ends a workflow with its output, or, at the step cap of a graph, with what there is. */
export function completeWorkflow(turn: Turn, frame: WorkflowFrame, end: WorkflowEnd): void {
  const messages = listOf(end.messages);
  const text = end.text ?? lastAssistantText(end.messages) ?? latestText(messages);
  endLeg(turn, frame, text, end.termination);
  const more: JsonObject = end.termination === null ? {} : { termination: end.termination };
  const [first, ...rest] = end.messages;
  turn.succeed(frame, {
    kind: 'result',
    result: {
      text,
      messages,
      added: first?.role === 'user' ? rest : end.messages,
      metadata: workflowMetadata(turn, frame, more),
      failed: false,
      capped: end.termination === 'max_steps',
      ...(end.flow === undefined ? {} : { flow: end.flow }),
    },
  });
}

/** Ends a workflow with a failure, which climbs to its parent. */
export function failWorkflow(turn: Turn, frame: WorkflowFrame, error: Failure): void {
  failLeg(turn, frame, error);
  turn.fail(frame, error);
}
