import ELK, { type ElkExtendedEdge } from 'elkjs/lib/elk-api.js';
import elkWorkerUrl from 'elkjs/lib/elk-worker.min.js?url';
import type { GraphModel } from './graph-model.ts';
import { elkGraph, type GraphLayout, type PlacedEdge } from './layout-model.ts';

let engine: InstanceType<typeof ELK> | undefined;

function layoutEngine(): InstanceType<typeof ELK> {
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

/** Lays a graph out in its own worker; the window stays free meanwhile. */
export async function layoutGraph(graph: GraphModel): Promise<GraphLayout> {
  const placed = await layoutEngine().layout(elkGraph(graph));
  return {
    nodes: (placed.children ?? []).map((node) => ({
      id: node.id,
      x: node.x ?? 0,
      y: node.y ?? 0,
      width: node.width ?? 0,
      height: node.height ?? 0,
    })),
    edges: (placed.edges ?? []).map(placedEdge),
  };
}
