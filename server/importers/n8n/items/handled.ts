import { builtInName } from '../../../contract/flow.ts';
import { N8N_STEP_TYPES, type N8nStepType } from '../../../items/n8n-types.ts';
import type { Loss, NodePayload, Output } from '../../graph-ir.ts';
import { BASE, type N8nNode } from '../document.ts';
import { regularOutputs } from '../extended/branches.ts';
import { functionDefinition, heldWords, regularPorts } from '../extended/steps.ts';
import { fixedOutputs } from '../outputs.ts';
import type { NodeReader, Scene } from '../scene.ts';
import { lacksWords, leftOut } from './left-out.ts';

const BRANCHES: ReadonlySet<string> = new Set([`${BASE}if`, `${BASE}switch`]);
const LOOP = `${BASE}splitInBatches`;

/** The row of a type that a built-in handler runs. */
export function rowOf({ type }: N8nNode): N8nStepType | undefined {
  return Object.hasOwn(N8N_STEP_TYPES, type) ? N8N_STEP_TYPES[type] : undefined;
}

/** A function that is called by its name alone. */
export function calls(implementation: string): NodePayload {
  return { kind: 'component', step: 'function', definition: () => ({ implementation }) };
}

/** True for a node that runs here as it ran in the source. */
export function runsHere(node: N8nNode): boolean {
  const row = rowOf(node);
  return row !== undefined && node.version >= row.versions[0] && leftOut(node) === undefined;
}

function several(count: number): Output[] {
  if (count < 2) return [{ position: 0, role: 'default' }];
  return Array.from({ length: count }, (_, position) => ({ position, role: 'case' }));
}

/** The outputs of a node beside the one for errors: by its type, its settings, or its wires. */
function outputsOf(node: N8nNode, scene: Scene): Output[] {
  if (BRANCHES.has(node.type)) return regularOutputs(node, scene);
  if (node.type === LOOP) return fixedOutputs(node);
  const count = rowOf(node)?.outputs;
  return several(typeof count === 'number' ? count : regularPorts(node, scene));
}

function heldLoss(node: N8nNode): Loss {
  const loss = { ref: node.ref, kind: 'proprietary_node' } as const;
  const row = rowOf(node);
  if (row === undefined) {
    const todo = 'Name the function that does this job.';
    return { ...loss, detail: heldWords(node), todo };
  }
  const setting = leftOut(node);
  const lacks =
    setting === undefined
      ? `version ${node.version} of ${node.type}; the built-in handler begins with version ${row.versions[0]}`
      : lacksWords(node.type, setting);
  const detail = `"${node.name}" has ${lacks}; a function step holds its place and its settings.`;
  return { ...loss, detail, todo: 'Name a function that does this job, or set it another way.' };
}

/** A node that a built-in handler runs, with the settings of the source. */
export const HANDLED: NodeReader = {
  payload: (node) => calls(builtInName(node.type)),
  outputs: outputsOf,
};

/** A node without a handler: a function to name holds its place. */
export const HELD: NodeReader = {
  losses: (node) => [heldLoss(node)],
  payload: (node) => ({
    kind: 'component',
    step: 'function',
    definition: functionDefinition(node, false),
  }),
  outputs: outputsOf,
};
