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

/** How far a run has come, now or at one of its saved states. */
export interface RunProgress {
  readonly visited: readonly string[];
  readonly current: string | null;
  /** Nodes at work now, by the trace; several when participants run at once. */
  readonly busy: readonly string[];
  /** Nodes whose latest work failed. */
  readonly failed: readonly string[];
}

const FAILED: ReadonlySet<string> = new Set(['failed', 'timed_out', 'expired']);
const OVER: ReadonlySet<string> = new Set([...FAILED, 'completed', 'cancelled']);

/** The progress of a run as it is now. */
export function progressNow(
  view: RunGraphView,
  run: {
    readonly status: string;
    readonly path: readonly string[];
    readonly live: { readonly busy: readonly string[]; readonly failed: readonly string[] };
  },
): RunProgress {
  const { status, live } = run;
  const stands = view.current !== null && status !== 'completed' && status !== 'cancelled';
  const stopped = view.current !== null && FAILED.has(status) ? [view.current] : [];
  return {
    visited: view.current === null ? run.path : [...run.path, view.current],
    current: stands ? view.current : null,
    busy: OVER.has(status) ? [] : live.busy,
    failed: [...live.failed, ...stopped],
  };
}

function progressOf(id: string, run: RunProgress): NodeProgress {
  if (run.busy.includes(id)) {
    return 'current';
  }
  if (run.failed.includes(id)) {
    return 'failed';
  }
  if (run.current === id) {
    return 'current';
  }
  return run.visited.includes(id) ? 'visited' : 'idle';
}

/**
 * Marks the nodes that the run visited and the edges that it took: `ways`, where items went along them,
 * else from the order of its path.
 */
export function drawRun(
  view: RunGraphView,
  kind: string,
  run: RunProgress,
  ways: ReadonlySet<string> | null = null,
): DrawnRun | null {
  if (!view.available || view.nodes.length === 0) {
    return null;
  }
  const way =
    run.current === null || run.visited.at(-1) === run.current
      ? run.visited
      : [...run.visited, run.current];
  const graph = graphFromWire({
    workflow_kind: kind,
    start: way[0] ?? view.nodes[0]?.id ?? null,
    nodes: view.nodes,
    edges: view.edges,
  });
  const taken = ways ?? new Set(way.slice(1).map((node, index) => `${way[index]}->${node}`));
  return {
    graph,
    progress: Object.fromEntries(view.nodes.map(({ id }) => [id, progressOf(id, run)])),
    taken,
  };
}

/** What answered in place of nodes that a run has reached. */
export function answeredNodes(
  { progress }: Pick<DrawnRun, 'progress'>,
  answeredBy: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(answeredBy).filter(([node]) => (progress[node] ?? 'idle') !== 'idle'),
  );
}
