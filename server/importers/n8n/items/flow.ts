import { builtInName } from '../../../contract/flow.ts';
import { type FlowEdge, orderEdges } from '../../../items/flow-shape.ts';
import type { JsonObject } from '../../../kernel/json.ts';
import type { Condition } from '../../../spec/schema/spec-types.ts';
import type { ItemFlow, ItemStep, Node, Output } from '../../graph-ir.ts';
import type { N8nNode } from '../document.ts';
import type { FlowElements, NodeReader, Scene } from '../scene.ts';
import { calls, rowOf } from './handled.ts';
import { labelOf } from './labels.ts';
import { isHandled, isPassed, PASSING } from './rows.ts';
import { entryOf, type StepFacts } from './settings.ts';

/** The step of an element that is none of a draft of texts: a trigger, or what passes its input. */
function madeNode(node: N8nNode, implementation: string, outputs: readonly Output[]): Node {
  const { id, name, ref } = node;
  return { id, name, ref, payload: calls(implementation), outputs };
}

class Steps {
  private readonly scene: Scene;
  private readonly nodes: ReadonlyMap<string, Node>;
  private readonly waypoints: ReadonlyMap<string, readonly Output[]>;
  /** Triggers that nothing stands behind begin runs only where there are no others. */
  private readonly isLoose: boolean;

  constructor(scene: Scene, { nodes, waypoints, entries }: FlowElements) {
    this.scene = scene;
    this.isLoose = !entries.some(({ id }) => scene.doc.onMain.has(id));
    this.nodes = new Map(nodes.map((node) => [node.id, node]));
    const beside = [...waypoints, ...entries];
    this.waypoints = new Map(beside.map(({ id, outputs }) => [id, outputs]));
  }

  of(node: N8nNode): ItemStep | undefined {
    const role = this.scene.roles.get(node.id);
    const known = this.nodes.get(node.id);
    if (role?.role === 'node' && known !== undefined && !isPassed(role)) {
      return this.node(node, known, role.reader);
    }
    const outputs = known?.outputs ?? this.waypoints.get(node.id);
    const isEntry = role?.role === 'entry';
    const isOn = this.scene.doc.onMain.has(node.id) || (isEntry && this.isLoose);
    if (outputs === undefined || !isOn) return undefined;
    const runs = isEntry && rowOf(node) !== undefined;
    const made = madeNode(node, runs ? builtInName(node.type) : PASSING, outputs);
    const facts = { hasParameters: true, isOff: !runs, isHandled: runs };
    return { ...this.step(node, made, facts), isEntry };
  }

  private node(node: N8nNode, known: Node, reader: NodeReader): ItemStep {
    const { payload } = known;
    const handled = isHandled(this.scene.roles.get(node.id));
    const facts = {
      hasParameters: payload.kind === 'component' && payload.step === 'function',
      isOff: false,
      isHandled: handled,
      prompt: reader.prompt?.(node, this.scene),
    };
    return this.step(node, handled ? known : withFailures(known), facts);
  }

  private step(node: N8nNode, made: Node, facts: StepFacts): ItemStep {
    return {
      node: made,
      isEntry: false,
      settings: (protector) => entryOf(node, facts, protector),
    };
  }
}

/** The error output of a step without a handler is taken when the step failed, the others when not. */
function withFailures(made: Node): Node {
  if (!made.outputs.some(({ role }) => role === 'error')) return made;
  const outputs = made.outputs.map((output) => {
    const value = output.role === 'error' ? 'failed' : 'completed';
    const status: Condition = { type: 'status_is', value };
    const { condition } = output;
    const both: Condition = { type: 'all_of', conditions: condition ? [status, condition] : [] };
    return { ...output, condition: condition === undefined ? status : both };
  });
  return { ...made, outputs };
}

/** The links between steps, in the order in which the source follows them. */
function edgesOf({ doc }: Scene, steps: ReadonlyMap<string, ItemStep>): FlowEdge[] {
  const positions = new Map(
    doc.nodes.flatMap(({ id, position }) =>
      position === null ? [] : [[id, [position.x, position.y] as const] as const],
    ),
  );
  const edges = doc.links
    .filter(({ type, source, target }) => {
      return type === 'main' && steps.has(source.id) && steps.has(target.id);
    })
    .map(({ source, port, target, index }): FlowEdge => {
      return { from: source.id, output: port, to: target.id, input: index };
    });
  return orderEdges(positions, edges, doc.run.order);
}

/** The flow of items of a document: every element on the wires is a step, every wire an edge. */
export function itemFlowOf(elements: FlowElements, scene: Scene): ItemFlow {
  const { doc } = scene;
  const made = new Steps(scene, elements);
  const steps = doc.nodes.map((node) => made.of(node)).filter((step) => step !== undefined);
  const byId = new Map(steps.map((step) => [step.node.id, step]));
  const edges = edgesOf(scene, byId);
  const split = new Set(edges.filter(({ output }) => output > 0).map(({ from }) => from));
  const nodes = new Map(doc.nodes.map((node) => [node.id, node]));
  const label = ({ from, output }: FlowEdge): string | null => {
    const outputs = byId.get(from)?.node.outputs ?? [];
    const node = nodes.get(from);
    if (outputs.find(({ position }) => position === output)?.role === 'error') return 'error';
    const isSplit = split.has(from) || outputs.length > 1;
    return isSplit && node !== undefined ? labelOf(node, output) : null;
  };
  const { order, zone, name } = doc.run;
  return {
    head: (protector) => {
      const head: JsonObject = { source: 'n8n', order };
      if (zone !== null) head['zone'] = protector.scrub(zone);
      if (name !== null) head['name'] = protector.scrub(name);
      return head;
    },
    steps,
    wires: edges.map((edge) => {
      const { from: source, output, to: target, input } = edge;
      return { source, output, target, input, label: label(edge) };
    }),
  };
}
