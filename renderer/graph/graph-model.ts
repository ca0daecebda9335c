/**
 * `mark` stands for the start or end of a workflow that fans out, `credential` for what several
 * workflows sign in with.
 */
export type NodeKind =
  | 'agent'
  | 'function'
  | 'human'
  | 'workflow'
  | 'guardrail'
  | 'step'
  | 'credential'
  | 'mark';

/** A node of a workflow as the canvas draws it. */
export interface GraphNode {
  readonly id: string;
  readonly label: string;
  readonly kind: NodeKind;
  /** What the node refers to; empty when it has no name of its own. */
  readonly detail: string;
  readonly start: boolean;
  readonly disabled: boolean;
  /** Node that this one stands inside of; null at the top. */
  readonly parent: string | null;
}

export interface GraphEdge {
  readonly id: string;
  readonly source: string;
  readonly target: string;
  readonly label: string | null;
  readonly conditional: boolean;
}

/** A workflow drawn inside the node that runs it. */
export interface GraphGroup {
  readonly id: string;
  readonly label: string;
  readonly node: string;
}

/** A workflow's topology, whatever its kind. */
export interface GraphModel {
  readonly kind: string;
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  readonly groups: readonly GraphGroup[];
}

const KINDS: ReadonlySet<string> = new Set([
  'agent',
  'function',
  'human',
  'workflow',
  'guardrail',
  'step',
]);

function isNodeKind(kind: string): kind is NodeKind {
  return KINDS.has(kind);
}

/** The kind that the canvas knows; start and end are marks, anything else is a plain step. */
export function nodeKind(kind: string | null | undefined): NodeKind {
  if (kind === 'start' || kind === 'end') return 'mark';
  return kind !== null && kind !== undefined && isNodeKind(kind) ? kind : 'step';
}

/** A graph as the platform and the studio answer it. */
export interface WireGraph {
  readonly workflow_kind: string | null;
  readonly start: string | null;
  readonly nodes: readonly {
    readonly id: string;
    readonly kind: string | null;
    readonly label?: string | null | undefined;
    readonly name?: string | null | undefined;
    readonly step_kind?: string | null | undefined;
  }[];
  readonly edges: readonly {
    readonly source: string;
    readonly target: string;
    readonly label: string | null;
    readonly conditional: boolean;
  }[];
}

/** The canvas model of a graph that a service answered. */
export function graphFromWire(wire: WireGraph): GraphModel {
  return {
    kind: wire.workflow_kind ?? 'none',
    nodes: wire.nodes.map((node) => ({
      id: node.id,
      label: node.label ?? node.name ?? node.id,
      kind: nodeKind(node.step_kind ?? node.kind),
      detail: '',
      start: node.id === wire.start,
      disabled: false,
      parent: null,
    })),
    groups: [],
    edges: wire.edges.map((edge, index) => ({
      id: `${index}:${edge.source}->${edge.target}`,
      source: edge.source,
      target: edge.target,
      label: edge.label,
      conditional: edge.conditional,
    })),
  };
}

/** Equal for graphs that draw the same, so that a keystroke elsewhere moves nothing. */
export function graphSignature(graph: GraphModel): string {
  return JSON.stringify([graph.kind, graph.nodes, graph.edges, graph.groups]);
}
