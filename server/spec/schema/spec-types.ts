import type { JsonObject } from '../../kernel/json.ts';

/**
 * The normalized spec (spec-v1 4): what layering, migration, normalization and the schema check
 * leave, with every default filled in. Compile, engine, reports and views read this form only.
 */
export interface Spec {
  version: 'v1';
  metadata: JsonObject | null;
  agent: Agent;
  workflow: Workflow | null;
  components: Components;
  tools: Record<string, Tool>;
  mcp_servers: Record<string, McpServer>;
  skills: Record<string, Skill>;
  policies: JsonObject;
}

/** Parts that are referred to by name. */
export interface Components {
  agents: Record<string, Agent>;
  workflows: Record<string, Workflow>;
  functions: Record<string, FunctionComponent>;
  humans: Record<string, Human>;
}

/** An agent (spec-v1 4). */
export interface Agent {
  name: string;
  description: string | null;
  system_prompt: string | null;
  model: Model | null;
  strategy: Strategy | null;
  runtime_preferences: RuntimePreferences | null;
  history: JsonObject | null;
  memory: JsonObject | null;
  guardrails: JsonObject | null;
  tools: ToolSelection | null;
  skills: string[];
  middleware: string[];
  defaults: JsonObject;
  as_agent: string | null;
}

/** A model of a provider (spec-v1 4, 17). */
export interface Model {
  provider: string;
  name: string;
  temperature: number | null;
  max_tokens: number | null;
  token_budget: number | null;
  timeout_seconds: number | null;
  extra: JsonObject;
}

/** How an agent works towards its answer (spec-v1 11). */
export interface Strategy {
  type: 'simple' | 'react' | 'plan-act';
  max_iterations: number | null;
  stop_on_tool_error: boolean | null;
  parallel_tool_calls: boolean | null;
}

/** `bridge` is the offline runtime, the others are clients of providers (spec-v1 10). */
export type RuntimeMode = 'bridge' | 'native' | 'adapter';

/** Which way to a model an agent prefers (spec-v1 4). */
export interface RuntimePreferences {
  preferred_mode: RuntimeMode | null;
  fallback_mode: RuntimeMode | null;
  allowed_modes: RuntimeMode[] | null;
  native_provider: string | null;
  adapter_ref: string | null;
  bridge_provider: string | null;
}

/** Which tools an agent has (spec-v1 4). */
export interface ToolSelection {
  include: string[];
  exclude: string[];
  permissions: ToolPermissions | null;
}

/** What an agent's tools may do (spec-v1 4, 11). */
export interface ToolPermissions {
  allow_network: boolean | null;
  allow_filesystem_read: boolean | null;
  allow_filesystem_write: boolean | null;
  allow_shell: boolean | null;
  allowed_domains: string[];
  denied_domains: string[];
}

/** A function of the project (spec-v1 4). */
export interface FunctionComponent {
  implementation: string;
  input_schema: JsonObject | null;
  output_schema: JsonObject | null;
}

/** What a person is asked for (spec-v1 13). */
export type HumanRequestType = 'approval' | 'review' | 'correction' | 'selection' | 'freeform';
/** What happens when nobody answers (spec-v1 13). */
export type OnTimeout = 'fail' | 'continue' | 'escalate';

/** A person who is asked (spec-v1 13). */
export interface Human {
  description: string | null;
  assignee: string | null;
  timeout_seconds: number | null;
  on_timeout: OnTimeout;
  request_type: HumanRequestType;
  options: string[] | null;
  default_option: string | null;
  context: JsonObject | null;
  response_role: 'user' | 'assistant' | 'system' | null;
}

/** What a step runs. */
export type StepKind = 'agent' | 'function' | 'workflow' | 'human' | 'guardrail';
/** What a failed step means (spec-v1 12). */
export type OnError = 'fail' | 'continue' | 'retry' | 'fallback';

/** A step, a node of a graph or a participant (spec-v1 4). */
export interface Step {
  id: string;
  kind: StepKind;
  ref: string;
  enabled: boolean;
  on_error: OnError;
  fallback_ref: string | null;
  max_retries: number;
  timeout_seconds: number | null;
}

/** An edge of a graph (spec-v1 4, 5). */
export interface Edge {
  from: string;
  to: string;
  condition: Condition | null;
  label: string | null;
}

/** Types of conditions (spec-v1 5). */
export type ConditionType =
  | 'always'
  | 'never'
  | 'output_contains'
  | 'output_equals'
  | 'metadata_equals'
  | 'variable_equals'
  | 'status_is'
  | 'all_of'
  | 'any_of'
  | 'not';

/** A condition tree (spec-v1 5). Fields that the type does not use are ignored. */
export interface Condition {
  type: ConditionType;
  value?: unknown;
  key?: string | null;
  case_sensitive?: boolean;
  conditions?: Condition[];
  condition?: Condition | null;
}

interface NamedWorkflow {
  name: string | null;
  description: string | null;
}

/** Steps one after another (spec-v1 12). */
export interface SequentialWorkflow extends NamedWorkflow {
  type: 'sequential';
  steps: Step[];
}

/** Nodes and edges with conditions (spec-v1 12). */
export interface GraphWorkflow extends NamedWorkflow {
  type: 'graph';
  start: string;
  nodes: Record<string, Step>;
  edges: Edge[];
  max_steps: number;
}

/** Participants side by side (spec-v1 12). */
export interface ConcurrentWorkflow extends NamedWorkflow {
  type: 'concurrent';
  participants: Step[];
  max_iterations: number | null;
}

/** Participants in turns that a selector names (spec-v1 12). */
export interface HandoffWorkflow extends NamedWorkflow {
  type: 'handoff';
  participants: Step[];
  selector: { type: 'sequence' | 'round_robin'; sequence: string[] };
  max_iterations: number | null;
}

/** Participants in rounds over one thread (spec-v1 12). */
export interface GroupChatWorkflow extends NamedWorkflow {
  type: 'group-chat' | 'group_chat';
  participants: Step[];
  rounds: number;
  max_iterations: number | null;
}

/** A workflow of any type. */
export type Workflow =
  | SequentialWorkflow
  | GraphWorkflow
  | ConcurrentWorkflow
  | HandoffWorkflow
  | GroupChatWorkflow;

/** A tool: code of the project, of an MCP server, or an agent (spec-v1 4). */
export interface Tool {
  description: string;
  parameters: JsonObject;
  implementation: string | null;
  mcp: JsonObject | null;
  agent: string | null;
}

/** Instructions from a file or folder (spec-v1 4). */
export interface Skill {
  source: string;
  description: string | null;
}

/** An MCP server (spec-v1 4). */
export interface McpServer {
  transport: 'stdio' | 'http' | 'sse';
  command: string | null;
  args: string[];
  env: Record<string, string> | null;
  cwd: string | null;
  url: string | null;
  sse_url: string | null;
  message_url: string | null;
  headers: Record<string, string> | null;
  timeout: number | null;
  max_response_bytes: number | null;
  sse_read_timeout: number | null;
  verify: boolean | null;
  ca_bundle: string | null;
  client_cert: string | null;
  client_key: string | null;
  client_key_ref: string | null;
}
