import type { JsonObject } from '../kernel/json.ts';
import { append, itemsOf, listOf } from './append-list.ts';
import type { RunError } from './failure.ts';
import { type ProgramStep, type ProgramWorkflow, stepIn } from './program.ts';
import { getSeq, setSeq } from './seq-map.ts';
import type { LegEnd, OpenSpan, StepFrame, WorkflowFrame } from './state.ts';
import type { Turn } from './turn.ts';

/** The part of a fresh workflow frame that never differs. */
export const WORKFLOW_START: Pick<
  WorkflowFrame,
  'kind' | 'span' | 'next' | 'node' | 'visited' | 'open' | 'settled' | 'failed' | 'last_messages'
> = {
  kind: 'workflow',
  span: null,
  next: 0,
  node: null,
  visited: listOf<string>([]),
  open: 0,
  settled: {},
  failed: null,
  last_messages: null,
};

/** Whether a frame is the workflow of the run itself, which alone may pause and be restarted. */
export function isRootWorkflow(frame: WorkflowFrame): boolean {
  return frame.parent === null;
}

/** Opens a span: the fields of its started event and what the closing event repeats. */
export function openSpan(turn: Turn, parentSpan: string | null): OpenSpan {
  return {
    event_id: turn.newId(),
    span_id: turn.newId(),
    parent_span_id: parentSpan,
    started_at: turn.at,
  };
}

/** Whole milliseconds since a moment, never negative. */
export function elapsed(turn: Turn, since: number): number {
  return Math.max(0, Math.round(turn.at - since));
}

/** Event fields that close a span. */
export function closingFields(turn: Turn, span: OpenSpan) {
  return {
    parent_event_id: span.event_id,
    span_id: span.span_id,
    parent_span_id: span.parent_span_id,
    metadata: { duration_ms: elapsed(turn, span.started_at) },
  };
}

/** The kind of a workflow as trace and metadata show it; continuations say `group_chat` (spec-v1 13). */
export function shownType(wf: ProgramWorkflow): string {
  return wf.shape === 'group_chat' ? 'group-chat' : wf.shape;
}

function startMetadata(wf: ProgramWorkflow, index: number): JsonObject {
  if (wf.shape === 'sequential') return { start_index: index, step_count: wf.turn_count };
  if (wf.shape === 'graph') {
    return { workflow_type: 'graph', start: wf.start, max_steps: wf.max_steps };
  }
  const count = wf.shape === 'concurrent' ? wf.order.length : wf.participant_count;
  return { workflow_type: shownType(wf), participant_count: count };
}

/** Emits workflow_started or workflow_resumed and returns the frame with its span. */
export function beginLeg(
  turn: Turn,
  frame: WorkflowFrame,
  type: 'workflow_started' | 'workflow_resumed',
  index: number,
): WorkflowFrame {
  if (!frame.traced) return frame;
  const wf = turn.workflow(frame.workflow);
  const span = openSpan(turn, frame.outer_span_id);
  turn.emit(type, {
    event_id: span.event_id,
    span_id: span.span_id,
    parent_span_id: span.parent_span_id,
    workflow_name: wf.name,
    input_preview: turn.preview(frame.input),
    metadata: startMetadata(wf, index),
  });
  const begun = { ...frame, span };
  turn.put(begun);
  return begun;
}

/** Why a graph ended at a place that is not its end. */
export type Termination = 'no_matching_edge' | 'max_steps';

function endMetadata(wf: ProgramWorkflow, visited: string[], end: Termination | null) {
  if (wf.shape === 'graph') return { visited_nodes: visited, termination: end };
  if (wf.shape === 'sequential') return { visited_steps: visited };
  return { workflow_type: shownType(wf), visited_steps: visited };
}

/** Emits workflow_completed, or workflow_failed for a graph that met its step cap. */
export function endLeg(
  turn: Turn,
  frame: WorkflowFrame,
  output: string,
  termination: Termination | null,
): void {
  if (frame.span === null) return;
  const wf = turn.workflow(frame.workflow);
  const closing = closingFields(turn, frame.span);
  const metadata = { ...endMetadata(wf, itemsOf(frame.visited), termination), ...closing.metadata };
  turn.emit(termination === 'max_steps' ? 'workflow_failed' : 'workflow_completed', {
    ...closing,
    metadata,
    workflow_name: wf.name,
    output_preview: turn.preview(output),
  });
}

/** Emits workflow_failed after a failure; orchestrations have no such event (spec-v1 14, 18 no. 7). */
export function failLeg(turn: Turn, frame: WorkflowFrame, error: RunError): void {
  if (frame.span === null) return;
  const wf = turn.workflow(frame.workflow);
  if (wf.shape !== 'sequential' && wf.shape !== 'graph') return;
  turn.emit('workflow_failed', {
    ...closingFields(turn, frame.span),
    workflow_name: wf.name,
    error: turn.errorText(error.message),
  });
}

function place(frame: StepFrame) {
  return {
    step_id: frame.graph ? null : frame.step,
    node_id: frame.graph ? frame.step : null,
    workflow_name: frame.workflow_name,
  };
}

/** What the program says of the step of a frame. */
export function stepOf(turn: Turn, frame: StepFrame): ProgramStep {
  return stepIn(turn.workflow(frame.workflow), frame.step);
}

/** Says of a checkpoint that its step did not run by itself. */
function answeredBy(turn: Turn, frame: StepFrame): JsonObject {
  const by = stepOf(turn, frame).rehearsed?.by;
  return by === undefined ? {} : { answered_by: by };
}

function rowKey(end: { step_id: string | null; node_id: string | null }): string {
  return `${end.step_id ?? ''}|${end.node_id ?? ''}`;
}

function note(turn: Turn, type: string, input: string, output: string | null, iteration: number) {
  turn.run.execution = {
    last_event_type: type,
    last_input_text: input,
    last_output_text: output,
    current_iteration: iteration,
  };
}

/** Records that a step begins: the run shows it as current. Writes no checkpoint. */
export function recordStarted(turn: Turn, frame: StepFrame): void {
  if (frame.graph) turn.run.current_node_id = frame.step;
  else turn.run.current_step_id = frame.step;
  const count = getSeq(turn.run.step_counts, stepOf(turn, frame).counter)?.n ?? 0;
  const type = frame.graph ? 'node_started' : 'step_started';
  note(turn, type, frame.input, turn.run.output_text, count + 1);
}

function deferred(turn: Turn, frame: StepFrame, end: LegEnd): boolean {
  if (turn.run.resumed_from === null) return false;
  if (turn.parentOf(frame)?.parent === null) turn.run.leg_ends = append(turn.run.leg_ends, end);
  return true;
}

function countEnd(turn: Turn, counter: number, key: string): number {
  const before = getSeq(turn.run.step_counts, counter) ?? { key, n: 0, at: turn.nextSeq() };
  const n = before.n + 1;
  turn.run.step_counts = setSeq(turn.run.step_counts, counter, { ...before, n });
  turn.counted(key, n);
  return n;
}

/**
 * Records one end of a step: counters, execution context and its checkpoint row. A leg after a human
 * decision writes its rows at its end instead (spec-v1 15).
 */
export function recordEnd(
  turn: Turn,
  frame: StepFrame,
  type: 'step_completed' | 'node_completed' | 'step_failed',
  output: string | null,
  error: string | null,
): void {
  const where = place(frame);
  const { counter } = stepOf(turn, frame);
  if (output !== null) turn.run.output_text = output;
  const point = turn.run.point_count;
  if (deferred(turn, frame, { ...where, failed: type === 'step_failed', error, counter, point })) {
    note(turn, type, frame.input, output, 1);
    return;
  }
  const iteration = countEnd(turn, counter, rowKey(where));
  note(turn, type, frame.input, output, iteration);
  turn.checkpoint(
    type,
    {
      workflow_type: frame.graph ? 'graph' : 'sequential',
      input_text: frame.input,
      output_text: output,
      error,
      iteration,
      ...answeredBy(turn, frame),
    },
    { ...where, iteration },
  );
}

/** Records that a step failed: the run shows why. */
export function recordFailed(turn: Turn, frame: StepFrame, error: string): void {
  turn.run.error = { message: error, type: 'step_failed' };
  recordEnd(turn, frame, 'step_failed', null, error);
}

/** Records the end of a human step that was answered: it has no frame of its own. */
export function recordAnswered(turn: Turn, wf: ProgramWorkflow, key: string): void {
  const graph = wf.shape === 'graph';
  turn.run.leg_ends = append(turn.run.leg_ends, {
    step_id: graph ? null : key,
    node_id: graph ? key : null,
    workflow_name: wf.name,
    failed: false,
    error: null,
    counter: stepIn(wf, key).counter,
    point: turn.run.point_count,
  });
}

/** End of a leg after a human decision: human_resume, then the rows that are missing. */
export function closeResumedLeg(turn: Turn, pendingStep: string | null): void {
  if (turn.run.resumed_from === null) return;
  const ends = itemsOf(turn.run.leg_ends);
  turn.checkpoint(
    'human_resume',
    { continuation_id: turn.run.resumed_from },
    { step_id: pendingStep, point: ends[0]?.point ?? turn.run.point_count },
  );
  for (const end of ends) {
    const graph = end.node_id !== null;
    const known = getSeq(turn.run.step_counts, end.counter);
    if (!end.failed && known !== undefined) continue;
    const type = graph ? 'node_completed' : 'step_completed';
    const metadata: JsonObject = { workflow_type: graph ? 'graph' : 'sequential' };
    if (end.failed) metadata['error'] = end.error;
    turn.checkpoint(end.failed ? 'step_failed' : type, metadata, {
      step_id: end.step_id,
      node_id: end.node_id,
      workflow_name: end.workflow_name,
      point: end.point,
    });
    const row = known ?? { key: rowKey(end), n: 0, at: turn.nextSeq() };
    turn.run.step_counts = setSeq(turn.run.step_counts, end.counter, row);
  }
  turn.run.leg_ends = listOf([]);
  turn.run.resumed_from = null;
}
