/** Names that a field may refer to; `step` is resolved by the step's kind, `step_id` by its workflow. */
export type Reference =
  | 'agents'
  | 'workflows'
  | 'functions'
  | 'functions_or_agents'
  | 'tools'
  | 'skills'
  | 'mcp_servers'
  | 'step'
  | 'step_id';

/** What is known about one field of a block; completion, hover and the reference page read it. */
export interface FieldHelp {
  readonly type: 'text' | 'integer' | 'number' | 'boolean' | 'object' | 'any';
  readonly help: string;
  readonly required?: true;
  readonly nullable?: true;
  readonly values?: readonly string[];
  readonly standard?: string;
  readonly block?: BlockName;
  readonly holds?: 'list' | 'map';
  readonly refers?: Reference;
}

/** What the editor and the reference say of a block. */
export interface BlockHelp {
  readonly help: string;
  /** True when other keys than the listed ones are accepted. */
  readonly open?: true;
  readonly fields: Readonly<Record<string, FieldHelp>>;
}

/** A block of the spec language. */
export type BlockName =
  | 'root'
  | 'agent'
  | 'model'
  | 'strategy'
  | 'runtime_preferences'
  | 'memory'
  | 'memory_part'
  | 'guardrails'
  | 'guardrail'
  | 'guardrail_config'
  | 'tool_selection'
  | 'permissions'
  | 'defaults'
  | 'components'
  | 'function'
  | 'human'
  | 'workflow'
  | 'sequential'
  | 'graph'
  | 'concurrent'
  | 'handoff'
  | 'group-chat'
  | 'selector'
  | 'step'
  | 'edge'
  | 'condition'
  | 'tool'
  | 'mcp_tool'
  | 'skill'
  | 'mcp_server';

type Extra = Partial<Omit<FieldHelp, 'type' | 'help'>>;
type Row = (help: string, extra?: Extra) => FieldHelp;

const row =
  (type: FieldHelp['type']): Row =>
  (help, extra = {}) => ({ type, help, ...extra });

export const text = row('text');
export const integer = row('integer');
export const number = row('number');
export const flag = row('boolean');
export const object = row('object');
export const any = row('any');

export const need = { required: true } as const;
export const maybe = { nullable: true } as const;
export const texts = { holds: 'list' } as const;

/** Values of the closed lists (spec-v1 4). */
export const VALUES = {
  strategy: ['simple', 'react', 'plan-act'],
  runtimeMode: ['bridge', 'native', 'adapter'],
  stepKind: ['agent', 'function', 'workflow', 'human', 'guardrail'],
  onError: ['fail', 'continue', 'retry', 'fallback'],
  onTimeout: ['fail', 'continue', 'escalate'],
  requestType: ['approval', 'review', 'correction', 'selection', 'freeform'],
  responseRole: ['user', 'assistant', 'system'],
  selector: ['sequence', 'round_robin'],
  transport: ['stdio', 'http', 'sse'],
  workflow: ['sequential', 'graph', 'concurrent', 'handoff', 'group-chat', 'group_chat'],
  condition: [
    'always',
    'never',
    'output_contains',
    'output_equals',
    'metadata_equals',
    'variable_equals',
    'status_is',
    'all_of',
    'any_of',
    'not',
  ],
  guardrail: ['keyword', 'regex', 'function', 'agent'],
  memory: ['full', 'sliding_window', 'summary', 'retrieval'],
  appendMode: ['auto', 'never', 'user_only', 'assistant_only'],
  provider: ['dummy', 'openai', 'openai-compatible', 'anthropic', 'google', 'ollama'],
} as const;
