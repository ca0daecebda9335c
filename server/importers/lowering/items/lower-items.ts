import { namesBuiltIn } from '../../../contract/flow.ts';
import { type JsonObject, setOwn } from '../../../kernel/json.ts';
import type { SourceRef } from '../../analysis.ts';
import type { Card } from '../../gaps/gap-stream.ts';
import type { Graph, ItemFlow, ItemStep, ItemWire } from '../../graph-ir.ts';
import { checkWays } from '../../limits.ts';
import type { Protector } from '../../secrets.ts';
import { findCycles } from '../cycles.ts';
import { Draft, stepObject } from '../draft.ts';
import { type Flow, indexFlow } from '../flow.ts';
import { conditionJson } from '../graph-body.ts';
import { assemble, entryCards, type Lowered } from '../lower.ts';
import { lowerNode } from '../lower-node.ts';
import { noEntryCards } from '../no-entry.ts';
import { bindingCards, toolEntryOf, unboundTools, writeTools } from '../tools.ts';
import { isUnconnected, unconnectedCard } from '../unconnected.ts';

/** Steps run once for each arrival, so that a long list in a loop takes many. */
const MAX_STEPS = 10_000;
const MOST_NAMED = 5;
/** The step before several triggers gives its input on. */
const START = { implementation: 'n8n.noOp', type: 'n8n-nodes-base.noOp' };
const METADATA_FLOW = ['metadata', 'flow', 'steps'] as const;

/** What the gaps about the flow as a whole are about. */
function wholeRef({ source }: Graph): SourceRef {
  const locator = source === 'dify' ? '$.workflow.graph' : '$.connections';
  return { source_id: `${source}:flow`, source_label: 'the workflow', locator };
}

function named(labels: readonly string[]): string {
  const shown = labels.slice(0, MOST_NAMED).map((label) => `"${label}"`);
  const more = labels.length > MOST_NAMED ? ` and ${labels.length - MOST_NAMED} more` : '';
  return `${shown.join(', ')}${more}`;
}

class FlowWriter {
  private readonly graph: Graph;
  private readonly items: ItemFlow;
  private readonly draft: Draft;
  private readonly steps: ReadonlyMap<string, ItemStep>;
  /** Wire → its edge. */
  private readonly places = new Map<string, number>();

  constructor(graph: Graph, items: ItemFlow, draft: Draft) {
    this.graph = graph;
    this.items = items;
    this.draft = draft;
    this.steps = new Map(items.steps.map((step) => [step.node.id, step]));
  }

  /** Where runs begin: at a trigger, else at the first step that nothing leads to. */
  starts(): readonly string[] {
    const entries = this.items.steps.filter((step) => step.isEntry);
    if (entries.length > 0) return entries.map((step) => step.node.id);
    const fed = new Set(this.items.wires.map((wire) => wire.target));
    const wired = this.items.steps.filter(({ node }) =>
      this.items.wires.some((wire) => wire.source === node.id),
    );
    const first = wired.find(({ node }) => !fed.has(node.id)) ?? wired[0] ?? this.items.steps[0];
    return first === undefined ? [] : [first.node.id];
  }

  /** The `workflow` block and the steps under `metadata.flow`. */
  write(): { workflow: JsonObject; flow: JsonObject } {
    const { draft, items } = this;
    const nodes: JsonObject = {};
    const settings: JsonObject = {};
    const starts = this.starts();
    const several = starts.length > 1 ? this.addStart(starts, nodes, settings) : undefined;
    const inputs = this.inputs();
    for (const { node, settings: said, inside } of items.steps) {
      const step = draft.steps.get(node.id);
      if (step === undefined) continue;
      const { id } = step;
      setOwn(nodes, id, stepObject(step));
      const fed = inputs.get(node.id);
      const around = inside === undefined ? null : draft.stepId(inside);
      const entry =
        around === null ? said(draft.protector) : { ...said(draft.protector), inside: around };
      setOwn(settings, id, fed === undefined ? entry : { ...entry, inputs: fed });
    }
    const workflow = {
      type: 'graph',
      start: several?.key ?? draft.stepId(starts[0] ?? '') ?? '',
      nodes,
      edges: this.edges(several?.edges ?? []),
      max_steps: MAX_STEPS,
    };
    return { workflow, flow: { ...items.head(draft.protector), steps: settings } };
  }

  /** A step before several triggers: a run begins with the one that it names, else with the first. */
  private addStart(
    starts: readonly string[],
    nodes: JsonObject,
    settings: JsonObject,
  ): { key: string; edges: JsonObject[] } {
    const { draft } = this;
    const key = draft.claimStepId('start');
    const ref = draft.claimName('functions', 'start', 'function');
    draft.addComponent('functions', ref, { implementation: START.implementation });
    setOwn(nodes, key, { id: key, kind: 'function', ref });
    const triggers = starts.map((id) => draft.stepId(id) ?? '');
    const taken = new Set(this.items.steps.map(({ node }) => node.name));
    let name = 'Start of the run';
    for (let i = 2; taken.has(name); i += 1) name = `Start of the run ${i}`;
    setOwn(settings, key, { name, type: START.type, version: 1, parameters: { triggers } });
    const edges = starts.map((id, output) => {
      const label = draft.protector.scrub(this.steps.get(id)?.node.name ?? id);
      return { from: key, to: triggers[output] ?? '', label, condition: ofOutput(output) };
    });
    return { key, edges };
  }

  /** The place of a wire among the edges. */
  edgeOf(source: string, output: number, target: string, input: number): number | undefined {
    return this.places.get(wireKey(source, output, target, input));
  }

  private edges(first: readonly JsonObject[]): JsonObject[] {
    const edges = [...first];
    for (const wire of this.items.wires) {
      const place = wireKey(wire.source, wire.output, wire.target, wire.input);
      if (this.places.has(place)) continue;
      this.places.set(place, edges.length);
      edges.push(this.edge(wire));
    }
    return edges;
  }

  private edge(wire: ItemWire): JsonObject {
    const { draft } = this;
    const edge: JsonObject = {
      from: draft.stepId(wire.source) ?? '',
      to: draft.stepId(wire.target) ?? '',
    };
    if (wire.label !== null) edge['label'] = draft.protector.scrub(wire.label);
    const outputs = this.steps.get(wire.source)?.node.outputs ?? [];
    const asked = outputs.find(({ position }) => position === wire.output)?.condition;
    if (asked !== undefined) edge['condition'] = conditionJson(asked);
    else if (wire.label !== null || wire.output > 0) edge['condition'] = ofOutput(wire.output);
    return edge;
  }

  /** Of steps with several inputs: which outputs feed each of them. */
  private inputs(): ReadonlyMap<string, JsonObject[][]> {
    const out = new Map<string, JsonObject[][]>();
    const { draft } = this;
    const into = Map.groupBy(this.items.wires, ({ target }) => target);
    for (const [target, wires] of into) {
      const count = Math.max(...wires.map(({ input }) => input + 1));
      if (count < 2) continue;
      const lists: JsonObject[][] = Array.from({ length: count }, () => []);
      for (const { source, output, input } of wires) {
        lists[input]?.push({ step: draft.stepId(source) ?? '', output });
      }
      out.set(target, lists);
    }
    return out;
  }

  /** What is told of the flow as a whole. */
  cards(flow: Flow): Card[] {
    const { graph, items } = this;
    const ref = wholeRef(graph);
    const handled = items.steps.filter(({ node }) => this.isBuiltIn(node.id)).length;
    const detail = `The workflow runs here as a flow of items: ${handled} of its ${items.steps.length} steps by built-in handlers, with the settings of the source.`;
    const todo = 'Nothing to do.';
    const card = { ref, kind: 'carried_as', severity: 'info' } as const;
    const circles = this.circles(flow);
    if (circles.length === 0) return [{ ...card, detail, todo }];
    const circle = `The flow goes in circles (${named(circles)}); a run ends after ${MAX_STEPS} steps (max_steps).`;
    const limit = 'Nothing to do unless a run needs more.';
    return [
      { ...card, detail, todo },
      { ...card, detail: circle, todo: limit },
    ];
  }

  /** Steps that no start leads to. */
  idleCards(): Card[] {
    const next = Map.groupBy(this.items.wires, ({ source }) => source);
    const reached = new Set(this.starts());
    for (const id of reached) for (const { target } of next.get(id) ?? []) reached.add(target);
    return this.items.steps
      .filter(({ node }) => !reached.has(node.id))
      .map(({ node: { name, ref } }) => {
        const detail = `No trigger of the source leads to "${name}", so it never ran; the draft has it beside the flow.`;
        const todo = 'Draw an edge to it if it belongs into the flow, or remove it.';
        const card = { ref, kind: 'carried_as', severity: 'manual', detail, todo } as const;
        return { ...card, about: 'idle' as const };
      });
  }

  /** A step of each circle. */
  private circles(flow: Flow): string[] {
    return findCycles(flow).flatMap(({ members }) => {
      const step = members.map((id) => this.steps.get(id)).find((one) => one !== undefined);
      return step === undefined ? [] : [step.node.name];
    });
  }

  private isBuiltIn(id: string): boolean {
    const step = this.draft.steps.get(id);
    const named = step?.kind === 'function' ? this.draft.functionOf(step.ref) : undefined;
    return named !== undefined && namesBuiltIn(named);
  }
}

/** Numbers first and the length of an id before it, so that no two wires have one key. */
function wireKey(source: string, output: number, target: string, input: number): string {
  return `${output} ${input} ${source.length} ${source}${target}`;
}

function ofOutput(output: number): JsonObject {
  return { type: 'metadata_equals', key: `output_${output}`, value: true };
}

/** A pause by the clock is a human step that ends by itself. */
function timerCards({ items }: Graph): Card[] {
  return (items?.steps ?? []).flatMap(({ node: { payload } }) =>
    payload.kind === 'component' && payload.timer !== undefined
      ? [payload.timer.loss('human')]
      : [],
  );
}

/**
 * Lowers a flow of items: every element on the wires is a step with the settings of its source, and
 * every wire an edge (decision record 0024).
 */
export function lowerItems(graph: Graph, items: ItemFlow, protector: Protector): Lowered {
  const draft = new Draft(graph, protector);
  const { cards } = draft;
  cards.push(...entryCards(graph), ...unboundTools(graph));
  for (const { node } of items.steps) lowerNode(draft, node);
  checkWays(items.wires.map(({ source, target }) => ({ from: source, to: target })));
  cards.push(...bindingCards(graph, writeTools(draft)));
  const writer = new FlowWriter(graph, items, draft);
  const { workflow, flow } = writer.write();
  const indexed = indexFlow(graph);
  const isLoose = isUnconnected(indexed);
  cards.push(...noEntryCards(indexed));
  if (isLoose) cards.push(unconnectedCard(indexed, String(workflow['start'])));
  else cards.push(...writer.idleCards());
  cards.push(...timerCards(graph));
  cards.push(...writer.cards(indexed));
  return {
    spec: assemble(draft, workflow, flow),
    cards,
    family: 'graph',
    calls: draft.calls,
    stepOf: (sourceId) => draft.stepId(sourceId),
    placesOf: (sourceId) => draft.placesOf(sourceId),
    runsOf: (sourceId) => draft.runsOf(sourceId),
    toolEntryOf: (sourceId) => toolEntryOf(draft, sourceId),
    items: {
      entryOf: (sourceId) => {
        const id = draft.stepId(sourceId);
        return id === null ? undefined : [...METADATA_FLOW, id];
      },
      edgeOf: (source, output, target, input) => {
        const index = writer.edgeOf(source, output, target, input);
        return index === undefined ? undefined : ['workflow', 'edges', index];
      },
    },
  };
}
