import type { z } from 'zod';
import type { traceEvent } from '../contract/platform/run-reads.ts';

/** Types of trace events (spec-v1 14). */
export type TraceEventType =
  | 'workflow_started'
  | 'workflow_resumed'
  | 'workflow_completed'
  | 'workflow_failed'
  | 'run_started'
  | 'run_completed'
  | 'run_failed'
  | 'human_intervention_requested';

type PlatformEvent = Readonly<z.output<typeof traceEvent>>;

/**
 * One trace event (spec-v1 14, platform.md 3.9). Previews are redacted with the program's
 * `redactText` and then cut; metadata and error are redacted by whoever stores or answers them.
 */
export interface TraceEvent extends PlatformEvent {
  readonly type: TraceEventType;
}

/** The fields of an event that says nothing but its type, run, id and time. */
export const NO_EVENT_FIELDS = {
  parent_event_id: null,
  span_id: null,
  parent_span_id: null,
  agent_name: null,
  workflow_name: null,
  step_id: null,
  runtime_mode: null,
  model_provider: null,
  model_name: null,
  tool_name: null,
  guardrail_id: null,
  memory_policy: null,
  input_preview: null,
  output_preview: null,
  metadata: {},
  error: null,
} as const;

const PREVIEW_CHARS = 500;
/** A longer text is cut to this before it is redacted, so that a preview costs the same for any text. */
const READ_UNITS = 4_000;

/** Where a text's first characters end; a pair of surrogates is one character. */
function endOfCharacters(text: string, characters: number): number {
  let end = 0;
  for (let count = 0; count < characters && end < text.length; count += 1) {
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  }
  return end;
}

/** A text as a preview: redacted first, then its first 500 characters and `...[truncated]`. */
export function previewOf(text: string, redact: (text: string) => string): string {
  const head = text.slice(0, READ_UNITS);
  const shown = redact(head);
  const end = endOfCharacters(shown, PREVIEW_CHARS);
  if (head === text && end === shown.length) return shown;
  return `${shown.slice(0, end)}...[truncated]`;
}
