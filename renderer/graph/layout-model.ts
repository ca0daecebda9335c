import type { GraphModel, GraphNode } from './graph-model.ts';

export interface PlacedNode {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface PlacedEdge {
  readonly id: string;
  readonly points: readonly Point[];
  /** Centre of the label; null without one. */
  readonly label: Point | null;
}

/** Where everything of a graph goes on the canvas. */
export interface GraphLayout {
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly PlacedEdge[];
}

const LABEL_HALF = 60;

/** The rectangle that holds every node, edge and label. */
export function layoutBounds(layout: GraphLayout): {
  x: number;
  y: number;
  width: number;
  height: number;
} {
  const corners = [
    ...layout.nodes.flatMap((node) => [
      { x: node.x, y: node.y },
      { x: node.x + node.width, y: node.y + node.height },
    ]),
    ...layout.edges.flatMap(({ points, label }) =>
      label === null
        ? points
        : [
            ...points,
            { x: label.x - LABEL_HALF, y: label.y },
            { x: label.x + LABEL_HALF, y: label.y },
          ],
    ),
  ];
  const xs = corners.map(({ x }) => x);
  const ys = corners.map(({ y }) => y);
  const least = (values: readonly number[]): number => values.reduce((a, b) => Math.min(a, b), 0);
  const most = (values: readonly number[]): number => values.reduce((a, b) => Math.max(a, b), 1);
  return { x: least(xs), y: least(ys), width: most(xs) - least(xs), height: most(ys) - least(ys) };
}

const CHARACTER = 8.4;
const SMALL_CHARACTER = 6.4;
const MIN_WIDTH = 116;
const MAX_WIDTH = 260;
const HEIGHT = 48;
const ICON_AND_PADDING = 66;
const LINE_LENGTH = 22;
const MAX_LINES = 3;
const MARK = { width: 76, height: 32 };
/** Height of one line of an edge's label. */
export const LABEL_LINE = 15;

/** The size a node is drawn with, from its texts alone. */
export function nodeSize(node: {
  readonly label: string;
  readonly detail: string;
  readonly kind: GraphNode['kind'];
}): { width: number; height: number } {
  if (node.kind === 'mark') return MARK;
  const text = Math.max(node.label.length * CHARACTER, node.detail.length * SMALL_CHARACTER);
  const width = Math.round(Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, text + ICON_AND_PADDING)));
  return { width, height: HEIGHT };
}

function cut(text: string): string {
  return text.length > LINE_LENGTH ? `${text.slice(0, LINE_LENGTH - 1)}…` : text;
}

/** A label in the few short lines that fit beside an edge. */
export function labelLines(label: string): readonly string[] {
  const lines: string[] = [];
  for (const word of label.split(/\s+/)) {
    const last = lines.at(-1);
    const joined = last === undefined ? word : `${last} ${word}`;
    if (last !== undefined && joined.length <= LINE_LENGTH) lines[lines.length - 1] = joined;
    else lines.push(word);
  }
  const shown = lines.slice(0, MAX_LINES).map(cut);
  const last = shown.at(-1);
  if (lines.length > MAX_LINES && last !== undefined) {
    shown[shown.length - 1] = `${last.slice(0, LINE_LENGTH - 1)}…`;
  }
  return shown;
}

function labelSize(label: string): { width: number; height: number } {
  const lines = labelLines(label);
  const longest = lines.reduce((most, line) => Math.max(most, line.length), 0);
  return { width: longest * SMALL_CHARACTER + 14, height: lines.length * LABEL_LINE + 4 };
}

const ROOT_OPTIONS = {
  'elk.algorithm': 'layered',
  'elk.direction': 'DOWN',
  'elk.edgeRouting': 'ORTHOGONAL',
  'elk.json.shapeCoords': 'ROOT',
  'elk.json.edgeCoords': 'ROOT',
  'elk.layered.spacing.nodeNodeBetweenLayers': '44',
  'elk.spacing.nodeNode': '32',
  'elk.spacing.edgeNode': '18',
  'elk.spacing.edgeLabel': '4',
  'elk.layered.nodePlacement.strategy': 'NETWORK_SIMPLEX',
  'elk.layered.considerModelOrder.strategy': 'NODES_AND_EDGES',
  'elk.layered.cycleBreaking.strategy': 'DEPTH_FIRST',
};
/** Room around the nodes inside of a node; its own texts stand above them. */
export const CONTAINER_PADDING = { top: 60, left: 20, bottom: 20, right: 20 } as const;
const LARGE = 200;
/** Network simplex takes tens of seconds at 1,000 nodes; these about one. */
const LARGE_OPTIONS = {
  'elk.layered.nodePlacement.strategy': 'BRANDES_KOEPF',
  'elk.layered.nodePlacement.bk.fixedAlignment': 'BALANCED',
  'elk.layered.thoroughness': '1',
};

function paddingText(): string {
  const { top, left, bottom, right } = CONTAINER_PADDING;
  return `[top=${top},left=${left},bottom=${bottom},right=${right}]`;
}

function rootOptions(graph: GraphModel): Record<string, string> {
  return {
    ...ROOT_OPTIONS,
    // Looking through hierarchies costs time where there are none.
    ...(graph.groups.length > 0 ? { 'elk.hierarchyHandling': 'INCLUDE_CHILDREN' } : {}),
    ...(graph.nodes.length > LARGE ? LARGE_OPTIONS : { 'elk.layered.thoroughness': '7' }),
  };
}

/** A node as the layout engine takes it; one that runs a drawn workflow holds that workflow's nodes. */
export interface LayoutNode {
  readonly id: string;
  readonly width: number;
  readonly height: number;
  readonly layoutOptions: Record<string, string>;
  readonly children: LayoutNode[];
}

/** Nodes that stand inside each node, by its id; the empty id is the top. */
export function nodesByContainer(graph: GraphModel): ReadonlyMap<string, readonly GraphNode[]> {
  const container = new Map(graph.groups.map(({ id, node }) => [id, node]));
  return Map.groupBy(graph.nodes, ({ parent }) =>
    parent === null ? '' : (container.get(parent) ?? ''),
  );
}

/** Ids of the nodes that other nodes stand inside of. */
export function containerIds(graph: GraphModel): ReadonlySet<string> {
  return new Set(nodesByContainer(graph).keys());
}

function layoutNode(
  node: GraphNode,
  inside: ReadonlyMap<string, readonly GraphNode[]>,
): LayoutNode {
  const children = (inside.get(node.id) ?? []).map((child) => layoutNode(child, inside));
  return {
    id: node.id,
    ...nodeSize(node),
    layoutOptions: {
      ...(node.start && node.parent === null
        ? { 'elk.layered.layering.layerConstraint': 'FIRST_SEPARATE' }
        : {}),
      ...(children.length > 0
        ? { 'elk.padding': paddingText(), 'elk.nodeSize.constraints': 'MINIMUM_SIZE' }
        : {}),
    },
    children,
  };
}

/** The graph in the layout engine's own form. */
export function elkGraph(graph: GraphModel) {
  const inside = nodesByContainer(graph);
  return {
    id: 'root',
    layoutOptions: rootOptions(graph),
    children: (inside.get('') ?? []).map((node) => layoutNode(node, inside)),
    edges: graph.edges.map((edge) => ({
      id: edge.id,
      sources: [edge.source],
      targets: [edge.target],
      labels:
        edge.label === null
          ? []
          : [
              {
                id: `${edge.id}:label`,
                text: edge.label,
                ...labelSize(edge.label),
              },
            ],
    })),
  };
}

const RADIUS = 8;

function towards(from: Point, to: Point, distance: number): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  if (length === 0) {
    return from;
  }
  const part = Math.min(distance, length / 2) / length;
  return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
}

/** An SVG path through points with rounded corners. */
export function roundedPath(points: readonly Point[]): string {
  const [first, ...rest] = points;
  if (first === undefined) {
    return '';
  }
  const parts = [`M ${first.x} ${first.y}`];
  for (const [index, point] of rest.entries()) {
    const before = points[index];
    const after = rest[index + 1];
    if (before === undefined || after === undefined) {
      parts.push(`L ${point.x} ${point.y}`);
    } else {
      const start = towards(point, before, RADIUS);
      const end = towards(point, after, RADIUS);
      parts.push(`L ${start.x} ${start.y} Q ${point.x} ${point.y} ${end.x} ${end.y}`);
    }
  }
  return parts.join(' ');
}
