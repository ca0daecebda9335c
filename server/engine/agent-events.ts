import type { JsonObject } from '../kernel/json.ts';
import { listLength, listOf } from './append-list.ts';
import type { RunError } from './failure.ts';
import { closingFields, openSpan } from './leg.ts';
import type { Message } from './message.ts';
import type { AgentFrame } from './state.ts';
import type { Turn } from './turn.ts';

/** The part of a fresh agent frame that never differs. */
export const AGENT_START = {
  kind: 'agent',
  span: null,
  phase: 'memory',
  base: listOf<Message>([]),
  sent: null,
  added: [],
  iterations: 0,
  answer: '',
  plan: null,
  exhausted: false,
  usage: null,
  inner: {},
} as const;

function agentFields(turn: Turn, frame: AgentFrame) {
  const agent = turn.agent(frame.agent);
  return {
    agent_name: agent.name,
    workflow_name: frame.workflow_name,
    step_id: frame.step_id,
    runtime_mode: agent.binding.runtime_mode,
    model_provider: agent.model?.provider ?? null,
    model_name: agent.model?.name ?? null,
    memory_policy: agent.memory?.policy ?? null,
  };
}

/** Emits run_started and returns the frame with its span; a quiet call has no events. */
export function agentSpanStarted(turn: Turn, frame: AgentFrame): AgentFrame {
  if (frame.quiet) return frame;
  const span = openSpan(turn, frame.outer_span_id);
  turn.emit('run_started', {
    ...agentFields(turn, frame),
    event_id: span.event_id,
    span_id: span.span_id,
    parent_span_id: span.parent_span_id,
    input_preview: turn.preview(frame.input),
    metadata: { message_count: listLength(frame.base) },
  });
  return { ...frame, span };
}

/** What the end of a call says of guardrails that could not check its texts. */
function uncheckedBy({ unchecked }: AgentFrame): JsonObject {
  return unchecked === undefined ? {} : { unchecked_guardrails: [...unchecked] };
}

/** Emits run_completed. */
export function agentSpanCompleted(turn: Turn, frame: AgentFrame, output: string): void {
  if (frame.span === null) return;
  const closing = closingFields(turn, frame.span);
  const metadata: JsonObject = {
    message_count: listLength(frame.base) + frame.added.length,
    ...closing.metadata,
    ...(frame.usage === null ? {} : { usage: { ...frame.usage } }),
    ...uncheckedBy(frame),
  };
  turn.emit('run_completed', {
    ...agentFields(turn, frame),
    ...closing,
    output_preview: turn.preview(output),
    metadata,
  });
}

/** Emits run_failed for a call that threw, was refused or was abandoned. */
export function agentSpanFailed(turn: Turn, frame: AgentFrame, error: RunError): void {
  if (frame.span === null) return;
  const closing = closingFields(turn, frame.span);
  turn.emit('run_failed', {
    ...agentFields(turn, frame),
    ...closing,
    metadata: { ...closing.metadata, ...uncheckedBy(frame) },
    error: turn.errorText(error.message),
  });
}
