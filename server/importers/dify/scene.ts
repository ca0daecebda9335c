import type {
  Graph,
  Loss,
  Mechanism,
  NodePayload,
  Output,
  StepSettings,
  Tool,
} from '../graph-ir.ts';
import type { SecretHit } from '../hidden-secrets.ts';
import type { Value } from '../value.ts';
import type { Containers } from './containers.ts';
import type { DifyDocument, DifyNode } from './document.ts';

/** An output of a Dify node and the handle that stands for it in the file. */
export interface HandledOutput extends Output {
  readonly handle: string;
}

/** How one node type is read; the table of types picks it. */
export type DifyRole =
  | { readonly role: 'entry'; readonly mechanism: Mechanism; readonly losses?: NodeLosses }
  | { readonly role: 'waypoint'; readonly losses: NodeLosses }
  | {
      readonly role: 'node';
      readonly payload: (node: DifyNode, scene: DifyScene) => NodePayload;
      readonly losses?: NodeLosses;
      /** Outputs of a type that selects among them; one default when absent. */
      readonly outputs?: (node: DifyNode, scene: DifyScene) => HandledOutput[];
      /** Tools that the node brings along, bound to it. */
      readonly tools?: (node: DifyNode) => Tool[];
      /** True: the type is not known at all, so it might be a start. */
      readonly mayStart?: boolean;
      /** True: nothing is known of what the node does. */
      readonly opaque?: boolean;
      readonly step?: (node: DifyNode) => StepSettings | undefined;
      /** What becomes of a container when its content can be a workflow of its own. */
      readonly contained?: ContainedRole;
    };

/** A container whose content is carried. */
export interface ContainedRole {
  readonly payload: (node: DifyNode, body: Graph) => NodePayload;
  readonly losses: (node: DifyNode) => Loss[];
  /** The role of a member, where it differs from the one outside of containers. */
  readonly member: (node: DifyNode) => DifyRole | undefined;
}

export type NodeLosses = (node: DifyNode, scene: DifyScene) => Loss[];

/** Everything that differs between two conversions, as data (decisions 15). */
export interface DifyProfile {
  readonly roleOf: (node: DifyNode, scene: DifyScene) => DifyRole;
  /** Run-time settings and failure routes of a node. */
  readonly runLosses: (node: DifyNode, wiredFailure: boolean) => Loss[];
  readonly finish: (graph: Graph) => Graph;
  /** An app with a start that runs here; absent: such an app is read as every other one. */
  readonly flow?: (doc: DifyDocument, scene: DifyScene, base: Graph) => Graph;
  /** An app without a graph whose prompt is filled at run time; absent: its prompt is as it is. */
  readonly formFlow?: (doc: DifyDocument, graph: Graph) => Graph;
  /** The one call or agent of an app without a graph. */
  readonly configApp: (doc: DifyDocument, losses: readonly Loss[]) => Partial<Graph>;
  /** Credentials in a value beyond those under a secret's name. */
  readonly hiddenSecrets: (value: Value, path: string) => readonly SecretHit[];
  /** True: a text that plainly is a placeholder for a credential is none. */
  readonly keepsPlaceholders?: boolean;
}

/** The state of one conversion. */
export interface DifyScene {
  readonly doc: DifyDocument;
  readonly profile: DifyProfile;
  readonly containers: Containers;
  readonly literals: Set<string>;
}
