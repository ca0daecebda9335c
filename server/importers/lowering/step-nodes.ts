import type { Node } from '../graph-ir.ts';

const STEP_KINDS: ReadonlySet<string> = new Set(['agent', 'model_call', 'component']);

/** True for nodes that become a step of the draft; flow crosses all others. */
export function isStep(node: Node): boolean {
  return STEP_KINDS.has(node.payload.kind);
}
