import type { SpecChange } from '../../../../server/spec/compare/change.ts';
import { compareSpecs } from '../../../../server/spec/compare/compare-specs.ts';
import {
  type Topology,
  type TopologyNode,
  topologyOf,
} from '../../../../server/spec/graph/topology.ts';
import { type OpenDocument, openDocument } from '../../../../server/spec/language/open-document.ts';
import { formatOfFile } from '../../../../server/spec/yaml/parse-yaml.ts';
import type { GraphModel, GraphNode } from '../../../graph/graph-model.ts';
import { graphOfTopology } from '../../../graph/topology-graph.ts';

export type Side = 'left' | 'right';

/** A change between two texts, and where it stands. */
export interface PlacedChange {
  readonly text: string;
  readonly change: SpecChange['change'];
  readonly privilege: SpecChange['privilege'];
  readonly behaviour: boolean;
  /** The text that holds it: the left one when it was removed. */
  readonly side: Side;
  /** From 1; null when the text has no such place. */
  readonly line: number | null;
}

export type NodeChange = 'added' | 'removed' | 'changed';

/** One text as it is drawn, and what changed of each node. */
export interface ComparedGraph {
  readonly graph: GraphModel;
  readonly nodes: Readonly<Record<string, NodeChange>>;
}

/** Two texts compared by what they say. */
export interface TextComparison {
  readonly changes: readonly PlacedChange[];
  readonly sameBehaviour: boolean;
  /** Null for a text that has no workflow to draw. */
  readonly left: ComparedGraph | null;
  readonly right: ComparedGraph | null;
}

/** What a comparison is asked for; the names of the files say whether they are YAML or JSON. */
export interface ComparedTexts {
  readonly left: string;
  readonly right: string;
  readonly file: string;
  /** Of the left text, where it has another name. */
  readonly leftFile?: string;
}

const COMPONENTS: Readonly<Record<string, string>> = {
  agent: 'agents',
  guardrail: 'agents',
  function: 'functions',
  workflow: 'workflows',
  human: 'humans',
};

function isWithin(path: string, place: string): boolean {
  return path.startsWith(place) && /^(?:$|[.[])/.test(path.slice(place.length));
}

function touches(change: SpecChange, node: TopologyNode, topology: Topology): boolean {
  if (change.block === 'edge') {
    return topology.edges.some(({ path, source }) => {
      return path !== null && source === node.id && isWithin(change.path, path);
    });
  }
  const kind = COMPONENTS[node.kind];
  const component = kind === undefined ? '' : `components.${kind}.${node.ref}`;
  return isWithin(change.path, node.path) || (component !== '' && isWithin(change.path, component));
}

function graphOf(
  topology: Topology,
  changes: readonly SpecChange[],
  whole: 'added' | 'removed',
): ComparedGraph {
  const nodes: Record<string, NodeChange> = {};
  for (const node of topology.nodes) {
    if (node.kind === 'start' || node.kind === 'end') continue;
    const found = changes.filter((change) => touches(change, node, topology));
    if (found.length === 0) continue;
    const isWhole = found.some(({ change, block, path }) => {
      return change === whole && block === 'step' && path === node.path;
    });
    nodes[node.id] = isWhole ? whole : 'changed';
  }
  return { graph: graphOfTopology(topology), nodes };
}

/** The earlier drawing: a node that is changed in the later one is marked in both. */
function withChanged(left: ComparedGraph, right: ComparedGraph | null): ComparedGraph {
  const name = ({ label, parent }: GraphNode): string => JSON.stringify([label, parent]);
  const changed = new Set(
    (right?.graph.nodes ?? []).filter(({ id }) => right?.nodes[id] === 'changed').map(name),
  );
  const found = left.graph.nodes
    .filter((node) => changed.has(name(node)) && left.nodes[node.id] === undefined)
    .map(({ id }) => [id, 'changed'] as const);
  return { ...left, nodes: { ...left.nodes, ...Object.fromEntries(found) } };
}

function lineOf(document: OpenDocument, path: string): number | null {
  const spot = document.source.nearest(path);
  return spot === undefined ? null : (spot.key ?? spot.value).start.line;
}

/** Two texts by what they say; null when one of them is no spec. */
export function compareTexts({
  left,
  right,
  file,
  leftFile = file,
}: ComparedTexts): TextComparison | null {
  const before = openDocument(left, formatOfFile(leftFile));
  const after = openDocument(right, formatOfFile(file));
  const [earlier, later] = [before.validation().spec, after.validation().spec];
  if (earlier === undefined || later === undefined) return null;
  const { changes, sameBehaviour } = compareSpecs(earlier, later);
  const [removed, others] = [
    changes.filter(({ change }) => change === 'removed'),
    changes.filter(({ change }) => change !== 'removed'),
  ];
  const [old, now] = [topologyOf(earlier), topologyOf(later)];
  const drawn = now === null ? null : graphOf(now, others, 'added');
  const graph = old === null ? null : graphOf(old, removed, 'removed');
  return {
    changes: changes.map(({ text, change, privilege, behaviour, path }) => {
      const side: Side = change === 'removed' ? 'left' : 'right';
      const line = lineOf(side === 'left' ? before : after, path);
      return { text, change, privilege, behaviour, side, line };
    }),
    sameBehaviour,
    left: graph === null ? null : withChanged(graph, drawn),
    right: drawn,
  };
}
