import type { Node } from '../../graph-ir.ts';
import { isStep } from '../../lowering/step-nodes.ts';

/** Gives the error output of a step the condition that the step failed. */
export function withStatusConditions(nodes: Node[]): Node[] {
  return nodes.map((node) => {
    if (!isStep(node) || !node.outputs.some((output) => output.role === 'error')) return node;
    const outputs = node.outputs.map((output) =>
      output.role === 'error'
        ? { ...output, condition: { type: 'status_is' as const, value: 'failed' } }
        : output,
    );
    return { ...node, outputs };
  });
}
