import type { JsonObject } from '../../kernel/json.ts';
import type { BlockName, FieldHelp } from './field-help.ts';
import type { Language } from './help.ts';

interface Scalars {
  readonly text: string;
  readonly integer: number;
  readonly number: number;
  readonly boolean: boolean;
  readonly object: JsonObject;
  readonly any: unknown;
}

/** Blocks whose type is not that of their fields alone. */
interface Named {
  readonly workflow: Workflow;
  readonly condition: Condition;
}

type OneOf<F> = F extends { block: infer Name extends BlockName }
  ? Language[Name] extends { open: true }
    ? JsonObject
    : Name extends keyof Named
      ? Named[Name]
      : FieldsOf<Name>
  : F extends { others: true }
    ? string
    : F extends { values: readonly (infer Value)[] }
      ? Value
      : F extends { type: infer Type extends FieldHelp['type'] }
        ? Scalars[Type]
        : never;

type HeldOf<F> = F extends { holds: 'list' }
  ? OneOf<F>[]
  : F extends { holds: 'map' }
    ? Record<string, OneOf<F>>
    : OneOf<F>;

/** The fields of a block as the schema check leaves them. */
type FieldsOf<Name extends BlockName> = {
  -readonly [Key in keyof Language[Name]['fields']]: Language[Name]['fields'][Key] extends {
    nullable: true;
  }
    ? HeldOf<Language[Name]['fields'][Key]> | null
    : HeldOf<Language[Name]['fields'][Key]>;
};

/**
 * The normalized spec (spec-v1 4): what layering, migration, normalization and the schema check
 * leave, with every default filled in. Compile, engine, reports and views read this form only.
 */
export type Spec = FieldsOf<'root'>;

/** Parts that are referred to by name. */
export type Components = FieldsOf<'components'>;

/** An agent (spec-v1 4). */
export type Agent = FieldsOf<'agent'>;

/** A model of a provider (spec-v1 4, 17). */
export type Model = FieldsOf<'model'>;

/** How an agent works towards its answer (spec-v1 11). */
export type Strategy = FieldsOf<'strategy'>;

/** Which way to a model an agent prefers (spec-v1 4). */
export type RuntimePreferences = FieldsOf<'runtime_preferences'>;

/** `bridge` is the offline runtime, the others are clients of providers (spec-v1 10). */
export type RuntimeMode = NonNullable<RuntimePreferences['preferred_mode']>;

/** Which tools an agent has (spec-v1 4). */
export type ToolSelection = FieldsOf<'tool_selection'>;

/** What an agent's tools may do (spec-v1 4, 11). */
export type ToolPermissions = FieldsOf<'permissions'>;

/** A person who is asked (spec-v1 13). */
export type Human = FieldsOf<'human'>;

/** A step, a node of a graph or a participant (spec-v1 4). */
export type Step = FieldsOf<'step'>;

/** What a step runs. */
export type StepKind = Step['kind'];

/** What a failed step means (spec-v1 12). */
export type OnError = Step['on_error'];

/** An edge of a graph (spec-v1 4, 5). */
export type Edge = FieldsOf<'edge'>;

/** A condition tree (spec-v1 5), with the fields that were written. Others than its type uses are ignored. */
export type Condition = Pick<FieldsOf<'condition'>, 'type'> & Partial<FieldsOf<'condition'>>;

type Kind<Name extends Workflow['type'] & BlockName, Type = Name> = Omit<FieldsOf<Name>, 'type'> & {
  type: Type;
};

/** Steps one after another (spec-v1 12). */
export type SequentialWorkflow = Kind<'sequential'>;

/** Nodes and edges with conditions (spec-v1 12). */
export type GraphWorkflow = Kind<'graph'>;

/** Participants side by side (spec-v1 12). */
export type ConcurrentWorkflow = Kind<'concurrent'>;

/** Participants in turns that a selector names (spec-v1 12). */
export type HandoffWorkflow = Kind<'handoff'>;

/** Participants in rounds over one thread (spec-v1 12). */
export type GroupChatWorkflow = Kind<'group-chat', 'group-chat' | 'group_chat'>;

/** A workflow of any type. */
export type Workflow =
  | SequentialWorkflow
  | GraphWorkflow
  | ConcurrentWorkflow
  | HandoffWorkflow
  | GroupChatWorkflow;

/** A tool: code of the project, of an MCP server, or an agent (spec-v1 4). */
export type Tool = FieldsOf<'tool'>;

/** An MCP server (spec-v1 4). */
export type McpServer = FieldsOf<'mcp_server'>;
