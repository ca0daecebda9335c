import { type JsonObject, setOwn } from '../../../kernel/json.ts';
import type { Card } from '../../gaps/gap-stream.ts';
import { allNodes, type Graph, type Node } from '../../graph-ir.ts';
import { checkWays } from '../../limits.ts';
import type { Protector } from '../../secrets.ts';
import { type CollapsedEdge, collapseByChoice } from '../collapse-edges.ts';
import { emptyCycleCards, findCycles } from '../cycles.ts';
import { Draft, stepObject } from '../draft.ts';
import { type Flow, indexFlow, reachedFrom } from '../flow.ts';
import { assemble, entryCards, type Lowered, refsOf } from '../lower.ts';
import { lowerNode } from '../lower-node.ts';
import { noEntryCards } from '../no-entry.ts';
import { bindingCards, toolEntryOf, unboundTools, writeTools } from '../tools.ts';
import { isUnconnected, unconnectedCard } from '../unconnected.ts';
import { withGates } from './gates.ts';
import { tellLoops } from './loop-cards.ts';
import { OUTSIDE, plainWay, type Region } from './region.ts';
import { writeWorkflow } from './write-workflow.ts';
import { type Writing, writingOf } from './writing.ts';

/** What one trigger runs. */
interface Program {
  readonly start: string;
  /** What it begins with, and what is decided before. */
  readonly begins: string;
  readonly steps: ReadonlySet<string>;
  /** Other triggers that run the same. */
  readonly twins: string[];
}

function programFrom(flow: Flow, start: string): Program {
  const reached = reachedFrom(flow, start);
  const begins = flow.steps.has(start) ? [start] : beginsOf(flow, start);
  const steps = new Set(flow.stepOrder.filter((id) => reached.has(id)));
  return { start, begins: begins.join('\n'), steps, twins: [] };
}

function beginsOf(flow: Flow, start: string): string[] {
  const { ways } = collapseByChoice(flow, start);
  return [...new Set(ways.map(({ to, choices }) => JSON.stringify([to, choices])))].sort();
}

/**
 * Where runs may start: at the triggers; when there is no trigger, at every element without an
 * input.
 */
function startsOf(flow: Flow): string[] {
  const entries = flow.graph.entries.map((entry) => entry.id);
  if (entries.length > 0) return entries;
  const roots = flow.ids.filter((id) => !flow.incoming.has(id));
  const leading = roots.filter((id) => programFrom(flow, id).steps.size > 0);
  const [first] = flow.stepOrder;
  return leading.length > 0 || first === undefined ? leading : [first];
}

/** The distinct programs, the largest one first. */
function programsOf(flow: Flow): Program[] {
  const byKey = new Map<string, Program>();
  for (const start of startsOf(flow)) {
    const program = programFrom(flow, start);
    const key = [program.begins, ...program.steps].join('\n');
    const known = byKey.get(key);
    if (known !== undefined) known.twins.push(start);
    else if (program.steps.size > 0) byKey.set(key, program);
  }
  return [...byKey.values()].sort((a, b) => b.steps.size - a.steps.size);
}

/** The ways from one element; choices that are too many to draw are told. */
function waysFrom({ flow, refs, cards }: Writing, start: string): CollapsedEdge[] {
  const { ways, crowded } = collapseByChoice(flow, start);
  const ref = refs.get(start);
  for (const id of ref === undefined ? [] : crowded) {
    const detail = `More outputs lead from "${ref?.source_label}" over "${refs.get(id)?.source_label ?? id}" than the draft has edges for.`;
    const todo = 'Draw the edges that are missing.';
    if (ref !== undefined) cards.push({ ref, kind: 'branching_shape', detail, todo });
  }
  return ways;
}

function regionOf(writing: Writing, program: Program): Region {
  const { draft, flow } = writing;
  const steps: Region['steps'] = new Map();
  const ways: Region['ways'] = new Map();
  const isStep = flow.steps.has(program.start);
  const begins = isStep ? [plainWay(OUTSIDE, program.start)] : waysFrom(writing, program.start);
  ways.set(OUTSIDE, begins);
  for (const id of program.steps) {
    const step = draft.steps.get(id);
    if (step === undefined) continue;
    steps.set(id, step);
    ways.set(id, waysFrom(writing, id));
  }
  checkWays([...ways.values()].flat());
  return { steps, ways };
}

/** What every pause by the clock became. */
function timerCards(draft: Draft): Card[] {
  return draft.graph.nodes.flatMap(({ id, payload }) => {
    if (payload.kind !== 'component' || payload.timer === undefined) return [];
    const isFunction = draft.steps.get(id)?.kind === 'function';
    return [payload.timer.loss(isFunction ? 'function' : 'human')];
  });
}

/** What is told of the fork of a trigger holds for others that run the same. */
function twinCards({ refs, cards }: Writing, programs: readonly Program[]): Card[] {
  const out: Card[] = [];
  for (const { start, twins } of programs) {
    const told = cards.filter((card) => card.ref.source_id === start && card.about === 'flow');
    const [first] = told;
    if (first === undefined) continue;
    const names = told.flatMap((card) => card.names ?? []);
    for (const ref of twins.flatMap((id) => refs.get(id) ?? [])) {
      const detail = `"${ref.source_label}" starts what "${first.ref.source_label}" starts; what is told of its ways holds here too.`;
      const todo = 'Nothing beside that.';
      out.push({ ...first, ref, detail, todo, names });
    }
  }
  return out;
}

function idleCards(flow: Flow, programs: readonly Program[]): Card[] {
  const out: Card[] = [];
  for (const node of flow.graph.nodes) {
    const isUsed = programs.some((program) => program.steps.has(node.id));
    if (!flow.steps.has(node.id) || isUsed) continue;
    const detail = `No trigger of the source leads to "${node.name}", so it never ran; the draft keeps its definition and leaves it out of the flow.`;
    const todo = 'Add a step for it if it belongs into the flow.';
    const card = { ref: node.ref, kind: 'carried_as', severity: 'manual', detail, todo } as const;
    out.push({ ...card, about: 'idle' });
  }
  return out;
}

/** All steps beside each other, with one gap that says so. */
function writeUnconnected(draft: Draft, flow: Flow, cards: Card[]): JsonObject {
  const nodes: JsonObject = {};
  for (const step of draft.steps.values()) setOwn(nodes, step.id, stepObject(step));
  const start = draft.stepId(flow.stepOrder[0] ?? '') ?? '';
  cards.push(unconnectedCard(flow, start));
  return { type: 'graph', start, nodes, edges: [] };
}

/** Writes the content of containers as the component workflows that their steps name. */
function writeBodies(draft: Draft, cards: Card[], nodes: readonly Node[]): void {
  for (const { id, payload } of nodes) {
    const body = payload.kind === 'component' ? payload.body : undefined;
    const step = draft.steps.get(id);
    if (body === undefined || step === undefined) continue;
    const gated = withGates(body);
    const { graph } = gated;
    for (const node of graph.nodes) lowerNode(draft, node);
    cards.push(...gated.cards);
    const flow = indexFlow(graph);
    const refs = refsOf(graph);
    const [main, ...others] = programsOf(flow);
    cards.push(...idleCards(flow, main === undefined ? [] : [main, ...others]));
    tellLoops(flow, refs, gated, cards, findCycles(flow));
    const writing = writingOf(draft, flow, refs, cards);
    const written = main && writeWorkflow(writing, regionOf(writing, main));
    for (const program of others) separateProgram(writing, program);
    if (written !== undefined) draft.addComponent('workflows', step.ref, written);
    writeBodies(draft, cards, graph.nodes);
  }
}

function separateProgram(writing: Writing, program: Program): void {
  const { draft, refs } = writing;
  const body = writeWorkflow(writing, regionOf(writing, program));
  const ref = refs.get(program.start);
  if (body === undefined || ref === undefined) return;
  const name = draft.claimName('workflows', ref.source_label, 'workflow');
  draft.addComponent('workflows', name, body);
  const detail = `"${ref.source_label}" starts another program than the main one; it is in the draft as the component workflow "${name}".`;
  const todo = 'Give it a draft of its own if it has to run by itself.';
  writing.cards.push({ ref, kind: 'carried_as', severity: 'manual', detail, todo });
}

/**
 * Lowers a graph so that flow keeps its shape: every program of a trigger is a workflow of its own,
 * forks run side by side, and what the source never runs stays out of the flow (importers 14).
 */
export function lowerPrograms(source: Graph, protector: Protector): Lowered {
  const gated = withGates(source);
  const { graph } = gated;
  const draft = new Draft(graph, protector);
  const { cards } = draft;
  cards.push(...entryCards(graph), ...unboundTools(graph));
  for (const node of graph.nodes) lowerNode(draft, node);
  cards.push(...gated.cards);
  cards.push(...bindingCards(graph, writeTools(draft)));

  const flow = indexFlow(graph);
  const refs = refsOf(graph);
  const isLoose = isUnconnected(flow);
  const programs = isLoose ? [] : programsOf(flow);
  cards.push(...noEntryCards(flow), ...(isLoose ? [] : idleCards(flow, programs)));
  const cycles = findCycles(flow);
  cards.push(...emptyCycleCards(flow, cycles, refs));
  tellLoops(flow, refs, gated, cards, cycles);
  const [main, ...others] = programs;
  const writing = writingOf(draft, flow, refs, cards);
  let workflow: JsonObject | undefined;
  if (isLoose) workflow = writeUnconnected(draft, flow, cards);
  else if (main !== undefined) workflow = writeWorkflow(writing, regionOf(writing, main));
  for (const program of others) separateProgram(writing, program);
  cards.push(...twinCards(writing, programs));
  writeBodies(draft, cards, graph.nodes);
  cards.push(...timerCards(draft));

  const run = programs.flatMap((program) => [...program.steps]);
  const used = new Set(isLoose ? flow.stepOrder : run);
  const own = new Set(graph.nodes);
  for (const node of allNodes(graph)) if (!own.has(node)) used.add(node.id);
  const type = workflow?.['type'];
  return {
    spec: assemble(draft, workflow),
    cards,
    family: type === 'sequential' || type === 'graph' ? type : null,
    calls: draft.calls,
    stepOf: (sourceId) => (used.has(sourceId) ? draft.stepId(sourceId) : null),
    placesOf: (sourceId) => draft.placesOf(sourceId),
    runsOf: (sourceId) => draft.runsOf(sourceId),
    toolEntryOf: (sourceId) => toolEntryOf(draft, sourceId),
  };
}
