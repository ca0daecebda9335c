import type { AnsweredBy, Rehearsal } from '../contract/platform/rehearsals.ts';
import type { JsonObject } from '../kernel/json.ts';
import type { GuardrailAction } from '../spec/rules/guardrails.ts';
import type { MemorySetting } from '../spec/rules/memory.ts';
import type {
  Agent,
  Condition,
  Human,
  Model,
  OnError,
  StepKind,
  Workflow,
} from '../spec/schema/spec-types.ts';
import type { RuntimeBinding, ToolOffer } from './effect.ts';
import type { FlowProgram } from './flow-run.ts';
import type { GuardLook } from './guard-check.ts';
import type { RunLimits } from './run-limits.ts';

/** One enabled step, node or participant, ready to run. `key` is the node key in a graph, else the id. */
export interface ProgramStep {
  readonly key: string;
  readonly kind: StepKind;
  readonly ref: string;
  readonly on_error: OnError;
  readonly fallback: string | null;
  readonly attempts: number;
  /** Seconds per attempt; null = no limit. */
  readonly timeout_seconds: number | null;
  /** Number of the counter of its ends: steps of the same id share it, a node of that id does not. */
  readonly counter: number;
  /** Who answers in its place; absent = it runs. */
  readonly rehearsed?: RehearsedStep;
}

/** What answers in place of a step, and who said so. */
export interface RehearsedStep {
  readonly by: AnsweredBy;
  /** What it gives; null where its calls are answered one by one. */
  readonly items: readonly JsonObject[] | null;
}

/** An edge out of a node, in document order. */
export interface ProgramEdge {
  readonly to: string;
  readonly condition: Condition | null;
}

interface ProgramWorkflowBase {
  readonly name: string;
  readonly description: string | null;
  /** The spec's `type`. */
  readonly type: Workflow['type'];
  /** By their ids. A map: looking for one of a thousand members of a record takes ten times as long. */
  readonly steps: ReadonlyMap<string, ProgramStep>;
}

/**
 * Sequential, handoff and group-chat: turns over one thread. The keys of `order` take them again and
 * again, `turn_count` in all: how many that is never costs anything before they are taken.
 */
export interface TurnsWorkflow extends ProgramWorkflowBase {
  readonly shape: 'sequential' | 'handoff' | 'group_chat';
  readonly order: readonly string[];
  readonly turn_count: number;
  readonly participant_count: number;
  readonly rounds: number | null;
  /** A participant that the sequence names and that is switched off, or not there at all. */
  readonly absent?: string;
}

/** A graph: the first edge that holds leads on. */
export interface GraphProgram extends ProgramWorkflowBase {
  readonly shape: 'graph';
  readonly start: string;
  readonly edges: Readonly<Record<string, readonly ProgramEdge[]>>;
  readonly max_steps: number;
  /** It runs as an item flow; absent = the first edge that holds leads on. */
  readonly flow?: FlowProgram;
}

/** Participants that run side by side; what they give is merged in this order. */
export interface ConcurrentProgram extends ProgramWorkflowBase {
  readonly shape: 'concurrent';
  readonly order: readonly string[];
}

/** A workflow with its names resolved. */
export type ProgramWorkflow = TurnsWorkflow | GraphProgram | ConcurrentProgram;

/** A step that the workflow has. @throws TypeError when it has none of that key. */
export function stepIn({ name, steps }: ProgramWorkflow, key: string): ProgramStep {
  const step = steps.get(key);
  if (step === undefined) throw new TypeError(`the workflow '${name}' has no step '${key}'`);
  return step;
}

/** How a workflow runs as an item flow; undefined for one that is none. */
export function flowIn(wf: ProgramWorkflow): FlowProgram | undefined {
  return wf.shape === 'graph' ? wf.flow : undefined;
}

/** How a guardrail looks. */
export type GuardrailCheck =
  | { readonly type: 'keyword' | 'regex'; readonly looks: readonly GuardLook[] }
  | { readonly type: 'function'; readonly ref: string }
  | { readonly type: 'agent'; readonly ref: string };

/** A guardrail of one stage. */
export interface Guardrail {
  readonly id: string;
  readonly action: GuardrailAction;
  readonly check: GuardrailCheck;
}

/** What a call of a tool reaches. */
export type ToolBacking =
  | { readonly kind: 'function'; readonly implementation: string }
  | { readonly kind: 'mcp'; readonly server: string; readonly remote_name: string }
  | { readonly kind: 'agent'; readonly agent: string };

/** A tool as the model sees it, with what stands behind it. */
export interface ProgramTool {
  readonly offer: ToolOffer;
  readonly backing: ToolBacking;
}

/** Which tools an agent may use, and which domains they may name. */
export interface ToolPolicy {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly allowed_domains: readonly string[];
  readonly denied_domains: readonly string[];
}

/** An agent as a run calls it; the root agent has the key `''`. */
export interface ProgramAgent {
  readonly key: string;
  readonly name: string;
  readonly as_agent: string | null;
  readonly strategy: 'simple' | 'react' | 'plan-act';
  readonly max_iterations: number;
  /** With the instructions of the active skills appended. */
  readonly system_prompt: string | null;
  readonly binding: RuntimeBinding;
  readonly model: Model | null;
  readonly temperature: number;
  readonly timeout_seconds: number | null;
  /** Own ceiling of input+output tokens; wins over the run-wide one. */
  readonly token_budget: number | null;
  readonly append_mode: 'auto' | 'never' | 'user_only' | 'assistant_only';
  readonly memory: MemorySetting | null;
  readonly input_guardrails: readonly Guardrail[];
  readonly output_guardrails: readonly Guardrail[];
  readonly tool_guardrails: readonly Guardrail[];
  readonly tools: readonly string[];
  readonly tool_policy: ToolPolicy | null;
}

/** Retry of provider calls (`SERV_PROVIDER_*`, spec-v1 17). Does not touch the offline runtime. */
interface ProviderRetry {
  readonly retries: number;
  /** Seconds, multiplied by the number of the failed attempt. */
  readonly backoff_seconds: number;
  readonly timeout_seconds: number | null;
  readonly retry_on_timeout: boolean;
}

/** What the engine must be told beside the spec. Everything is optional. */
export interface ProgramOptions {
  /** Instructions of declared skills by name (spec-v1 10, skill bundle). */
  readonly skills?: Readonly<Record<string, string>>;
  /** Which client answers an agent; default: the offline runtime for every agent. */
  readonly bind?: (agent: Agent, path: string) => RuntimeBinding;
  /** Applied to previews and errors of trace events; default: the redaction of platform.md 9. */
  readonly redactText?: (text: string) => string;
  /** `SERV_TOKEN_BUDGET`: input+output tokens of one run. */
  readonly token_budget?: number | null;
  readonly provider_retry?: Partial<ProviderRetry>;
  /** `SERV_WORKFLOW_RETRY_ON_TIMEOUT`. */
  readonly retry_on_timeout?: boolean;
  /** `SERV_RUN_MAX_PARTS`, `SERV_RUN_MAX_TEXT_CHARS`. */
  readonly limits?: RunLimits;
  /** What answers in place of steps. */
  readonly rehearsal?: Rehearsal;
}

/** A spec ready to run: names resolved, disabled steps left out, options folded in. */
export interface Program {
  readonly root_agent: string;
  readonly root_workflow: ProgramWorkflow | null;
  readonly agents: Readonly<Record<string, ProgramAgent>>;
  readonly workflows: Readonly<Record<string, ProgramWorkflow>>;
  /** Function component name → implementation. */
  readonly functions: Readonly<Record<string, string>>;
  readonly humans: Readonly<Record<string, Human>>;
  readonly tools: Readonly<Record<string, ProgramTool>>;
  /** Declared on the root agent; looks at every step output. */
  readonly workflow_guardrails: readonly Guardrail[];
  readonly token_budget: number | null;
  readonly provider_retry: ProviderRetry;
  readonly retry_on_timeout: boolean;
  readonly limits: RunLimits;
  readonly redactText: (text: string) => string;
}

/** Why a spec cannot be built: `ValueError` is answered 400 `invalid_request`, the rest by its type. */
export class BuildFailure extends Error {
  override readonly name = 'BuildFailure';
  readonly type: 'ValueError' | 'RuntimeError' | 'SpecCompilationError';

  constructor(type: BuildFailure['type'], text: string) {
    super(text);
    this.type = type;
  }
}
