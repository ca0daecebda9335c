import type { JsonObject } from './item.ts';

/**
 * When a step runs that several inputs lead to and that did not get all of them: never by waiting
 * (it has one input), with any of them, or only with those that are listed.
 */
export type InputWait = 'none' | 'any' | readonly number[];

/** `v1`: depth first, the newer order of n8n; `v0`: breadth first; `dify`: see `join-order.ts`. */
export type FlowOrder = 'v0' | 'v1' | 'dify';

/** A step as its source has it. */
export interface FlowNode {
  readonly key: string;
  readonly name: string;
  readonly type: string;
  readonly version: number;
  readonly parameters: JsonObject;
  readonly disabled: boolean;
  /** Gives one empty item where it would give none. */
  readonly alwaysOutput: boolean;
  /** The step whose rounds it is a part of. */
  readonly inside?: string;
}

export interface FlowStep extends FlowNode {
  /** How many inputs edges lead to; at least one. */
  readonly inputs: number;
  readonly waits: InputWait;
}

export interface FlowEdge {
  readonly from: string;
  readonly output: number;
  readonly to: string;
  readonly input: number;
}

/** A workflow as far as who runs next depends on it. */
export interface FlowShape {
  readonly order: FlowOrder;
  readonly steps: ReadonlyMap<string, FlowStep>;
  /** In the order in which they are followed. */
  readonly edgesFrom: ReadonlyMap<string, readonly FlowEdge[]>;
  readonly edgesTo: ReadonlyMap<string, readonly FlowEdge[]>;
}

const MERGE = 'n8n-nodes-base.merge';
/** From this version of Merge on, choosing a branch waits for the first two. */
const CHOOSING_MERGE = 2;

function waitOf(node: FlowNode, order: FlowOrder, inputs: number): InputWait {
  if (inputs < 2) return 'none';
  const chooses =
    node.type === MERGE &&
    node.version >= CHOOSING_MERGE &&
    node.parameters['mode'] === 'chooseBranch';
  return chooses && order === 'v1' ? [0, 1] : 'any';
}

/** @param edges Those of one step in the order in which they are followed. */
export function createFlowShape(
  order: FlowOrder,
  nodes: readonly FlowNode[],
  edges: readonly FlowEdge[],
): FlowShape {
  const edgesTo = Map.groupBy(edges, ({ to }) => to);
  const steps = nodes.map((node): [string, FlowStep] => {
    const into = edgesTo.get(node.key) ?? [];
    const inputs = Math.max(1, ...into.map(({ input }) => input + 1));
    return [node.key, { ...node, inputs, waits: waitOf(node, order, inputs) }];
  });
  return {
    order,
    steps: new Map(steps),
    edgesFrom: Map.groupBy(edges, ({ from }) => from),
    edgesTo,
  };
}

/** All steps from which edges lead to a step. */
export function stepsBefore(shape: FlowShape, step: string): ReadonlySet<string> {
  const before = new Set<string>();
  const open = [step];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const { from } of shape.edgesTo.get(at) ?? []) {
      if (before.has(from)) continue;
      before.add(from);
      open.push(from);
    }
  }
  return before;
}

/** Left and top of a node on the source's canvas. */
export type Position = readonly [left: number, top: number];

/**
 * The order in which the source follows connections. `v0`: as they are listed. `v1`: from each
 * node to the topmost target first, then to the leftmost, whatever the output; of two at the same
 * place the one that is listed later comes first.
 *
 * @param connections In the order of the export.
 */
export function orderEdges(
  positions: ReadonlyMap<string, Position>,
  connections: readonly FlowEdge[],
  order: FlowOrder,
): FlowEdge[] {
  if (order !== 'v1') return [...connections];
  const place = ({ to }: FlowEdge): Position => positions.get(to) ?? [0, 0];
  return [...Map.groupBy(connections, ({ from }) => from).values()].flatMap((leaving) =>
    leaving.toReversed().sort((one, other) => {
      const [left, top] = place(one);
      const [otherLeft, otherTop] = place(other);
      return top - otherTop || left - otherLeft;
    }),
  );
}
