import type { GapSeverity } from '../contract/studio/gaps.ts';
import type { JsonObject } from '../kernel/json.ts';
import type { Condition } from '../spec/schema/spec-types.ts';
import type { SourceRef } from './analysis.ts';
import type { CardTopic } from './gaps/gap-stream.ts';
import type { Protector } from './secrets.ts';

export type Provenance = 'authored' | 'source_default';

/** A value as the source holds it: known, known to exist but not readable, or not there. */
export type Field<T> =
  | { readonly state: 'resolved'; readonly value: T; readonly provenance: Provenance }
  | {
      readonly state: 'unresolved';
      readonly cause: 'expression' | 'unmapped' | 'unknown_default';
      readonly display: string;
      /** True when an expression stands inside other text. */
      readonly embedded: boolean;
    }
  | { readonly state: 'absent' }
  | { readonly state: 'unsupported'; readonly display: string; readonly provenance: Provenance };

export type SettingSlot =
  | 'temperature'
  | 'max_tokens'
  | 'iteration_bound'
  | 'instruction'
  | 'data_source';

/** A value that the author set. `display` never holds a secret-named value. */
export interface Setting {
  readonly name: string;
  readonly display: string;
  readonly slot: SettingSlot | null;
}

/** Settings that the card of an unread kind of agent shows; the ledger tells what else is left. */
export function shownSettings(settings: readonly Setting[]): Setting[] {
  return settings.filter(({ slot }) => slot === 'instruction' || slot === 'data_source');
}

/** A limit of rounds as a card has to tell it: one that the file holds is told by the ledger. */
export function unsaidBound(bound: Field<number>): Field<number> {
  const isUnknown = bound.state === 'unresolved' && bound.cause === 'unknown_default';
  return isUnknown ? bound : { state: 'absent' };
}

/** The model of an agent: `none` when nothing names one. */
export type ModelField =
  | { readonly state: 'none' }
  | {
      readonly state: 'named';
      /** Null when the provider cannot be told. */
      readonly provider: string | null;
      /** True: a provider is written but unknown to us (the identifier is not carried). */
      readonly providerUnresolved: boolean;
      readonly identifier: Field<string>;
    };

/** Spec members beyond name, model and prompt that an extended adapter carries into an agent. */
export interface AgentExtras {
  readonly model?: JsonObject;
  readonly members?: JsonObject;
}

export interface AgentPayload {
  readonly execution: { readonly read: boolean; readonly display: string };
  readonly model: ModelField;
  readonly prompt: Field<string>;
  readonly runInput: Field<string>;
  readonly bound: Field<number>;
  readonly settings: readonly Setting[];
  readonly modelSettings: readonly Setting[];
  readonly extras?: AgentExtras;
}

export interface ModelCallPayload {
  readonly model: ModelField;
  readonly prompt: Field<string>;
  readonly runInput: Field<string>;
  readonly settings: readonly Setting[];
  readonly extras?: AgentExtras;
}

/** Writes a component or tool of the draft; texts of the source go through the guard. */
export type Definition = (name: string, protector: Protector) => JsonObject;

/** What a step of another kind needs in `components`. */
export interface ComponentPayload {
  /** Step kind and the section of `components` that its definition goes to. */
  readonly step: 'function' | 'human' | 'workflow';
  readonly definition: Definition;
  /** Greatest number of rounds, for a step that leads a loop and declares one. */
  readonly cap?: number | null;
  /** Set on a container whose content becomes the component workflow; its losses are the graph's. */
  readonly body?: Graph;
  /** Set on a call of another workflow: the ids and names that it may have. */
  readonly calls?: readonly string[];
  /** Set where the element itself holds the workflow that it calls: its text. */
  readonly inner?: string;
  /** Set on a pause that ends by the clock. */
  readonly timer?: Timer;
}

/** A pause by the clock; a function holds its place where no person can be waited for. */
export interface Timer {
  readonly definition: Definition;
  readonly loss: (step: 'human' | 'function') => Loss;
}

export type NodePayload =
  | ({ readonly kind: 'agent' } & AgentPayload)
  | ({ readonly kind: 'model_call' } & ModelCallPayload)
  | {
      readonly kind: 'branch';
      readonly display: string;
      /** True: the conditions are on the outputs. */
      readonly translated: boolean;
      /** The function that may hold the place of the decision. */
      readonly gate?: Definition;
    }
  | { readonly kind: 'loop'; readonly cap: number | null; readonly gate?: Definition }
  | { readonly kind: 'http'; readonly display: string }
  | { readonly kind: 'code'; readonly language: string }
  | { readonly kind: 'tool_call'; readonly tool: string }
  | { readonly kind: 'subworkflow'; readonly reference: string }
  | { readonly kind: 'container'; readonly construct: string; readonly members: readonly string[] }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'deactivated' }
  | ({ readonly kind: 'component' } & ComponentPayload)
  /** `cap`: the greatest number of steps, for what only leads a loop back. */
  | { readonly kind: 'passthrough'; readonly cap?: number };

export type OutputRole =
  | 'default'
  | 'case'
  | 'else'
  | 'error'
  | 'iterate'
  | 'complete'
  | 'undeclared';

export interface Output {
  readonly position: number;
  readonly role: OutputRole;
  /** Condition of this output, when an extended adapter could translate it. */
  readonly condition?: Condition;
}

/** Step settings that an extended adapter carries (`on_error`, `max_retries`, …). */
export type StepSettings = JsonObject;

export interface Node {
  readonly id: string;
  readonly name: string;
  readonly ref: SourceRef;
  readonly payload: NodePayload;
  readonly outputs: readonly Output[];
  readonly step?: StepSettings;
  /** True: it runs once, when all of its inputs have come. */
  readonly gathers?: boolean;
}

/** An element that flow crosses although it is no step. */
export interface Waypoint {
  readonly id: string;
  readonly ref: SourceRef;
  readonly outputs: readonly Output[];
}

export type Mechanism = 'manual' | 'webhook' | 'schedule' | 'event' | 'unknown';

/** A trigger. Its connections are in `Graph.connections`; an inferred entry names its one target. */
export interface Entry {
  readonly id: string;
  readonly ref: SourceRef;
  readonly mechanism: Mechanism;
  readonly basis: 'declared' | 'inferred';
  readonly outputs: readonly Output[];
  /** Target of an inferred entry, else null. */
  readonly inferredTarget: string | null;
}

/** An edge, or a declared continuation when its source is an entry. The list's order is the rank. */
export interface Connection {
  readonly source: string;
  readonly target: string;
  readonly position: number;
  readonly label: string | null;
}

export type ToolKind = 'http' | 'function' | 'mcp' | 'proprietary' | 'unknown';

export interface Tool {
  readonly id: string;
  readonly name: string;
  readonly kind: ToolKind;
  readonly ref: SourceRef;
  /** Extended: the definition under `tools` and how the loss of its backing is reported. */
  readonly definition?: Definition;
  /** Extended: the agent that stands behind the tool; its component is written without a step. */
  readonly agent?: { readonly node: Node; readonly payload: AgentPayload | ModelCallPayload };
  /** Extended: the settings with which a built-in step carries it out; written under `metadata.tools`. */
  readonly settings?: (protector: Protector) => JsonObject;
  /** Extended: what of its settings the built-in step that has its type does not do, in words. */
  readonly lacks?: string;
  /** Extended: the server that has the tool; written under `mcp_servers`. */
  readonly server?: Definition;
  /** Extended: the workflow that the tool runs; written as a component with an agent before it. */
  readonly workflow?: Definition;
  /** The ids and names that this workflow may have. */
  readonly calls?: readonly string[];
  /** What the tool runs, for the author, and what is to do when the file holds it. */
  readonly called?: {
    readonly words: string;
    readonly todo?: string;
    /** The text of that workflow. */
    readonly inner?: string;
  };
}

export interface ToolBinding {
  readonly agentId: string;
  readonly toolId: string;
}

/** Something of the source that the draft does not hold; becomes a gap. */
export interface Loss {
  readonly ref: SourceRef;
  readonly kind: string;
  /** What was lost, in a sentence; names every party that makes the loss a loss of its own. */
  readonly detail: string;
  readonly subject?: 'run_input' | 'system_prompt';
  readonly provenance?: Provenance;
  /** False: the source itself never used the value. */
  readonly effective?: boolean;
  /** Carried in another, wider form. */
  readonly carried?: boolean;
  /** Only for the kinds whose severity the importer sets (importers 8, 14). */
  readonly severity?: GapSeverity;
  /** Replaces the general advice of the kind. */
  readonly todo?: string;
  readonly about?: CardTopic;
}

/** Nodes of a graph and of the bodies in it. */
export function allNodes(graph: Graph): readonly Node[] {
  return graph.nodes.flatMap((node) => {
    const body = node.payload.kind === 'component' ? node.payload.body : undefined;
    return body === undefined ? [node] : [node, ...allNodes(body)];
  });
}

/** A step of a flow of items. */
export interface ItemStep {
  readonly node: Node;
  /** True: runs may begin here. */
  readonly isEntry: boolean;
  /** The step whose rounds it is a part of. */
  readonly inside?: string;
  /** What the draft says of it beside its component. */
  readonly settings: (protector: Protector) => JsonObject;
}

/** A wire that items go along, from an output to an input. */
export interface ItemWire {
  readonly source: string;
  readonly output: number;
  readonly target: string;
  readonly input: number;
  /** What the output is called. */
  readonly label: string | null;
}

/** A graph whose edges carry items; everything that runs is a step of it. */
export interface ItemFlow {
  /** What stands before the steps. */
  readonly head: (protector: Protector) => JsonObject;
  readonly steps: readonly ItemStep[];
  /** In the order in which they are followed. */
  readonly wires: readonly ItemWire[];
}

/** The neutral form of one source document (importers 3). */
export interface Graph {
  readonly source: string;
  /** Set where the draft is a flow of items, which is written from this. */
  readonly items?: ItemFlow;
  readonly arrival: 'each' | 'join';
  readonly nodes: readonly Node[];
  readonly waypoints: readonly Waypoint[];
  readonly entries: readonly Entry[];
  /** Why there is no entry; null when there is one. */
  readonly entryAbsence: 'absent' | 'unknown' | null;
  readonly connections: readonly Connection[];
  readonly tools: readonly Tool[];
  readonly bindings: readonly ToolBinding[];
  /** Reference names of credentials, duplicates included. */
  readonly credentials: readonly string[];
  readonly losses: readonly Loss[];
  readonly declaredElements: number;
  /** Credential texts found in the source; kept in memory only. */
  readonly literals: ReadonlySet<string>;
}
