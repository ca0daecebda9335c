import type { RunStatus } from '../contract/platform/run-status.ts';
import type { CallConduct } from '../items/called-items.ts';
import type { StoredOutput, StoredOutputs } from '../items/stored-output.ts';
import type { Json, JsonObject } from '../kernel/json.ts';
import type { AppendList } from './append-list.ts';
import type { PendingEffect } from './effect.ts';
import type { ModelAnswer } from './event.ts';
import type { Failure, RunError } from './failure.ts';
import type { CalledFlow, FlowAnswer, FlowRun } from './flow-run.ts';
import type { Continuation, HumanRequest } from './human.ts';
import type { Message, ToolCall } from './message.ts';
import type { NameMap } from './name-map.ts';
import type { Place, RunOrigin, Settled } from './resume-point.ts';
import type { SeqMap } from './seq-map.ts';
import type { Usage } from './usage.ts';

interface FrameBase {
  readonly id: string;
  readonly parent: string | null;
  /** Which child of the parent this is: a participant, a tool call; 0 when there is only one. */
  readonly slot: number;
}

/** An open span of the trace: what its closing event repeats. */
export interface OpenSpan {
  readonly event_id: string;
  readonly span_id: string;
  readonly parent_span_id: string | null;
  readonly started_at: number;
}

/** A workflow in progress. */
export interface WorkflowFrame extends FrameBase {
  readonly kind: 'workflow';
  /** Null = the root workflow, else the name of a component workflow. */
  readonly workflow: string | null;
  /** False inside an agent that is a workflow: no workflow events (spec-v1 14). */
  readonly traced: boolean;
  readonly span: OpenSpan | null;
  /** Span around this workflow, for agents when `span` is null. */
  readonly outer_span_id: string | null;
  readonly input: string;
  readonly thread: AppendList<Message>;
  /** Turn kinds: the next turn. Concurrent: the next participant to look at. */
  readonly next: number;
  /** Graph: the node in progress. */
  readonly node: string | null;
  readonly visited: AppendList<string>;
  /** Concurrent: how many participants have started and not ended. */
  readonly open: number;
  /** Concurrent: what the participants gave, by slot. */
  readonly settled: SeqMap<Settled>;
  /** Concurrent: the failure of the first participant, in their order, that failed. */
  readonly failed: { readonly slot: number; readonly error: Failure } | null;
  /** Graph: the last node's own messages, needed when the step cap ends the run. */
  readonly last_messages: readonly Message[] | null;
  /** Item flow: what has run and who runs next; absent = this workflow is none. */
  readonly flow?: FlowRun;
  /** Item flow: what the step gave that called it; absent = it begins with a text. */
  readonly handed?: StoredOutput;
}

/** What one tool call gave. */
export interface ToolGiven {
  readonly call: ToolCall;
  readonly text: string;
}

/** What a frame hands to its parent. */
export type FrameValue =
  | { readonly kind: 'result'; readonly result: StepResult }
  | { readonly kind: 'model'; readonly answer: ModelAnswer }
  | { readonly kind: 'value'; readonly value: Json }
  | { readonly kind: 'items'; readonly answer: FlowAnswer }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'tools'; readonly given: readonly ToolGiven[] };

/** How a frame ended. */
export type Outcome =
  | { readonly ok: true; readonly value: FrameValue }
  | { readonly ok: false; readonly error: Failure };

/** A step in progress, with its retries, fallback and guardrails. */
export interface StepFrame extends FrameBase {
  readonly kind: 'step';
  readonly workflow: string | null;
  readonly step: string;
  readonly graph: boolean;
  readonly input: string;
  readonly span_id: string | null;
  readonly workflow_name: string;
  /** Runs in place of this step, under its own retries and timeout but not its on_error. */
  readonly fallback_for: string | null;
  readonly attempt: number;
  readonly phase: 'target' | 'guard' | 'fallback';
  readonly timer: string | null;
  /** Held while the workflow guardrails look at it. */
  readonly result: StepResult | null;
  readonly first_error: string | null;
  /**
   * Of an item flow; `given`: what it gives without running, `system`: the instructions of its agent
   * for this one time, `alone`: its agent does not know what it said before in this run. Absent = of
   * another workflow.
   */
  readonly flow?: {
    readonly given: FlowAnswer | null;
    readonly system?: string;
    readonly alone?: true;
  };
  /** Item flow: the calls of another workflow; null or absent = none is made yet. */
  readonly calls?: FlowCalls | null;
}

/** The calls of another workflow that a step of an item flow makes, one after another. */
export interface FlowCalls {
  /** What they are made with, and how. */
  readonly answer: FlowAnswer & { readonly calls: CallConduct };
  readonly ends: AppendList<FlowCallEnd>;
}

/** How one of them ended. */
export type FlowCallEnd =
  | { readonly outputs: StoredOutputs; readonly called: readonly CalledFlow[] }
  | { readonly error: string };

/** What a step gives to its workflow. */
export interface StepResult {
  readonly text: string;
  /** Replaces the thread; null = the text joins it as one assistant message. */
  readonly messages: AppendList<Message> | null;
  /** What the step added beyond its input: the part that a concurrent workflow merges. */
  readonly added: readonly Message[];
  readonly metadata: JsonObject;
  /** The step failed and went on by on_error `continue`. */
  readonly failed: boolean;
  /** A step cap or an iteration cap ended it: a run that ends so is failed, type max_iterations. */
  readonly capped: boolean;
  /** Item flow: the items that the step gave; absent = it gave a text. */
  readonly flow?: FlowAnswer;
}

/** An agent in progress. */
export interface AgentFrame extends FrameBase {
  readonly kind: 'agent';
  readonly agent: string;
  /** Agent tools, agent guardrails and agent summarizers: no history, no middleware, no trace. */
  readonly quiet: boolean;
  readonly step_id: string | null;
  readonly workflow_name: string | null;
  readonly outer_span_id: string | null;
  readonly span: OpenSpan | null;
  readonly input: string;
  readonly started_at: number;
  readonly phase:
    | 'memory'
    | 'input_guard'
    | 'plan'
    | 'loop'
    | 'tools'
    | 'output_guard'
    | 'workflow';
  /** History and input. */
  readonly base: AppendList<Message>;
  /** What the memory policy leaves of `base` for the model; null = all of it. */
  readonly sent: readonly Message[] | null;
  /** What this call added. */
  readonly added: readonly Message[];
  readonly iterations: number;
  readonly answer: string;
  readonly plan: string | null;
  readonly exhausted: boolean;
  readonly usage: Usage | null;
  readonly inner: JsonObject;
  /** Guardrails that let a text of this call go on unchecked; absent = none. */
  readonly unchecked?: readonly string[];
  /** In place of the agent's own instructions; absent = those. */
  readonly system?: string;
  /** It does not know what it said before in this run. */
  readonly alone?: true;
}

/** One answer of a model, with the retries of its provider. */
export interface ModelFrame extends FrameBase {
  readonly kind: 'model';
  readonly agent: string;
  readonly step_id: string | null;
  readonly phase: 'answer' | 'plan';
  readonly iteration: number;
  readonly attempt: number;
}

/** A function of the project, called for a step, a guardrail or a memory policy. */
export interface FunctionFrame extends FrameBase {
  readonly kind: 'function';
  readonly function: string;
  readonly purpose: 'step' | 'guardrail' | 'summarizer' | 'retriever';
  readonly text: string;
  readonly top_k: number | null;
  readonly step_id: string | null;
  /** Item flow: a step of it, the expressions of a prompt, or what another workflow is called with. */
  readonly flow?: 'step' | 'prompt' | 'call';
  /** Item flow: what is given when the moment to go on has come. */
  readonly held?: FlowAnswer;
}

/** The tool calls of one answer, side by side. */
export interface ToolsFrame extends FrameBase {
  readonly kind: 'tools';
  readonly agent: string;
  readonly step_id: string | null;
  readonly calls: readonly ToolCall[];
  readonly results: SeqMap<string>;
  /** Calls that have not ended. */
  readonly open: number;
}

/** One tool call, and the guardrails on what it gave. */
export interface ToolFrame extends FrameBase {
  readonly kind: 'tool';
  readonly agent: string;
  readonly step_id: string | null;
  readonly call: ToolCall;
  readonly phase: 'call' | 'guard';
}

/** Guardrails of one stage, one after another. */
export interface GuardFrame extends FrameBase {
  readonly kind: 'guard';
  readonly stage: 'input' | 'output' | 'tool' | 'workflow';
  /** Whose guardrails; the root agent for stage workflow. */
  readonly agent: string;
  readonly step_id: string | null;
  readonly text: string;
  readonly index: number;
  /** Steps that the looks of this stage took so far; absent = none. */
  readonly steps?: number;
}

/**
 * One part of a run in progress. The frames form a tree: each waits for its children or for one
 * effect, and hands its outcome to its parent.
 */
export type Frame =
  | WorkflowFrame
  | StepFrame
  | AgentFrame
  | ModelFrame
  | FunctionFrame
  | ToolsFrame
  | ToolFrame
  | GuardFrame;

/** An effect that the run waits for and the frame that gets its answer. */
export interface Pending {
  readonly frame: string;
  readonly effect: PendingEffect;
}

/** The human step that blocks the run. */
export interface Pause {
  readonly frame: string;
  /** Key of the human step in its workflow. */
  readonly step: string;
  readonly input: string;
  readonly request: HumanRequest;
  readonly continuation: Continuation;
}

/** Where a failed run may be taken up again (platform.md 6.4). */
export interface RestartPoint {
  readonly step: string;
  readonly index: number | null;
  readonly input: string;
  readonly visited: AppendList<string>;
  /** Item flow: as it stood when the step began. */
  readonly flow?: FlowRun;
}

/** Ends of one step so far; `at` keeps the steps in the order of their first end. */
export interface StepCount {
  /** `"<step>|<node>"`. */
  readonly key: string;
  readonly n: number;
  readonly at: number;
}

/** The place in a trace that a run was asked for in, as headers of W3C Trace Context. */
export interface CallerTrace {
  readonly traceparent: string;
  readonly tracestate?: string;
}

/** What a run works on besides its spec. */
export interface RunSetup {
  readonly run_id: string;
  readonly target: 'agent' | 'workflow';
  readonly input_text: string;
  readonly environment: string | null;
  /** Wall-clock limit in seconds; `deadline_at` = creation + this. */
  readonly timeout_seconds: number | null;
  /** Epoch seconds. */
  readonly deadline_at: number | null;
  /** Absent = nobody told, or nobody wanted to know. */
  readonly caller_trace?: CallerTrace;
}

/**
 * A run as a value: plain JSON, without the trace. Same program and same events give the same
 * state, byte for byte. Ids are derived from `run_id` and `seq`.
 */
export interface RunState {
  readonly setup: RunSetup;
  readonly status: RunStatus;
  readonly seq: number;
  readonly frames: SeqMap<Frame>;
  readonly pending: SeqMap<Pending>;
  readonly pause: Pause | null;
  readonly restart: RestartPoint | null;
  /** Agent key → what earlier calls of this run left (append_mode). */
  readonly histories: NameMap<AppendList<Message>>;
  readonly usage: Usage | null;
  /** Agent key → input+output tokens, for its own budget. */
  readonly agent_tokens: NameMap<number>;
  readonly agent_name: string | null;
  readonly workflow_name: string | null;
  readonly workflow_type: string | null;
  readonly workflow_kind: 'workflow' | 'agent';
  readonly visited: AppendList<string>;
  /** How many leading `visited` are as they were at the last checkpoint. */
  readonly visited_marked: number;
  readonly current_step_index: number | null;
  readonly current_step_id: string | null;
  readonly current_node_id: string | null;
  readonly output_text: string | null;
  readonly messages: readonly Message[];
  readonly error: RunError | null;
  /** True when the failure was thrown, false when it came as a result (platform.md 3.2). */
  readonly thrown: boolean;
  /** The latest moment of which anything is recorded; absent before the first event. */
  readonly latest_at?: number;
  readonly started_at: number | null;
  readonly completed_at: number | null;
  /**
   * By the counters of the program: ends so far, failures included. A step with an entry has a
   * checkpoint row, so that a leg's end writes only what is missing.
   */
  readonly step_counts: SeqMap<StepCount>;
  /** Leg after a human decision: its step rows are written at its end (spec-v1 15). */
  readonly resumed_from: string | null;
  readonly leg_ends: AppendList<LegEnd>;
  readonly execution: JsonObject;
  /** Characters of tools and settings in calls of models that are waited for; absent = none. */
  readonly offered_chars?: number;
  /** Characters of all answers so far; absent = none. */
  readonly text_chars?: number;
  /** Metadata of the result, set when a leg ends. */
  readonly result: JsonObject;
  readonly warnings: AppendList<JsonObject>;
  /** Why the offline runtime stood in for a provider, when it did. */
  readonly model_warning: string | null;
  readonly checkpoint_count: number;
  /** How many resume points the run has given off. */
  readonly point_count: number;
  /** The run and checkpoint that this run began from, when it is a rerun. */
  readonly origin: RunOrigin | null;
  /** The run was continued from texts in which secrets were masked; absent = it was not. */
  readonly masked_origin?: boolean;
  /**
   * Where a rerun, or a run that was carried over, goes on; null once it has, and for other runs.
   * Carried over with null: at the very beginning.
   */
  readonly begins_at: Place | null;
  /** The run stopped and was made ready to go on under another spec; absent = it was not. */
  readonly carried?: boolean;
}

/** A step that ended during a resumed leg. */
export interface LegEnd {
  readonly step_id: string | null;
  readonly node_id: string | null;
  readonly workflow_name: string;
  readonly failed: boolean;
  readonly error: string | null;
  readonly counter: number;
  /** The resume point of this end. */
  readonly point: number;
}
