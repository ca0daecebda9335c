import { type JsonObject, setOwn } from '../../kernel/json.ts';
import type { Call, SourceRef } from '../analysis.ts';
import type { Card } from '../gaps/gap-stream.ts';
import type { Graph } from '../graph-ir.ts';
import { checkWays } from '../limits.ts';
import type { Protector } from '../secrets.ts';
import { collapseEdges, findStart, reachedSteps } from './collapse-edges.ts';
import { emptyCycleCards, findCycles, stepCycleCards } from './cycles.ts';
import { disconnectedCards } from './disconnected.ts';
import { Draft, stepObject } from './draft.ts';
import { type Family, familyOf } from './family.ts';
import { indexFlow } from './flow.ts';
import { graphBody, loopCapCards, severalDecisionsCard } from './graph-body.ts';
import { lowerNode } from './lower-node.ts';
import { reachabilityCards } from './reachability.ts';
import { shapeOf } from './shape.ts';
import { bindingCards, unboundTools, writeTools } from './tools.ts';

/** The draft of a graph, with the cards of everything that it does not hold. */
export interface Lowered {
  readonly spec: JsonObject;
  readonly cards: readonly Card[];
  readonly family: 'sequential' | 'graph' | null;
  readonly calls: readonly Call[];
  stepOf(sourceId: string): string | null;
  /** Paths of the components that an element became. */
  placesOf(sourceId: string): readonly (readonly string[])[];
  /** What the step of an element runs; undefined for an element without a step. */
  runsOf(sourceId: string): string | undefined;
  /** What is said of a tool that a built-in step carries out. */
  toolEntryOf?(sourceId: string): readonly string[] | undefined;
  /** Set for a flow of items. */
  readonly items?: LoweredItems;
}

/** Where the draft of a flow of items has the parts of its source. */
export interface LoweredItems {
  /** What is said of the step of an element. */
  entryOf(sourceId: string): readonly string[] | undefined;
  /** The edge of a wire. */
  edgeOf(
    source: string,
    output: number,
    target: string,
    input: number,
  ): readonly (string | number)[] | undefined;
}

const ROOT_NAME = 'imported-agent';

/** One card for each trigger that the source declares (importers 6.1). */
export function entryCards(graph: Graph): Card[] {
  return graph.entries
    .filter((entry) => entry.basis === 'declared')
    .map(({ ref, mechanism }) => ({
      ref,
      kind: 'entry_mechanism_not_carried',
      mechanism,
      detail: `"${ref.source_label}" starts the source (${mechanism}); a draft has no trigger.`,
    }));
}

/** Every element's place in the source, by id. */
export function refsOf(graph: Graph): ReadonlyMap<string, SourceRef> {
  const all = [...graph.waypoints, ...graph.nodes, ...graph.entries];
  return new Map(all.map((element) => [element.id, element.ref]));
}

function rootAgent(draft: Draft): JsonObject {
  const steps = [...draft.steps.values()].filter((step) => step.kind === 'agent');
  const [only, ...more] = new Set(steps.map((step) => step.ref));
  const agent = only === undefined || more.length > 0 ? undefined : draft.agents.get(only);
  return agent === undefined ? { name: ROOT_NAME } : structuredClone(agent);
}

function workflowOf(draft: Draft, family: Family, body: () => JsonObject): JsonObject | undefined {
  if (family.type === 'none') return undefined;
  if (family.type === 'graph') return body();
  const steps = family.order.map((id) => draft.steps.get(id)).filter((step) => step !== undefined);
  return { type: 'sequential', steps: steps.map(stepObject) };
}

function blockOf(members: ReadonlyMap<string, JsonObject>): JsonObject {
  const block: JsonObject = {};
  for (const [name, member] of members) setOwn(block, name, member);
  return block;
}

/** The whole document in the order of importers 12. */
export function assemble(
  draft: Draft,
  workflow: JsonObject | undefined,
  flow?: JsonObject,
): JsonObject {
  const spec: JsonObject = { version: 'v1', agent: rootAgent(draft) };
  if (workflow !== undefined) spec['workflow'] = workflow;
  const components = draft.components();
  if (components !== undefined) spec['components'] = components;
  if (draft.tools.size > 0) spec['tools'] = blockOf(draft.tools);
  if (draft.servers.size > 0) spec['mcp_servers'] = blockOf(draft.servers);
  const tools = draft.toolSettings;
  if (flow !== undefined || tools.size > 0) {
    spec['metadata'] = {
      ...(flow === undefined ? {} : { flow }),
      ...(tools.size === 0 ? {} : { tools: blockOf(tools) }),
    };
  }
  return spec;
}

/** Turns the neutral graph into a draft spec and cards, in the order of importers 6.1. */
export function lower(graph: Graph, protector: Protector): Lowered {
  const draft = new Draft(graph, protector);
  const { cards } = draft;
  cards.push(...entryCards(graph), ...unboundTools(graph));
  for (const node of graph.nodes) lowerNode(draft, node);
  cards.push(...bindingCards(graph, writeTools(draft)));

  const flow = indexFlow(graph);
  const refs = refsOf(graph);
  const edges = collapseEdges(flow);
  checkWays(edges);
  const start = findStart(flow, edges);
  const reached = reachedSteps(start, edges);
  const cycles = findCycles(flow);
  cards.push(...reachabilityCards(flow), ...emptyCycleCards(flow, cycles, refs));

  const shape = shapeOf(flow, edges, start, reached, refs);
  const family = familyOf(flow, edges, shape.hasForks, cycles);
  if (family.type === 'graph') {
    cards.push(
      ...shape.cards,
      ...stepCycleCards(cycles, reached, refs),
      ...disconnectedCards(flow, edges, reached, refs),
      ...severalDecisionsCard(edges, refs),
    );
  }
  cards.push(...loopCapCards(flow));
  const body = (): JsonObject => graphBody(draft, flow, edges, start ?? '');
  return {
    spec: assemble(draft, workflowOf(draft, family, body)),
    cards,
    family: family.type === 'none' ? null : family.type,
    calls: draft.calls,
    stepOf: (sourceId) => draft.stepId(sourceId),
    placesOf: (sourceId) => draft.placesOf(sourceId),
    runsOf: (sourceId) => draft.runsOf(sourceId),
  };
}
