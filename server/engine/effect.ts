import type { RunStatus } from '../contract/platform/run-status.ts';
import type { Json, JsonObject } from '../kernel/json.ts';
import type { AppendList } from './append-list.ts';
import type { Continuation } from './human.ts';
import type { Message } from './message.ts';

/** A tool as it is offered to a model. */
export interface ToolOffer {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the argument object. */
  readonly parameters: JsonObject;
}

/** Which client answers an agent's model calls; decided when the program is built (spec-v1 10). */
export interface RuntimeBinding {
  /** `offline` is answered with `offlineAnswer`; anything else by the client of that provider. */
  readonly provider: string;
  readonly model: string | null;
  readonly runtime_mode: 'bridge' | 'native' | 'sdk' | 'adapter';
  /** The part after `@` of `runtime_name`, such as `dummy`; also `metadata.sdk`. */
  readonly sdk: string;
  /** Kept as `metadata.model_warning` when the offline runtime stands in for a provider. */
  readonly warning: string | null;
}

/** Wants one call of a model: one attempt, the retries are the engine's. */
export interface CallModel {
  readonly kind: 'call_model';
  readonly id: string;
  readonly agent_name: string;
  readonly step_id: string | null;
  readonly binding: RuntimeBinding;
  readonly system_prompt: string | null;
  readonly messages: AppendList<Message>;
  readonly tools: readonly ToolOffer[];
  /** `plan` is the planning call of plan-act: the system prompt already carries the request. */
  readonly phase: 'answer' | 'plan';
  readonly iteration: number;
  readonly attempt: number;
  readonly temperature: number;
  readonly max_tokens: number | null;
  /** The client gives up after this many seconds and reports `timed_out`; null = no limit. */
  readonly timeout_seconds: number | null;
  /** `model.extra` of the spec: base_url, api_key_ref and the like. */
  readonly extra: JsonObject;
}

/** Wants a function of the project called. */
export interface CallFunction {
  readonly kind: 'call_function';
  readonly id: string;
  readonly purpose: 'step' | 'guardrail' | 'summarizer' | 'retriever';
  readonly function: string;
  readonly implementation: string;
  /** Positional: step, guardrail and summarizer `[text]`; retriever `[text, top_k]`. */
  readonly args: readonly Json[];
  readonly step_id: string | null;
  /**
   * Item flow: answered with items, with what each item asks, or with the items that another workflow
   * is called with; `flowCallOf` says what goes in.
   */
  readonly flow?: 'step' | 'prompt' | 'call';
}

/** Wants a tool called that is code of the project. */
export interface CallTool {
  readonly kind: 'call_tool';
  readonly id: string;
  readonly tool: string;
  readonly implementation: string;
  readonly call_id: string;
  readonly arguments: JsonObject;
  readonly agent_name: string;
  readonly step_id: string | null;
}

/** Wants a tool of an MCP server called. */
export interface CallMcpTool {
  readonly kind: 'call_mcp_tool';
  readonly id: string;
  readonly tool: string;
  /** Key in `mcp_servers` of the spec. */
  readonly server: string;
  readonly remote_name: string;
  readonly call_id: string;
  readonly arguments: JsonObject;
  readonly agent_name: string;
  readonly step_id: string | null;
}

/** Wants a guardrail's looks at a text that take longer than a turn may; answered by a finding as value. */
export interface CheckText {
  readonly kind: 'check_text';
  readonly id: string;
  readonly guardrail: string;
  readonly looks: 'keyword' | 'regex';
  /** The keywords or patterns. */
  readonly words: readonly string[];
  readonly text: string;
  /** How many steps the looks may take in sum. */
  readonly steps: number;
  readonly step_id: string | null;
}

interface StartTimer {
  readonly kind: 'start_timer';
  readonly id: string;
  readonly reason: 'step_timeout' | 'provider_backoff' | 'flow_wait';
  /** Milliseconds since the epoch, so that a restarted service knows what is left. */
  readonly due_at: number;
}

/** An effect that is answered by an event with its id. */
export type PendingEffect =
  | CallModel
  | CallFunction
  | CallTool
  | CallMcpTool
  | CheckText
  | StartTimer;

/** The run waits for a person; answered by `human_decided` or `task_expired`. */
interface AskHuman {
  readonly kind: 'ask_human';
  readonly continuation: Continuation;
}

/** The run reached a terminal status. */
interface Finish {
  readonly kind: 'finish';
  readonly status: RunStatus;
}

/** What to do next. */
export type Effect = PendingEffect | AskHuman | Finish;
