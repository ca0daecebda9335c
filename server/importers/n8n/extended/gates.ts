import type { Loss, Node, NodePayload } from '../../graph-ir.ts';
import { isStep } from '../../lowering/step-nodes.ts';
import type { N8nNode } from '../document.ts';
import type { Scene } from '../scene.ts';
import { functionDefinition } from './steps.ts';

/** What comes right before an element, steps and what is only passed apart. */
interface Before {
  readonly start: boolean;
  readonly decision: boolean;
}

function isDecision(node: Node | undefined): boolean {
  return node?.payload.kind === 'branch' || node?.payload.kind === 'loop';
}

/** Looks back from an element over what flow only passes. */
class LookBack {
  start = false;
  decision = false;
  private readonly scene: Scene;
  private readonly nodes: ReadonlyMap<string, Node>;
  private readonly seen = new Set<string>();
  private readonly queue: string[] = [];

  constructor(scene: Scene, nodes: ReadonlyMap<string, Node>) {
    this.scene = scene;
    this.nodes = nodes;
  }

  from(id: string): Before {
    this.queue.push(id);
    for (let i = 0; i < this.queue.length; i += 1) {
      const links = this.scene.mainTo.get(this.queue[i] ?? '') ?? [];
      if (links.length === 0) this.start = true;
      for (const { source } of links) this.meet(source);
    }
    return { start: this.start, decision: this.decision };
  }

  private meet(source: N8nNode): void {
    if (this.seen.has(source.id)) return;
    this.seen.add(source.id);
    const node = this.nodes.get(source.id);
    if (isDecision(node)) this.decision = true;
    else if (this.scene.roles.get(source.id)?.role === 'entry') this.start = true;
    else if (node === undefined || !isStep(node)) this.queue.push(source.id);
  }
}

function gatePayload(node: N8nNode, cap: number | null = null): NodePayload {
  return { kind: 'component', step: 'function', definition: functionDefinition(node), cap };
}

function gateLoss(node: N8nNode): Loss {
  const detail = `"${node.name}" decides before any step could; a function step holds its place and passes its input on, the edges after it have no condition yet.`;
  const todo = 'Write the function, and the conditions of the edges after it.';
  return { ref: node.ref, kind: 'expression', detail, todo };
}

function loopLoss(node: N8nNode): Loss {
  const detail = `"${node.name}" runs its body once per batch; in the draft a function step gives the next batch, or the text "done" when there is none.`;
  const todo = 'Write the function that hands out the batches.';
  return { ref: node.ref, kind: 'proprietary_node', detail, todo };
}

function asLoopStep(node: Node, source: N8nNode, cap: number | null): Node {
  const outputs = node.outputs.map((output) =>
    output.role === 'complete'
      ? { ...output, condition: { type: 'output_equals' as const, value: 'done' } }
      : output,
  );
  return { ...node, payload: gatePayload(source, cap), outputs };
}

/**
 * Gives a step to every decision that no step comes before, and to every loop: flow can only
 * branch after a step.
 */
export function withGates(list: Node[], scene: Scene): Node[] {
  const sources = new Map(scene.doc.nodes.map((node) => [node.id, node]));
  const nodes = new Map(list.map((node) => [node.id, node]));
  return list.map((node) => {
    const source = sources.get(node.id);
    const { payload } = node;
    if (source === undefined) return node;
    if (payload.kind === 'loop') {
      scene.losses.push(loopLoss(source));
      return asLoopStep(node, source, payload.cap);
    }
    if (payload.kind !== 'branch' || payload.translated) return node;
    const before = new LookBack(scene, nodes).from(node.id);
    if (!before.start && !before.decision) return node;
    scene.losses.push(gateLoss(source));
    return { ...node, payload: gatePayload(source) };
  });
}
