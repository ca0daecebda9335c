import type { GraphModel, GraphNode } from './graph-model.ts';
import {
  CONTAINER_PADDING,
  type GraphLayout,
  nodeSize,
  nodesByContainer,
  type PlacedEdge,
  type PlacedNode,
} from './layout-model.ts';

const ROW_GAP = 60;
const NODE_GAP = 32;

/** A node with everything that stands inside of it, at the origin. */
interface Block {
  readonly id: string;
  readonly width: number;
  readonly height: number;
  /** The node itself first. */
  readonly nodes: readonly PlacedNode[];
}

type Links = ReadonlyMap<string, readonly string[]>;

function linksOf(pairs: readonly (readonly [string, string])[]): Links {
  const grouped = Map.groupBy(pairs, ([from]) => from);
  return new Map([...grouped].map(([from, list]) => [from, list.map(([, to]) => to)]));
}

/** Ids so that every link that is not part of a circle leads forward. */
function inOrder(ids: readonly string[], targets: Links): readonly string[] {
  const done = new Set<string>();
  const seen = new Set<string>();
  const order: string[] = [];
  for (const root of ids) {
    const stack = [root];
    for (let id = stack.at(-1); id !== undefined; id = stack.at(-1)) {
      seen.add(id);
      const next = targets.get(id)?.find((to) => !seen.has(to));
      if (next !== undefined) {
        stack.push(next);
        continue;
      }
      stack.pop();
      if (!done.has(id)) {
        done.add(id);
        order.push(id);
      }
    }
  }
  return order.reverse();
}

/** The rows of one level: each node stands below all that lead to it, circles aside. */
function rowsOf(ids: readonly string[], targets: Links): readonly (readonly string[])[] {
  const order = inOrder(ids, targets);
  const place = new Map(order.map((id, index) => [id, index]));
  const rank = new Map<string, number>();
  for (const id of order) {
    const own = rank.get(id) ?? 0;
    rank.set(id, own);
    for (const to of targets.get(id) ?? []) {
      if ((place.get(to) ?? 0) > (place.get(id) ?? 0)) {
        rank.set(to, Math.max(rank.get(to) ?? 0, own + 1));
      }
    }
  }
  const rows: string[][] = [];
  for (const id of order) {
    const at = rank.get(id) ?? 0;
    rows[at] ??= [];
    rows[at].push(id);
  }
  return rows;
}

/** Puts the blocks of one level in rows around the middle, each near what leads to it. */
function placeLevel(blocks: readonly Block[], pairs: readonly (readonly [string, string])[]) {
  const byId = new Map(blocks.map((block) => [block.id, block]));
  const known = pairs.filter(([from, to]) => byId.has(from) && byId.has(to) && from !== to);
  const rows = rowsOf([...byId.keys()], linksOf(known));
  const sources = linksOf(known.map(([from, to]) => [to, from]));
  const middles = new Map<string, number>();
  const placed: PlacedNode[] = [];
  let y = 0;
  for (const row of rows) {
    const wanted = (id: string): number => {
      const above = (sources.get(id) ?? []).flatMap((from) => middles.get(from) ?? []);
      return above.length === 0 ? 0 : above.reduce((sum, x) => sum + x, 0) / above.length;
    };
    const sorted = row
      .flatMap((id) => byId.get(id) ?? [])
      .toSorted((a, b) => wanted(a.id) - wanted(b.id));
    const width = sorted.reduce((sum, block) => sum + block.width + NODE_GAP, -NODE_GAP);
    let x = -width / 2;
    for (const block of sorted) {
      middles.set(block.id, x + block.width / 2);
      placed.push(...block.nodes.map((node) => ({ ...node, x: node.x + x, y: node.y + y })));
      x += block.width + NODE_GAP;
    }
    y += Math.max(0, ...sorted.map(({ height }) => height)) + ROW_GAP;
  }
  return placed;
}

function blockOf(
  node: GraphNode,
  inside: ReadonlyMap<string, readonly GraphNode[]>,
  pairs: readonly (readonly [string, string])[],
): Block {
  const own = nodeSize(node);
  const children = inside.get(node.id) ?? [];
  if (children.length === 0) {
    return { id: node.id, ...own, nodes: [{ id: node.id, x: 0, y: 0, ...own }] };
  }
  const level = placeLevel(
    children.map((child) => blockOf(child, inside, pairs)),
    pairs,
  );
  const { top, left, bottom, right } = CONTAINER_PADDING;
  const leftmost = Math.min(...level.map(({ x }) => x));
  const width = Math.max(...level.map(({ x, width }) => x + width)) - leftmost + left + right;
  const height = Math.max(...level.map(({ y, height }) => y + height)) + top + bottom;
  const moved = level.map((child) => ({
    ...child,
    x: child.x - leftmost + left,
    y: child.y + top,
  }));
  return {
    id: node.id,
    width,
    height,
    nodes: [{ id: node.id, x: 0, y: 0, width, height }, ...moved],
  };
}

function placeEdge(
  edge: GraphModel['edges'][number],
  places: ReadonlyMap<string, PlacedNode>,
): PlacedEdge {
  const from = places.get(edge.source);
  const to = places.get(edge.target);
  if (from === undefined || to === undefined) {
    return { id: edge.id, points: [], label: null };
  }
  const start = { x: from.x + from.width / 2, y: from.y + from.height };
  const end = { x: to.x + to.width / 2, y: to.y };
  const middle = (start.y + end.y) / 2;
  const bends =
    start.x === end.x
      ? []
      : [
          { x: start.x, y: middle },
          { x: end.x, y: middle },
        ];
  return {
    id: edge.id,
    points: [start, ...bends, end],
    label: edge.label === null ? null : { x: (start.x + end.x) / 2, y: middle },
  };
}

/**
 * A rough drawing within milliseconds, for a large graph while the layout engine works: nodes in
 * rows by what leads to them, edges straight through what is in their way.
 */
export function quickLayout(graph: GraphModel): GraphLayout {
  const inside = nodesByContainer(graph);
  const pairs = graph.edges.map(({ source, target }) => [source, target] as const);
  const top = (inside.get('') ?? []).map((node) => blockOf(node, inside, pairs));
  const nodes = placeLevel(top, pairs);
  const places = new Map(nodes.map((node) => [node.id, node]));
  return { nodes, edges: graph.edges.map((edge) => placeEdge(edge, places)) };
}
