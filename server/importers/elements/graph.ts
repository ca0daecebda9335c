import { allNodes, type Graph, type Loss, type Node, type Output } from '../graph-ir.ts';
import { checkElements } from '../limits.ts';
import { isStep } from '../lowering/step-nodes.ts';
import type { Element, ElementDocument, ElementReader, ReadElement } from './document.ts';

const ALWAYS: readonly Output[] = [{ position: 0, role: 'default' }];

/** What holds for a whole file beside its elements. */
export interface GraphFacts {
  readonly literals: ReadonlySet<string>;
  readonly credentials: readonly string[];
  readonly losses: readonly Loss[];
}

type Read<Role extends ReadElement['role']> = Extract<ReadElement, { role: Role }>;

interface Placed {
  readonly element: Element;
  readonly read: ReadElement;
}

/** Outputs that wires use beside those that an element says it has. */
function outputsOf({ element, read }: Placed, doc: ElementDocument): readonly Output[] {
  const own = read.role === 'node' ? (read.outputs ?? ALWAYS) : ALWAYS;
  const known = new Set(own.map(({ position }) => position));
  const used = doc.wires.filter(({ source }) => source === element.id).map(({ output }) => output);
  const more = [...new Set(used)].filter((position) => !known.has(position));
  return [...own, ...more.map((position): Output => ({ position, role: 'undeclared' }))];
}

function isMember(element: Element, ids: ReadonlySet<string>): boolean {
  return element.parent !== null && ids.has(element.parent) && element.parent !== element.id;
}

/** The content of a container as a document of its own. */
function contentOf(container: Element, doc: ElementDocument): ElementDocument {
  const inside = new Set([container.id]);
  for (let grown = -1; grown !== inside.size; ) {
    grown = inside.size;
    for (const element of doc.elements) if (isMember(element, inside)) inside.add(element.id);
  }
  inside.delete(container.id);
  const elements = doc.elements
    .filter(({ id }) => inside.has(id))
    .map((element) => (element.parent === container.id ? { ...element, parent: null } : element));
  const wires = doc.wires.filter(({ source, target }) => inside.has(source) && inside.has(target));
  return { ...doc, elements, wires };
}

class Builder {
  private readonly read: ElementReader;
  private readonly facts: GraphFacts;

  constructor(read: ElementReader, facts: GraphFacts) {
    this.read = read;
    this.facts = facts;
  }

  graph(doc: ElementDocument, losses: readonly Loss[]): Graph {
    const ids = new Set(doc.elements.map(({ id }) => id));
    const placed = doc.elements
      .filter((element) => !isMember(element, ids))
      .map((element): Placed => ({ element, read: this.read(element, doc) }));
    const outputs = new Map(placed.map((item) => [item.element.id, outputsOf(item, doc)]));
    const nodes: Node[] = [];
    const told: Loss[] = [...losses];
    for (const item of placed) {
      told.push(...item.read.losses);
      if (item.read.role !== 'node') continue;
      nodes.push(
        this.node(item.element, item.read, outputs.get(item.element.id) ?? ALWAYS, doc, told),
      );
    }
    const entries = placed.flatMap(({ element: { id, ref }, read }) =>
      read.role === 'entry'
        ? [
            {
              id,
              ref,
              mechanism: read.mechanism,
              basis: 'declared' as const,
              inferredTarget: null,
              outputs: outputs.get(id) ?? ALWAYS,
            },
          ]
        : [],
    );
    const waypoints = placed.flatMap(({ element: { id, ref }, read }) =>
      read.role === 'waypoint' ? [{ id, ref, outputs: outputs.get(id) ?? ALWAYS }] : [],
    );
    const there = new Set([...nodes, ...entries, ...waypoints].map(({ id }) => id));
    const tools = placed.flatMap(({ read }) => (read.role === 'node' ? (read.tools ?? []) : []));
    return {
      source: doc.source,
      arrival: 'join',
      nodes,
      waypoints,
      entries,
      entryAbsence: entries.length === 0 ? 'absent' : null,
      connections: doc.wires
        .filter(({ source, target }) => there.has(source) && there.has(target))
        .map(({ source, target, output }) => ({
          source,
          target,
          position: output,
          label: (outputs.get(source)?.length ?? 0) > 1 ? String(output) : null,
        })),
      tools: [...new Map(tools.map((tool) => [tool.id, tool])).values()],
      bindings: placed.flatMap(({ element, read }) =>
        (read.role === 'node' ? (read.tools ?? []) : []).map((tool) => ({
          agentId: element.id,
          toolId: tool.id,
        })),
      ),
      credentials: [...this.facts.credentials],
      losses: told,
      declaredElements: doc.elements.length,
      literals: this.facts.literals,
    };
  }

  private node(
    element: Element,
    read: Read<'node'>,
    outputs: readonly Output[],
    doc: ElementDocument,
    told: Loss[],
  ): Node {
    const { id, title, ref } = element;
    const plain = { id, name: title, ref, outputs };
    if (read.isContainer !== true) return { ...plain, payload: read.payload };
    const inner = contentOf(element, doc);
    const body = inner.elements.length === 0 ? undefined : this.graph(inner, []);
    const isStopped =
      body !== undefined &&
      allNodes(body).some(
        ({ payload }) => payload.kind === 'component' && payload.step === 'human',
      );
    if (body === undefined || isStopped || !body.nodes.some(isStep)) {
      told.push(...inner.elements.map((member) => lost(member, element)));
      const members = inner.elements.map((member) => member.id);
      return { ...plain, payload: { kind: 'container', construct: element.type, members } };
    }
    told.push(...body.losses);
    return {
      ...plain,
      payload: {
        kind: 'component',
        step: 'workflow',
        body,
        definition: (_name, protector) => ({
          type: 'sequential',
          description: protector.scrub(title),
          steps: [],
        }),
      },
    };
  }
}

function lost(member: Element, container: Element): Loss {
  const detail = `"${member.title}" (${member.type}) stands inside "${container.title}".`;
  return { ref: member.ref, kind: 'containment_not_carried', detail };
}

/** The neutral graph of a document. */
export function buildGraph(doc: ElementDocument, read: ElementReader, facts: GraphFacts): Graph {
  checkElements(doc.elements.length);
  return new Builder(read, facts).graph(doc, facts.losses);
}
