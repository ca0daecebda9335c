import ELK, { type ElkExtendedEdge, type ElkNode } from 'elkjs/lib/elk-api.js';
import elkWorkerUrl from 'elkjs/lib/elk-worker.min.js?url';
import { WORKER_REST_MS } from '../data/worker-calls.ts';
import type { GraphModel } from './graph-model.ts';
import { elkGraph, type GraphLayout, type PlacedEdge, type PlacedNode } from './layout-model.ts';

type Engine = InstanceType<typeof ELK>;

let engine: Engine | undefined;
let laying = 0;
let rest: ReturnType<typeof setTimeout> | undefined;

function layoutEngine(): Engine {
  engine ??= new ELK({
    workerUrl: elkWorkerUrl,
    workerFactory: (url) => new Worker(url ?? elkWorkerUrl),
  });
  return engine;
}

function placedEdge(edge: ElkExtendedEdge): PlacedEdge {
  const points = (edge.sections ?? []).flatMap((section) => [
    section.startPoint,
    ...(section.bendPoints ?? []),
    section.endPoint,
  ]);
  const label = edge.labels?.[0];
  return {
    id: edge.id,
    points,
    label:
      label === undefined
        ? null
        : {
            x: (label.x ?? 0) + (label.width ?? 0) / 2,
            y: (label.y ?? 0) + (label.height ?? 0) / 2,
          },
  };
}

/** A node and the nodes inside it, outermost first; all coordinates are those of the canvas. */
function placedNodes(node: ElkNode): PlacedNode[] {
  const own = {
    id: node.id,
    x: node.x ?? 0,
    y: node.y ?? 0,
    width: node.width ?? 0,
    height: node.height ?? 0,
  };
  return [own, ...(node.children ?? []).flatMap(placedNodes)];
}

function placedEdges(node: ElkNode): PlacedEdge[] {
  return [...(node.edges ?? []).map(placedEdge), ...(node.children ?? []).flatMap(placedEdges)];
}

function endEngine(): void {
  engine?.terminateWorker();
  engine = undefined;
}

async function placeAll(graph: GraphModel): Promise<ElkNode> {
  clearTimeout(rest);
  laying += 1;
  try {
    return await layoutEngine().layout(elkGraph(graph));
  } finally {
    laying -= 1;
    if (laying === 0) rest = setTimeout(endEngine, WORKER_REST_MS);
  }
}

/** Lays a graph out in a worker of its own, which ends at rest, so that the window stays responsive. */
export async function layoutGraph(graph: GraphModel): Promise<GraphLayout> {
  const placed = await placeAll(graph);
  return {
    nodes: (placed.children ?? []).flatMap(placedNodes),
    edges: placedEdges(placed),
  };
}
