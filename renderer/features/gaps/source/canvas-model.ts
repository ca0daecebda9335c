import type { CanvasView } from '../../../../server/contract/studio/analyses.ts';

export type CanvasNode = CanvasView['nodes'][number];

/** A source node where it is drawn: the source's own place, spread so that no two cover each other. */
export interface DrawnNode {
  readonly node: CanvasNode;
  readonly x: number;
  readonly y: number;
}

export const NODE_WIDTH = 176;
export const NODE_HEIGHT = 46;
const ROOM_X = NODE_WIDTH + 20;
const ROOM_Y = NODE_HEIGHT + 22;
const MOST_SPREAD = 2.5;
const GRID_COLUMNS = 6;
const NEIGHBOURS = 60;

interface At {
  readonly x: number;
  readonly y: number;
}

/**
 * The distance along one axis between neighbours that stand beside each other on the other one; of
 * all such distances a small one, but not that of the few nodes that cover each other in the source.
 */
function usualStep(places: readonly At[], along: 'x' | 'y', band: number): number {
  const across = along === 'x' ? 'y' : 'x';
  const sorted = places.toSorted((a, b) => a[along] - b[along]);
  const steps = sorted.flatMap((place, index) => {
    const next = sorted
      .slice(index + 1, index + 1 + NEIGHBOURS)
      .find(
        (other) => Math.abs(other[across] - place[across]) < band && other[along] > place[along],
      );
    return next === undefined ? [] : [next[along] - place[along]];
  });
  return steps.toSorted((a, b) => a - b)[Math.floor(steps.length / 10)] ?? Number.POSITIVE_INFINITY;
}

function spread(room: number, least: number): number {
  return Math.min(MOST_SPREAD, Math.max(1, room / least));
}

function isPlaced(node: CanvasNode): node is CanvasNode & { position: At } {
  return node.position !== null;
}

/**
 * The source's drawing at our node size: its own positions, stretched no more than needed along each
 * axis. Nodes without a position stand in rows below it.
 */
export function drawCanvas(canvas: CanvasView): readonly DrawnNode[] {
  const placed = canvas.nodes.filter(isPlaced);
  const places = placed.map(({ position }) => position);
  const scaleX = spread(ROOM_X, usualStep(places, 'x', NODE_HEIGHT));
  const scaleY = spread(
    ROOM_Y,
    usualStep(
      places.map(({ x, y }) => ({ x: x * scaleX, y })),
      'y',
      NODE_WIDTH,
    ),
  );
  const drawn = placed.map((node) => ({
    node,
    x: node.position.x * scaleX,
    y: node.position.y * scaleY,
  }));
  const left = drawn.reduce(
    (least, { x }) => Math.min(least, x),
    drawn.length === 0 ? 0 : Infinity,
  );
  const below = drawn.reduce((most, { y }) => Math.max(most, y + 2 * ROOM_Y), 0);
  const rest = canvas.nodes
    .filter((node) => !isPlaced(node))
    .map((node, index) => ({
      node,
      x: left + (index % GRID_COLUMNS) * ROOM_X,
      y: below + Math.floor(index / GRID_COLUMNS) * ROOM_Y,
    }));
  return [...drawn, ...rest];
}

/** `n8n-nodes-base.httpRequest` → `http request`. */
export function typeText(type: string): string {
  const last = type.split('.').at(-1) ?? type;
  return last
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/[-_]/g, ' ')
    .toLowerCase();
}

export type Direction = 'left' | 'right' | 'up' | 'down';

const TURNED: Readonly<Record<Direction, (by: At) => At>> = {
  right: ({ x, y }) => ({ x, y }),
  left: ({ x, y }) => ({ x: -x, y }),
  down: ({ x, y }) => ({ x: y, y: x }),
  up: ({ x, y }) => ({ x: -y, y: x }),
};

/** The nearest node in a direction, as arrow keys go from node to node; undefined at the edge. */
export function nodeTowards(
  drawn: readonly DrawnNode[],
  fromId: string,
  direction: Direction,
): string | undefined {
  const from = drawn.find(({ node }) => node.source_id === fromId);
  if (from === undefined) {
    return undefined;
  }
  let best: { readonly id: string; readonly cost: number } | undefined;
  for (const { node, x, y } of drawn) {
    const ahead = TURNED[direction]({ x: x - from.x, y: y - from.y });
    const cost = ahead.x + 3 * Math.abs(ahead.y);
    if (ahead.x > 1 && Math.abs(ahead.y) <= 3 * ahead.x && cost < (best?.cost ?? Infinity)) {
      best = { id: node.source_id, cost };
    }
  }
  return best?.id;
}
