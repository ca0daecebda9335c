import { DIFY_CONTAINERS, ROUND_OUTPUT } from '../../../items/dify-types.ts';
import type { Connection, Entry, Graph, ItemStep, ItemWire, Loss } from '../../graph-ir.ts';
import type { DifyDocument, DifyEdge, DifyNode } from '../document.ts';
import { droppedEdge } from '../edges.ts';
import { featureLosses } from '../features.ts';
import { DIFY_ROLES } from '../roles.ts';
import type { DifyScene } from '../scene.ts';
import { askedNames, isEntry, runsHere } from './handled.ts';
import { bindingLosses, headOf, roundStarts, variableLosses } from './settings.ts';
import { type MadeStep, stepOf, toolsOf } from './steps.ts';

interface Placed {
  readonly node: DifyNode;
  readonly made: MadeStep;
}

function mechanismOf(node: DifyNode): Entry['mechanism'] {
  const role = DIFY_ROLES.get(node.type);
  return role?.role === 'entry' ? role.mechanism : 'unknown';
}

function entriesOf(placed: readonly Placed[]): Entry[] {
  return placed
    .filter(({ node }) => isEntry(node))
    .map(({ node, made: { outputs } }) => {
      const { id, ref } = node;
      const mechanism = mechanismOf(node);
      return { id, ref, mechanism, basis: 'declared', outputs, inferredTarget: null };
    });
}

interface ReadWires {
  readonly wires: ItemWire[];
  readonly losses: Loss[];
}

function readWire(edge: DifyEdge, byId: ReadonlyMap<string, Placed>): ItemWire | string {
  const { source, target, handle } = edge;
  if (source === null || target === null || handle === null) {
    return `Edge ${edge.index} cannot be read; the source ignores it.`;
  }
  const from = byId.get(source);
  const outputs = from?.made.outputs ?? [];
  const [only] = outputs;
  const known = outputs.find((output) => output.handle === handle && output.role !== 'iterate');
  const output = known ?? (outputs.length === 1 ? only : undefined);
  if (output === undefined || !byId.has(target)) {
    return `Edge ${edge.index} starts at an output that its element does not have.`;
  }
  const label = outputs.length === 1 && handle === 'source' ? null : handle;
  return { source, output: output.position, target, input: 0, label };
}

function wiresOf(doc: DifyDocument, byId: ReadonlyMap<string, Placed>): ReadWires {
  const wires: ItemWire[] = [];
  const losses: Loss[] = [];
  for (const { node } of byId.values()) {
    if (!DIFY_CONTAINERS.includes(node.type) || !runsHere(node)) continue;
    for (const target of roundStarts(node, doc)) {
      wires.push({ source: node.id, output: ROUND_OUTPUT, target, input: 0, label: 'round' });
    }
  }
  for (const edge of doc.edges) {
    const wire = readWire(edge, byId);
    if (typeof wire === 'string') losses.push(droppedEdge(edge, wire));
    else wires.push(wire);
  }
  return { wires, losses };
}

/** What the form of the app asks for comes with the run. */
function formLosses(node: DifyNode): Loss[] {
  const names = askedNames(node);
  if (node.type !== 'start' || names.length === 0) return [];
  const detail = `"${node.title}" asks for ${names.join(', ')}; a run takes them as fields of its input.`;
  const todo = 'Nothing to do.';
  return [{ ref: node.ref, kind: 'carried_as', severity: 'info', detail, todo }];
}

function noteLosses(doc: DifyDocument): Loss[] {
  const detail = 'A note on the canvas; it has no effect on a run.';
  return doc.nodes
    .filter(({ isNote }) => isNote)
    .map(({ ref }) => ({ ref, kind: 'annotation', detail }));
}

function itemStep({ node, made }: Placed, byId: ReadonlyMap<string, Placed>): ItemStep {
  const { id, title: name, ref, parent } = node;
  const { payload, outputs, settings, step } = made;
  const plain = { id, name, ref, payload, outputs };
  const around = parent === null ? undefined : byId.get(parent)?.node;
  const isInside = around !== undefined && DIFY_CONTAINERS.includes(around.type);
  return {
    node: step === undefined ? plain : { ...plain, step },
    isEntry: isEntry(node),
    settings,
    ...(isInside && parent !== null ? { inside: parent } : {}),
  };
}

/** The graph of an app whose nodes are steps of a flow of items (decision record 0024). */
export function itemGraph(doc: DifyDocument, scene: DifyScene, base: Graph): Graph {
  const nodes = doc.nodes.filter(({ isNote }) => !isNote);
  const placed = nodes.map((node): Placed => ({ node, made: stepOf(node, scene) }));
  const byId = new Map(placed.map((one) => [one.node.id, one]));
  const { wires, losses } = wiresOf(doc, byId);
  const steps = placed.map((one) => itemStep(one, byId));
  const entries = entriesOf(placed);
  const tools = nodes.map((node) => ({ node, tools: toolsOf(node, scene) }));
  const connections = wires.map(
    ({ source, target, output, label }): Connection => ({
      source,
      target,
      position: output,
      label,
    }),
  );
  return {
    ...base,
    nodes: steps.filter((step) => !step.isEntry).map(({ node }) => node),
    entries,
    entryAbsence: entries.length === 0 ? 'absent' : null,
    connections,
    tools: tools.flatMap((one) => one.tools),
    bindings: tools.flatMap(({ node, tools: own }) =>
      own.map((tool) => ({ agentId: node.id, toolId: tool.id })),
    ),
    losses: [
      ...base.losses,
      ...featureLosses(doc),
      ...noteLosses(doc),
      ...placed.flatMap(({ node, made }) => [...formLosses(node), ...made.losses]),
      ...bindingLosses(doc, runsHere),
      ...variableLosses(doc),
      ...losses,
    ],
    declaredElements: nodes.length,
    items: { head: (protector) => headOf(doc, protector), steps, wires },
  };
}
