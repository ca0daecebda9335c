import type { Element, ElementDocument } from '../elements/document.ts';
import { buildGraph } from '../elements/graph.ts';
import { secretLosses } from '../elements/secrets.ts';
import type { Graph, Loss } from '../graph-ir.ts';
import { textOf, type ValueMap } from '../value.ts';
import { type CrewAgent, type CrewDocument, loadCrew } from './load.ts';
import { readReview, readTask, reviewOf } from './tasks.ts';

/** Units of a drawing between two tasks. */
const BESIDE = 260;
const FILE = { source_id: 'crew:file', source_label: 'file', locator: '$' };
const CREW = { source_id: 'crew', source_label: 'crew', locator: '$.crew' };

function agentElement({ key, index, settings }: CrewAgent): Element {
  const ref = { source_id: `agents.${key}`, source_label: key, locator: `$.agents.${key}` };
  return {
    index,
    id: ref.source_id,
    title: key,
    type: 'agent',
    settings,
    position: null,
    parent: null,
    ref,
  };
}

/** What is said of the crew as a whole, which a project writes in Python. */
function crewLosses({ crew, elements }: CrewDocument): Loss[] {
  const process = textOf(crew.get('process'));
  if (process === undefined) {
    const detail = `What crew.py says is not in the file: the order of the tasks, who manages them, tools and callbacks. The draft does the ${elements.length} tasks one after the other.`;
    const todo = 'Compare the draft with crew.py.';
    return [{ ref: CREW, kind: 'carried_as', severity: 'manual', detail, todo }];
  }
  if (process === 'sequential') return [];
  const detail = `A manager decides who does which task (${process}); the draft does them one after the other.`;
  return [{ ref: CREW, kind: 'branching_shape', detail }];
}

function unusedAgents(doc: CrewDocument): Loss[] {
  const used = new Set(doc.elements.map(({ settings }) => textOf(settings.get('agent'))));
  return [...doc.agents.values()]
    .filter(({ key }) => !used.has(key))
    .map((agent) => {
      const { ref } = agentElement(agent);
      const detail = `No task names the agent "${agent.key}"; it is not in the draft.`;
      return {
        ref,
        kind: 'offered_tool_not_bound',
        detail,
        todo: 'Offer it to an agent as a tool, or leave it out.',
      };
    });
}

/** Tasks with their reviews between them. */
export function withReviews(doc: CrewDocument): ElementDocument {
  const steps = doc.elements.flatMap((task) => {
    const review = reviewOf(task);
    return review === undefined ? [task] : [task, review];
  });
  // The file has no drawing: the tasks stand in a row.
  const elements = steps.map((step, at) => ({ ...step, position: { x: at * BESIDE, y: 0 } }));
  const wires = elements.slice(1).map((element, index) => ({
    source: elements[index]?.id ?? '',
    target: element.id,
    output: 0,
  }));
  return { ...doc, elements, wires };
}

/** Converts the files of a crew into the neutral graph (importers 16). */
export function convertCrew(root: ValueMap): { graph: Graph; doc: CrewDocument } {
  const doc = loadCrew(root);
  const literals = new Set<string>();
  const crew: Element = {
    ...agentElement({ key: 'crew', index: 0, settings: doc.crew }),
    ref: CREW,
  };
  const holders = [...[...doc.agents.values()].map(agentElement), ...doc.elements, crew];
  const losses = [
    ...secretLosses(holders, { root, ref: FILE }, literals, () => false),
    ...crewLosses(doc),
    ...unusedAgents(doc),
  ];
  const first = doc.elements[0];
  const facts = { literals, credentials: [], losses };
  const graph = buildGraph(
    withReviews(doc),
    (element) => (element.type === 'review' ? readReview(element) : readTask(element, doc)),
    facts,
  );
  if (first === undefined) return { doc, graph };
  const start = {
    id: 'crew',
    ref: CREW,
    mechanism: 'manual' as const,
    basis: 'declared' as const,
    inferredTarget: null,
    outputs: [{ position: 0, role: 'default' as const }],
  };
  const begin = { source: 'crew', target: first.id, position: 0, label: null };
  return {
    doc,
    graph: {
      ...graph,
      entries: [start],
      entryAbsence: null,
      connections: [begin, ...graph.connections],
    },
  };
}
