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

/** One field of a block: the schema check, completion, hover and the reference page read it. */
export interface FieldHelp {
  readonly type: 'text' | 'integer' | 'number' | 'boolean' | 'object' | 'any';
  readonly help: string;
  readonly required?: true;
  readonly nullable?: true;
  /** Empty text, an empty list or an empty mapping counts as absent. */
  readonly unset?: 'empty';
  readonly values?: readonly string[];
  /** Values that are not listed are accepted too. */
  readonly others?: true;
  readonly standard?: string;
  readonly block?: BlockName;
  readonly holds?: 'list' | 'map';
  readonly refers?: Reference;
  /** Another key that it may be written under. */
  readonly also?: string;
  /** A text that is a path of the author; a number that must be above 0. */
  readonly must?: 'stay inside' | 'be above 0';
}

/** A block as it is read and told. */
export type BlockHelp = {
  readonly help: string;
  readonly fields: Readonly<Record<string, FieldHelp>>;
  /** True when fields that are not written stay absent, whatever their default. */
  readonly sparse?: true;
} & (
  | {
      /** What the schema check calls it. */
      readonly called: string;
      readonly open?: never;
    }
  | {
      /** True when other keys than the listed ones are accepted. */
      readonly open: true;
      readonly called?: never;
    }
);

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
const NONE = {} as const;

const row =
  <const Type extends FieldHelp['type']>(type: Type) =>
  <const E extends Extra = typeof NONE>(help: string, extra?: E) =>
    ({ type, help, ...(extra ?? NONE) }) as { type: Type; help: string } & E;

export const text = row('text');
export const integer = row('integer');
export const number = row('number');
export const flag = row('boolean');
export const object = row('object');
export const any = row('any');

export const need = { required: true } as const;
export const maybe = { nullable: true } as const;
/** Absent when it is null or empty. */
export const filled = { nullable: true, unset: 'empty' } as const;
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
