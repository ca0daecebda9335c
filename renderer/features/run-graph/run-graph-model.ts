import type { RunGraphView } from '../../../server/contract/dashboard/runs.ts';
import { type GraphModel, graphFromWire } from '../../graph/graph-model.ts';
import type { NodeProgress } from '../../graph/node-shapes.tsx';

/** A run's workflow with what the run did in it. */
export interface DrawnRun {
  readonly graph: GraphModel;
  readonly progress: Readonly<Record<string, NodeProgress>>;
  /** Edges as `source->target`. */
  readonly taken: ReadonlySet<string>;
}

const FAILED: ReadonlySet<string> = new Set(['failed', 'timed_out', 'expired']);

function progressOf(node: RunGraphView['nodes'][number], status: string): NodeProgress {
  if (node.current && FAILED.has(status)) {
    return 'failed';
  }
  if (node.current && status !== 'completed' && status !== 'cancelled') {
    return 'current';
  }
  return node.visited || node.current ? 'visited' : 'idle';
}

/** Marks the nodes that the run visited and the edges that it took, from the order of its path. */
export function drawRun(
  view: RunGraphView,
  run: { readonly status: string; readonly path: readonly string[]; readonly kind: string },
): DrawnRun | null {
  if (!view.available || view.nodes.length === 0) {
    return null;
  }
  const graph = graphFromWire({
    workflow_kind: run.kind,
    start: run.path[0] ?? view.nodes[0]?.id ?? null,
    nodes: view.nodes,
    edges: view.edges,
  });
  const way = view.current === null ? run.path : [...run.path, view.current];
  const taken = new Set(way.slice(1).map((node, index) => `${way[index]}->${node}`));
  const progress = Object.fromEntries(
    view.nodes.map((node) => [node.id, progressOf(node, run.status)]),
  );
  return { graph, progress, taken };
}
