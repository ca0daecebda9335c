import type { Loss, Node, NodePayload } from '../../graph-ir.ts';
import { isStep } from '../../lowering/step-nodes.ts';
import type { N8nLink, N8nNode } from '../document.ts';
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
function lookBack(id: string, scene: Scene, nodes: ReadonlyMap<string, Node>): Before {
  const seen = new Set([id]);
  const links: N8nLink[] = [...(scene.mainTo.get(id) ?? [])];
  let start = links.length === 0;
  let decision = false;
  for (let i = 0; i < links.length; i += 1) {
    const source: N8nNode | undefined = links[i]?.source;
    if (source === undefined || seen.has(source.id)) continue;
    seen.add(source.id);
    const node = nodes.get(source.id);
    if (isDecision(node)) decision = true;
    else if (scene.roles.get(source.id)?.role === 'entry') start = true;
    else if (node === undefined || !isStep(node)) {
      const before = scene.mainTo.get(source.id) ?? [];
      if (before.length === 0) start = true;
      links.push(...before);
    }
  }
  return { start, decision };
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
    const before = lookBack(node.id, scene, nodes);
    if (!before.start && !before.decision) return node;
    scene.losses.push(gateLoss(source));
    return { ...node, payload: gatePayload(source) };
  });
}
