import type { Connection, Graph, Output, OutputRole, Waypoint } from '../graph-ir.ts';
import { isStep } from './step-nodes.ts';

/** The elements and connections of a graph, indexed for walking. */
export interface Flow {
  readonly graph: Graph;
  /** Entries, then nodes, then waypoints. */
  readonly ids: readonly string[];
  readonly steps: ReadonlySet<string>;
  /** Ids of steps in node order. */
  readonly stepOrder: readonly string[];
  /** All connections that flow passes, by source, in rank order. */
  readonly from: ReadonlyMap<string, readonly Connection[]>;
  readonly incoming: ReadonlySet<string>;
  roleAt(source: string, position: number): OutputRole;
  /** True for an element that takes one of several outputs. */
  decides(source: string): boolean;
  outputAt(source: string, position: number): Output | undefined;
}

/** Roles of outputs that stand for a decision of the source. */
export const DECISION_ROLES: ReadonlySet<OutputRole> = new Set<OutputRole>([
  'case',
  'else',
  'iterate',
  'complete',
  'error',
]);

/** Indexes a graph. A deactivated node passes its first output only. */
export function indexFlow(graph: Graph): Flow {
  const outputs = new Map<string, readonly Output[]>();
  const passing = new Map<string, number>();
  const elements: readonly Waypoint[] = [...graph.entries, ...graph.nodes, ...graph.waypoints];
  for (const element of elements) outputs.set(element.id, element.outputs);
  for (const node of graph.nodes) {
    if (node.payload.kind === 'deactivated') passing.set(node.id, 0);
  }
  const from = new Map<string, Connection[]>();
  const incoming = new Set<string>();
  const add = (connection: Connection): void => {
    const only = passing.get(connection.source);
    if (only !== undefined && connection.position !== only) return;
    const list = from.get(connection.source);
    if (list === undefined) from.set(connection.source, [connection]);
    else list.push(connection);
    incoming.add(connection.target);
  };
  for (const connection of graph.connections) add(connection);
  for (const entry of graph.entries) {
    if (entry.inferredTarget === null) continue;
    add({ source: entry.id, target: entry.inferredTarget, position: 0, label: null });
  }
  const stepOrder = graph.nodes.filter((node) => isStep(node)).map((node) => node.id);
  const outputAt = (source: string, position: number): Output | undefined =>
    outputs.get(source)?.find((output) => output.position === position);
  return {
    graph,
    ids: [...new Set(elements.map((element) => element.id))],
    steps: new Set(stepOrder),
    stepOrder,
    from,
    incoming,
    outputAt,
    decides: (source) =>
      outputs.get(source)?.some((output) => DECISION_ROLES.has(output.role)) === true,
    roleAt: (source, position) => outputAt(source, position)?.role ?? 'undeclared',
  };
}

/** Every element reached from a start by flow, the start included. */
export function reachedFrom(flow: Flow, start: string): Set<string> {
  const seen = new Set([start]);
  const queue = [start];
  for (let i = 0; i < queue.length; i += 1) {
    for (const { target } of flow.from.get(queue[i] ?? '') ?? []) {
      if (seen.has(target)) continue;
      seen.add(target);
      queue.push(target);
    }
  }
  return seen;
}

/** The first step on every way from an element; a way ends at its first step. Breadth first. */
export function stepsAhead(flow: Flow, start: string): string[] {
  if (flow.steps.has(start)) return [start];
  const seen = new Set([start]);
  const found: string[] = [];
  const queue = [start];
  for (let i = 0; i < queue.length; i += 1) {
    for (const { target } of flow.from.get(queue[i] ?? '') ?? []) {
      if (seen.has(target)) continue;
      seen.add(target);
      if (flow.steps.has(target)) found.push(target);
      else queue.push(target);
    }
  }
  return found;
}
