import type { Card } from '../../gaps/gap-stream.ts';
import type { Connection, Definition, Graph, Node } from '../../graph-ir.ts';
import { isStep } from '../step-nodes.ts';

/** What comes right before an element, over everything that flow only passes. */
class LookBack {
  start = false;
  decision = false;
  private readonly nodes: ReadonlyMap<string, Node>;
  private readonly entries: ReadonlySet<string>;
  private readonly into: ReadonlyMap<string, readonly Connection[]>;
  private readonly seen = new Set<string>();
  private readonly queue: string[] = [];

  constructor(
    nodes: ReadonlyMap<string, Node>,
    entries: ReadonlySet<string>,
    into: ReadonlyMap<string, readonly Connection[]>,
  ) {
    this.nodes = nodes;
    this.entries = entries;
    this.into = into;
  }

  from(id: string): { start: boolean; decision: boolean } {
    this.queue.push(id);
    for (let i = 0; i < this.queue.length; i += 1) {
      const connections = this.into.get(this.queue[i] ?? '') ?? [];
      if (connections.length === 0) this.start = true;
      for (const { source } of connections) this.meet(source);
    }
    return { start: this.start, decision: this.decision };
  }

  private meet(id: string): void {
    if (this.seen.has(id)) return;
    this.seen.add(id);
    const node = this.nodes.get(id);
    const kind = node?.payload.kind;
    if (kind === 'branch' || kind === 'loop') this.decision = true;
    else if (this.entries.has(id)) this.start = true;
    else if (node === undefined || !isStep(node)) this.queue.push(id);
  }
}

/** Elements that get a result together with others, so that a decision there is one of several. */
function forkTargets(graph: Graph): Set<string> {
  const firsts = new Map<string, string>();
  const forked = new Set<string>();
  for (const { source, position, target } of graph.connections) {
    const key = `${position}:${source}`;
    const first = firsts.get(key);
    if (first === undefined) firsts.set(key, target);
    else if (first !== target) forked.add(first).add(target);
  }
  return forked;
}

function branchCard(node: Node): Card {
  const detail = `"${node.name}" decides where no step of the draft comes right before it; a function step holds its place and passes its input on, the edges after it have no condition yet.`;
  const todo = 'Write the function, and the conditions of the edges after it.';
  return { ref: node.ref, kind: 'expression', detail, todo };
}

function sharedCard(node: Node): Card {
  const detail = `"${node.name}" decides beside other elements that get the same; a function step holds its place and passes its input on, the edges after it have its conditions.`;
  const todo = 'Name a function that gives back its input.';
  return { ref: node.ref, kind: 'proprietary_node', detail, todo };
}

function loopCard(node: Node): Card {
  const detail = `"${node.name}" runs its body once per batch; in the draft a function step gives the next batch, or the text "done" when there is none.`;
  const todo =
    'Write the function that hands out the batches, and set max_steps when all rounds together take more than 50 steps.';
  return { ref: node.ref, kind: 'proprietary_node', detail, todo };
}

function isLeft(node: Node): boolean {
  return node.outputs.some((output) => output.role === 'complete');
}

function asStep(node: Node, definition: Definition, cap: number | null): Node {
  const outputs = node.outputs.map((output) =>
    output.role === 'complete'
      ? { ...output, condition: { type: 'output_equals' as const, value: 'done' } }
      : output,
  );
  return { ...node, outputs, payload: { kind: 'component', step: 'function', definition, cap } };
}

/** A graph with its gates. */
export interface Gated {
  readonly graph: Graph;
  readonly cards: readonly Card[];
  /** Loops without a limit, which end by what they answer. */
  readonly ended: ReadonlySet<string>;
  /** Decisions whose conditions could not be carried. */
  readonly undecided: ReadonlySet<string>;
}

/**
 * Gives a step to every loop, and to every decision that no step comes right before or that shares
 * its input with other elements: flow can only branch after a step.
 */
export function withGates(graph: Graph): Gated {
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]));
  const entries = new Set(graph.entries.map((entry) => entry.id));
  const into = new Map<string, Connection[]>();
  for (const connection of graph.connections) {
    const list = into.get(connection.target);
    if (list === undefined) into.set(connection.target, [connection]);
    else list.push(connection);
  }
  const forked = forkTargets(graph);
  const cards: Card[] = [];
  const ended = new Set<string>();
  const decided = (node: Node): boolean => {
    const before = new LookBack(nodes, entries, into).from(node.id);
    return before.start || before.decision || forked.has(node.id);
  };
  const loop = (node: Node, gate: Definition, cap: number | null): Node => {
    cards.push(loopCard(node));
    if (cap === null && isLeft(node)) ended.add(node.id);
    return asStep(node, gate, cap);
  };
  const branch = (node: Node, gate: Definition, translated: boolean): Node => {
    if (translated ? !forked.has(node.id) : !decided(node)) return node;
    cards.push(translated ? sharedCard(node) : branchCard(node));
    return asStep(node, gate, null);
  };
  const gated = graph.nodes.map((node) => {
    const { payload } = node;
    if (payload.kind !== 'branch' && payload.kind !== 'loop') return node;
    if (payload.gate === undefined) return node;
    return payload.kind === 'loop'
      ? loop(node, payload.gate, payload.cap)
      : branch(node, payload.gate, payload.translated);
  });
  const undecided = graph.nodes.filter(
    ({ payload }) => payload.kind === 'branch' && !payload.translated,
  );
  const ids = new Set(undecided.map((node) => node.id));
  return { graph: { ...graph, nodes: gated }, cards, ended, undecided: ids };
}
