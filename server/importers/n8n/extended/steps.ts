import type { Definition, Loss, NodePayload } from '../../graph-ir.ts';
import { keptData } from '../../kept-data.ts';
import { BASE, type N8nNode } from '../document.ts';
import { calledWorkflow, workflowReference } from '../roles.ts';
import type { NodeReader, Scene } from '../scene.ts';
import { unservedOf } from '../unserved-of.ts';
import { calledBy, SAVE_INNER } from './called.ts';
import { jobOf } from './job.ts';

/**
 * The function that stands for an element: a symbol to fill, and what the source had set, unless
 * that stands elsewhere in the draft.
 */
export function functionDefinition(node: N8nNode, settings = true): Definition {
  return (name, protector) => {
    const type = { 'x-source-type': node.type, 'x-source-version': node.version };
    const said = { title: protector.scrub(node.name), ...type };
    const kept = settings ? { default: keptData(node.parameters, protector) } : {};
    return { implementation: `imported.${name}`, input_schema: { ...said, ...kept } };
  };
}

const CODE_TYPES: ReadonlySet<string> = new Set(
  ['code', 'function', 'functionItem', 'aiTransform', 'executeCommand'].map((t) => BASE + t),
);

/** Inputs that a gap names. */
const MOST_INPUTS = 12;

/** Written outputs beside the one for errors. */
export function regularPorts(node: N8nNode, scene: Scene): number {
  const written = scene.doc.mainPorts.get(node.id) ?? 1;
  return written - (node.onError === 'continueErrorOutput' ? 1 : 0);
}

/** What an element does that a function stands for. */
export function heldWords(node: N8nNode): string {
  const lacks = unservedOf(node);
  if (lacks !== undefined)
    return `"${node.name}" has ${lacks}, which no built-in step carries out (${node.type}); a function step holds its place and its settings.`;
  const known = jobOf(node);
  const own = known === undefined ? 'is a step of its own kind' : `does "${known}"`;
  const job = CODE_TYPES.has(node.type) ? 'runs code of its own' : own;
  return `"${node.name}" ${job} (${node.type}); a function step holds its place and its settings.`;
}

/** Which inputs of a node its predecessors lead to, where the file tells several. */
function inputWords(node: N8nNode, scene: Scene): string {
  const links = scene.mainTo.get(node.id) ?? [];
  if (links.every(({ index }) => index === 0)) return '';
  const inputs = links
    .toSorted((a, b) => a.index - b.index)
    .slice(0, MOST_INPUTS)
    .map(({ source, index }) => `"${source.name}" (input ${index + 1})`);
  const more = links.length > MOST_INPUTS ? ` and ${links.length - MOST_INPUTS} more` : '';
  return ` In the source it is fed by ${inputs.join(', ')}${more}; a step of the draft has one input.`;
}

/** True when flow may leave by several outputs, or by another than the first. */
function choosesOutput(node: N8nNode, scene: Scene): boolean {
  const regular = regularPorts(node, scene);
  const links = scene.mainFrom.get(node.id) ?? [];
  return links.some(({ port }) => port > 0 && port < regular);
}

function functionLoss(node: N8nNode, scene: Scene): Loss {
  const held = `${heldWords(node)}${inputWords(node, scene)}`;
  const { ref } = node;
  const kind = 'proprietary_node';
  if (!choosesOutput(node, scene)) {
    return { ref, kind, detail: held, todo: 'Name the function that does this job.' };
  }
  const detail = `${held} In the source a run may use several of its outputs; a graph follows one edge at a time.`;
  const todo =
    'Name the function that does this job, and write the conditions of the edges after it.';
  return { ref, kind, detail, todo };
}

/** Any element on the wire without a form of its own: a function that keeps its place. */
export const FUNCTION_STEP: NodeReader = {
  losses: (node, scene) => [functionLoss(node, scene)],
  outputs: (node, scene) => {
    const ports = regularPorts(node, scene);
    if (ports <= 1) return [{ position: 0, role: 'default' }];
    return Array.from({ length: ports }, (_, position) => ({ position, role: 'case' }));
  },
  payload: (node): NodePayload => ({
    kind: 'component',
    step: 'function',
    definition: functionDefinition(node),
  }),
};

/** The loss of an element that is in the draft in another form. */
export function carried(
  node: N8nNode,
  severity: 'info' | 'manual',
  detail: string,
  todo: string,
): Loss {
  return { ref: node.ref, kind: 'carried_as', severity, detail, todo };
}

/** A merge that appends: the step after it gets what its inputs gave. */
export const MERGE: NodeReader = {
  losses: (node, scene) => {
    const detail = `"${node.name}" puts the results of its inputs one after the other; in the draft the next step gets them as they come.${inputWords(node, scene)}`;
    return [carried(node, 'manual', detail, 'Check the order of the results.')];
  },
  payload: () => ({ kind: 'passthrough' }),
  closedOutputs: true,
};

/** A call of another workflow: a workflow step to an empty component until that one is imported. */
export const SUBWORKFLOW: NodeReader = {
  losses: (node) => {
    const { words, isInside } = calledBy(node);
    const detail = `"${node.name}" runs ${words}; an empty component workflow stands for it.`;
    const loss: Loss = { ref: node.ref, kind: 'subworkflow', detail };
    return [isInside ? { ...loss, todo: SAVE_INNER } : loss];
  },
  payload: (node): NodePayload => ({
    kind: 'component',
    step: 'workflow',
    calls: calledWorkflow(node),
    definition: (_name, protector) => ({
      type: 'sequential',
      description: protector.scrub(workflowReference(node) || node.name),
      steps: [],
    }),
  }),
  closedOutputs: true,
};
