import type { Json, JsonObject } from '../kernel/json.ts';
import { toTimestamp } from '../kernel/timestamp.ts';
import type { Human } from '../spec/schema/spec-types.ts';
import { itemsOf } from './append-list.ts';
import type { Continuation, HumanRequest } from './human.ts';
import { closeResumedLeg } from './leg.ts';
import { type Message, message } from './message.ts';
import type { ProgramStep, ProgramWorkflow } from './program.ts';
import { getSeq } from './seq-map.ts';
import type { WorkflowFrame } from './state.ts';
import type { Turn } from './turn.ts';
import { workflowMetadata } from './workflow-end.ts';

const BLOCKED_TEXT = 'Human intervention required.';

function requestFor(
  turn: Turn,
  wf: ProgramWorkflow,
  step: ProgramStep,
  human: Human,
  input: string,
): HumanRequest {
  return {
    id: turn.newId(),
    type: human.request_type,
    request_type: human.request_type,
    title: human.description ?? 'Human review required',
    prompt: human.description ?? 'Please review this item.',
    context: { input_text: input, ...human.context },
    options: human.options,
    default_option: human.default_option,
    response_role: human.response_role,
    // A graph names the reviewer component here, the other kinds the step (golden data).
    requested_by: wf.shape === 'graph' ? step.ref : step.key,
    assignee: human.assignee,
    timeout_seconds: human.timeout_seconds,
    on_timeout: human.on_timeout,
    metadata: {},
  };
}

function toJson(messages: readonly Message[]): Json[] {
  return messages.map((item) => ({ ...item }));
}

function pauseMetadata(
  wf: ProgramWorkflow,
  frame: WorkflowFrame,
  key: string,
  remaining: readonly string[],
): JsonObject {
  if (wf.shape === 'sequential') return { step_id: key };
  if (wf.shape === 'graph') return { node_id: key };
  if (wf.shape !== 'concurrent') {
    return {
      participant_id: key,
      orchestration_state: { shape: wf.shape, remaining: [...remaining] },
    };
  }
  const deltas: JsonObject = {};
  wf.order.forEach((item, slot) => {
    const settled = getSeq(frame.settled, slot);
    if (settled !== undefined) deltas[item] = toJson(settled.added);
  });
  return {
    participant_id: key,
    orchestration_state: {
      shape: wf.shape,
      participant_order: [...wf.order],
      paused_participant: key,
      sibling_deltas: deltas,
    },
  };
}

interface PausePlace {
  readonly wf: ProgramWorkflow;
  readonly frame: WorkflowFrame;
  readonly step: ProgramStep;
  readonly input: string;
  readonly remaining: readonly string[];
}

function threaded(wf: ProgramWorkflow): boolean {
  return wf.shape !== 'graph' && wf.shape !== 'concurrent';
}

const PLAIN: ReadonlySet<string> = new Set(['function', 'human']);

/**
 * The thread that a reviewer is shown. Graphs and concurrent workflows keep no thread of their own:
 * they show the text that waits, until an agent has spoken (spec-v1 13).
 */
function threadShown({ wf, frame, input }: PausePlace, visited: readonly string[]): Message[] {
  if (threaded(wf)) return itemsOf(frame.thread);
  const spoken = visited.some((key) => !PLAIN.has(wf.steps.get(key)?.kind ?? 'function'));
  return spoken ? [] : [message('user', input)];
}

function continuationFor(turn: Turn, at: PausePlace, request: HumanRequest): Continuation {
  const { wf, frame, step } = at;
  const seconds = request.timeout_seconds ?? 0;
  const visited = itemsOf(frame.visited);
  return {
    id: turn.newId(),
    run_id: turn.run.setup.run_id,
    workflow_name: wf.name,
    workflow_kind: wf.shape,
    current_step_index: wf.shape === 'sequential' ? frame.next : null,
    current_node_id: wf.shape === 'sequential' ? null : step.key,
    current_input: at.input,
    visited_steps: wf.shape === 'graph' ? [] : visited,
    visited_nodes: wf.shape === 'graph' ? visited : [],
    messages: threadShown(at, visited),
    variables: {},
    pending_human_request_id: request.id,
    pending_human_request: request,
    expires_at: seconds > 0 ? turn.clock / 1000 + seconds : null,
    created_at: toTimestamp(turn.at),
    metadata: pauseMetadata(wf, frame, step.key, at.remaining),
  };
}

/** A new request as JSON: without the members that only an escalation adds. */
function requestJson(request: HumanRequest): JsonObject {
  const { escalated_at: _at, original_expires_at: _before, options, ...rest } = request;
  return { ...rest, options: options === null ? null : [...options] };
}

/** Blocks the run at a human step of its own workflow (spec-v1 13). */
export function pauseRun(
  turn: Turn,
  frame: WorkflowFrame,
  step: ProgramStep,
  input: string,
  remaining: readonly string[],
): void {
  const wf = turn.workflow(frame.workflow);
  const human = turn.spec.humans[step.ref];
  if (human === undefined) throw new TypeError(`the program has no human '${step.ref}'`);
  const request = requestFor(turn, wf, step, human, input);
  const continuation = continuationFor(turn, { wf, frame, step, input, remaining }, request);
  const facts = { continuation_id: continuation.id, request: requestJson(request) };
  turn.put(frame);
  turn.emit('human_intervention_requested', {
    parent_event_id: frame.span?.event_id ?? null,
    parent_span_id: frame.span?.span_id ?? null,
    workflow_name: wf.name,
    step_id: step.key,
    input_preview: turn.preview(input),
    metadata: facts,
  });
  const resumedFrom = turn.run.resumed_from;
  block(turn, wf, frame, step, continuation);
  turn.run.pause = { frame: frame.id, step: step.key, input, request, continuation };
  turn.run.result = {
    ...workflowMetadata(turn, frame, { pending_step_id: step.key }),
    human_intervention_required: true,
    ...facts,
    pending_step_id: step.key,
    ...(wf.shape === 'graph' ? { pending_node_id: step.key } : {}),
    ...(resumedFrom === null ? {} : { resumed_from_continuation_id: resumedFrom }),
  };
  closeResumedLeg(turn, step.key);
  turn.checkpoint('human_pause', facts, { step_id: step.key, workflow_name: wf.name });
  turn.effects.push({ kind: 'ask_human', continuation });
}

function block(
  turn: Turn,
  wf: ProgramWorkflow,
  frame: WorkflowFrame,
  step: ProgramStep,
  continuation: Continuation,
): void {
  turn.run.status = 'blocked';
  turn.run.output_text = BLOCKED_TEXT;
  turn.run.messages = threaded(wf) ? continuation.messages : [];
  turn.run.visited = frame.visited;
  if (wf.shape === 'graph') turn.run.current_node_id = step.key;
  else turn.run.current_step_id = step.key;
}
