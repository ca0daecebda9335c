import type { GapSeverity } from '../../contract/studio/gaps.ts';
import type {
  Entry,
  ItemFlow,
  Loss,
  Mechanism,
  ModelField,
  Node,
  NodePayload,
  Output,
  Setting,
  StepSettings,
  Tool,
  ToolKind,
  Waypoint,
} from '../graph-ir.ts';
import type { SecretHit } from '../hidden-secrets.ts';
import type { Value } from '../value.ts';
import type { N8nDocument, N8nLink, N8nNode } from './document.ts';
import type { SecretNames } from './secrets.ts';

/** How one node is read; the table of roles picks it. */
export interface NodeReader {
  /** Losses that belong to the node's kind, reported in the node pass. */
  readonly losses?: (node: N8nNode, scene: Scene) => Loss[];
  readonly payload: (node: N8nNode, scene: Scene) => NodePayload;
  /** Outputs that the node has beside the error output; one default when absent. */
  readonly outputs?: (node: N8nNode, scene: Scene) => Output[];
  /** True: a link beyond the outputs is dropped with a loss; false: kept as undeclared. */
  readonly closedOutputs?: boolean;
  /** True: nothing is known of the type, so it might be a start. */
  readonly mayStart?: boolean;
  readonly step?: (node: N8nNode, scene: Scene) => StepSettings | undefined;
  /** True: memory and output parsers attached to the node are carried into its agent. */
  readonly carriesAttachments?: boolean;
  /** True: run-time settings of the node change nothing in the draft. */
  readonly harmless?: boolean;
  /** True: the node waits for all of its inputs. */
  readonly gathers?: boolean;
  /** What a step of text is asked for each item, as the source writes it. */
  readonly prompt?: (node: N8nNode, scene: Scene) => string | undefined;
}

/** The one role of a node (importers 4.2). */
export type Role =
  | { readonly role: 'note' }
  | { readonly role: 'deactivated' }
  | { readonly role: 'model' }
  | { readonly role: 'attachment'; readonly losses?: NodeReader['losses'] }
  | {
      readonly role: 'entry';
      readonly mechanism: Mechanism;
      readonly losses?: NodeReader['losses'];
    }
  | {
      readonly role: 'tool';
      readonly kind: ToolKind;
      readonly definition?: (node: N8nNode, scene: Scene) => Tool['definition'];
      /** The agent behind the tool, when the tool is an agent. */
      readonly agent?: NodeReader;
      /** The settings of a tool that a built-in step carries out. */
      readonly settings?: (node: N8nNode) => NonNullable<Tool['settings']>;
      readonly lacks?: Tool['lacks'];
      /** The server or the workflow behind the tool. */
      readonly server?: Tool['server'];
      readonly workflow?: Tool['workflow'];
      readonly called?: Tool['called'];
      readonly losses?: NodeReader['losses'];
    }
  | { readonly role: 'node'; readonly reader: NodeReader };

/** A row of the table of roles: the role, or undefined for "not mine". */
export type RoleRow = (node: N8nNode, wiring: Wiring) => Role | undefined;

/** The attachments and wires of a document, indexed. */
export interface Wiring {
  readonly doc: N8nDocument;
  /** Attachment links (not `main`) of enabled sources, in order. */
  readonly attachments: readonly N8nLink[];
  readonly attachmentsFrom: ReadonlyMap<string, readonly N8nLink[]>;
  readonly attachmentsTo: ReadonlyMap<string, readonly N8nLink[]>;
  readonly mainFrom: ReadonlyMap<string, readonly N8nLink[]>;
  readonly mainTo: ReadonlyMap<string, readonly N8nLink[]>;
  /** Node id → distinct enabled models attached to it. */
  readonly modelsOf: ReadonlyMap<string, readonly N8nNode[]>;
}

/** A model element type: its provider and where its identifier stands. */
export interface ModelType {
  readonly provider: string;
  readonly identifier: readonly string[];
}

/** A model folded into its parents. */
export interface FoldedModel {
  readonly node: N8nNode;
  readonly field: ModelField;
  readonly settings: readonly Setting[];
}

/** What an attachment type means. */
export interface AttachmentRow {
  readonly kind: string;
  /** True: an element attached this way is no step by itself. */
  readonly gapOnly: boolean;
  readonly meaning: string;
  readonly severity?: (link: N8nLink, scene: Scene) => GapSeverity | undefined;
}

/** What is different where the draft is a flow of items. */
export interface ItemProfile {
  /** The roles, by node id, in a document that becomes one; undefined for another. */
  readonly rolesOf: (wiring: Wiring) => ReadonlyMap<string, Role> | undefined;
  readonly profile: N8nProfile;
}

/** Everything that differs between two conversions, as data (decisions 15). */
export interface N8nProfile {
  /** Mends what a person's file often has wrong; each repair is a loss. */
  readonly repair: (root: Value) => { root: Value; repairs: Loss[] };
  readonly roles: readonly RoleRow[];
  readonly models: ReadonlyMap<string, ModelType>;
  readonly versionLosses: (node: N8nNode) => Loss[];
  readonly looksSecret: SecretNames;
  /** Credentials beyond those under a secret's name. */
  readonly hiddenSecrets: (node: N8nNode) => readonly SecretHit[];
  /** Says that a node has a placeholder where a credential belongs; undefined: it counts as one. */
  readonly placeholderLoss?: (node: N8nNode, paths: readonly string[]) => Loss;
  /** True: notes and what is switched off are looked through too: their secrets may stand elsewhere. */
  readonly readsQuiet: boolean;
  /** Says what an attachment loses; undefined: nothing is lost. */
  readonly attachmentLoss: (link: N8nLink, scene: Scene) => Loss | undefined;
  /** Losses reported after the connections, in this order. */
  readonly passes: readonly ((scene: Scene) => Loss[])[];
  readonly modelLosses: (node: N8nNode, scene: Scene) => Loss[];
  readonly strandedLosses: (scene: Scene) => Loss[];
  readonly errorRouteLoss: (node: N8nNode, scene: Scene) => Loss | undefined;
  /** What a model loses that the flow leads to; undefined: such a file is refused. */
  readonly modelInFlowLoss?: (model: N8nNode) => Loss;
  /** Last word over the finished nodes: conditions on outputs and the like. */
  readonly finish: (nodes: Node[], scene: Scene) => Node[];
  readonly items?: ItemProfile;
  /** The flow of items that the nodes make; texts of steps are then computed when they run. */
  readonly flow?: (elements: FlowElements, scene: Scene) => ItemFlow;
}

/** What the flow of a document leads through, by its form in the neutral graph. */
export interface FlowElements {
  readonly nodes: readonly Node[];
  readonly waypoints: readonly Waypoint[];
  readonly entries: readonly Entry[];
}

/** The state of one conversion. */
export interface Scene extends Wiring {
  readonly profile: N8nProfile;
  readonly roles: ReadonlyMap<string, Role>;
  /** Node id → its outputs, error output included. */
  readonly outputs: ReadonlyMap<string, readonly Output[]>;
  readonly losses: Loss[];
  /** Parent id → the model folded into it. */
  readonly folded: Map<string, FoldedModel>;
  readonly literals: Set<string>;
}

/** True when the id is one of a step, an unconverted or a deactivated element on the wire. */
export function isNodeRole(scene: Scene, node: N8nNode): boolean {
  const role = scene.roles.get(node.id);
  if (role === undefined) return false;
  return role.role === 'node' || (role.role === 'deactivated' && scene.doc.onMain.has(node.id));
}
