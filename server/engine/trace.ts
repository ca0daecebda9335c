import type { JsonObject } from '../kernel/json.ts';

export type TraceEventType =
  | 'workflow_started'
  | 'workflow_resumed'
  | 'workflow_completed'
  | 'workflow_failed'
  | 'run_started'
  | 'run_completed'
  | 'run_failed'
  | 'human_intervention_requested';

/**
 * One trace event (spec-v1 14, platform.md 3.9). Previews are redacted with the program's
 * `redactText` and then cut; metadata and error are redacted by whoever stores or answers them.
 */
export interface TraceEvent {
  readonly type: TraceEventType;
  readonly run_id: string;
  readonly event_id: string;
  readonly timestamp: string;
  readonly parent_event_id: string | null;
  readonly span_id: string | null;
  readonly parent_span_id: string | null;
  readonly agent_name: string | null;
  readonly workflow_name: string | null;
  readonly step_id: string | null;
  readonly runtime_mode: string | null;
  readonly model_provider: string | null;
  readonly model_name: string | null;
  readonly tool_name: string | null;
  readonly guardrail_id: string | null;
  readonly memory_policy: string | null;
  readonly input_preview: string | null;
  readonly output_preview: string | null;
  readonly metadata: JsonObject;
  readonly error: string | null;
}

const PREVIEW_CHARS = 500;

/** First 500 characters of an already redacted text, then `...[truncated]`. */
export function previewOf(text: string): string {
  if (text.length <= PREVIEW_CHARS) return text;
  const characters = [...text.slice(0, PREVIEW_CHARS * 2)];
  if (characters.length <= PREVIEW_CHARS && text.length <= PREVIEW_CHARS * 2) return text;
  return `${characters.slice(0, PREVIEW_CHARS).join('')}...[truncated]`;
}
