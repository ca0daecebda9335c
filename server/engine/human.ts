import type { HumanRequest as WireRequest } from '../contract/platform/human-request.ts';
import type { JsonObject } from '../kernel/json.ts';
import type { HumanDecision } from './event.ts';
import type { Message, Role } from './message.ts';

/**
 * What a person is asked (platform.md 3.8). `context` always has `input_text`, with the spec's
 * context over it; what an escalation adds stands on the task only.
 */
export interface HumanRequest extends WireRequest {
  readonly response_role: Exclude<Role, 'tool'> | null;
}

/**
 * The record behind a human task (spec-v1 13). `trace_events` of the wire form is added by whoever
 * keeps the trace; the state of a run never holds it.
 */
export interface Continuation {
  readonly id: string;
  readonly run_id: string;
  readonly workflow_name: string;
  /** Null for an agent alone, which waits before it begins. */
  readonly workflow_kind: 'sequential' | 'graph' | 'handoff' | 'group_chat' | 'concurrent' | null;
  readonly current_step_index: number | null;
  readonly current_node_id: string | null;
  readonly current_input: string;
  readonly visited_steps: readonly string[];
  readonly visited_nodes: readonly string[];
  readonly messages: readonly Message[];
  readonly variables: JsonObject;
  readonly pending_human_request_id: string;
  readonly pending_human_request: HumanRequest;
  /** Epoch seconds, null = no deadline. */
  readonly expires_at: number | null;
  readonly created_at: string;
  readonly metadata: JsonObject;
}

/** The text that a decision passes on (spec-v1 13): the step's input unless the decision says otherwise. */
export function decisionText(decision: HumanDecision, input: string): string {
  // Empty text counts as absent, as in every optional field.
  const content = decision.content || null;
  switch (decision.decision) {
    case 'approved':
      return input;
    case 'rejected':
      return `Rejected by human reviewer: ${content ?? ''}`;
    case 'selected':
      return decision.selected_option || content || input;
    case 'edited':
    case 'provided':
      return content ?? input;
  }
}

/** True when `selected_option` is outside a non-empty list of options: the answer is refused (platform.md 3.8). */
export function selectsUnknownOption(request: HumanRequest, decision: HumanDecision): boolean {
  const option = decision.selected_option ?? null;
  const options = request.options ?? [];
  return decision.decision === 'selected' && option !== null && options.length > 0
    ? !options.includes(option)
    : false;
}

/**
 * What continue of a blocked run answers (platform.md 6.4): approval and review are approved, a
 * selection takes its default option; undefined where only a person can answer.
 */
export function continueAnswer(request: HumanRequest): HumanDecision | undefined {
  if (request.type === 'approval' || request.type === 'review') return { decision: 'approved' };
  if (request.type === 'selection' && request.default_option !== null) {
    return { decision: 'selected', selected_option: request.default_option };
  }
  return undefined;
}

/** What `on_timeout: continue` answers: the default option of a selection, else approved (spec-v1 18, no. 11). */
export function expiryAnswer(request: HumanRequest): HumanDecision {
  return request.type === 'selection' && request.default_option !== null
    ? { decision: 'selected', selected_option: request.default_option }
    : { decision: 'approved' };
}
