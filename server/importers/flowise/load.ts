import type { Element, ElementDocument, ElementWire } from '../elements/document.ts';
import { unparseable } from '../source-refused.ts';
import { at, hasText, mapOf, textOf, type Value, type ValueMap } from '../value.ts';

export const NOTE = 'stickyNoteAgentflow';

/** An edge of the file, and the wire that it is; none when it leads nowhere. */
export interface FlowiseEdge {
  readonly index: number;
  readonly label: string;
  readonly wire: ElementWire | undefined;
}

export interface FlowiseDocument extends ElementDocument {
  /** One for each node of the file, in its order. */
  readonly elements: readonly Element[];
  readonly edges: readonly FlowiseEdge[];
}

function positionOf(node: ValueMap): Element['position'] {
  const [x, y] = [at(node, 'position', 'x'), at(node, 'position', 'y')];
  return typeof x === 'number' && typeof y === 'number' ? { x, y } : null;
}

function readNode(value: Value, index: number): Element {
  const locator = `$.nodes[${index}]`;
  if (!(value instanceof Map)) throw unparseable(`Node ${index} is not an object.`, { locator });
  const data = value.get('data');
  if (!(data instanceof Map)) throw unparseable(`Node ${index} has no data.`, { locator });
  const id = textOf(value.get('id')) ?? '';
  const type = textOf(data.get('name')) ?? '';
  if (id === '') throw unparseable(`Node ${index} has no id.`, { field: 'id', locator });
  const isOld = value.get('type') === 'customNode' || !/agentflow$/i.test(type);
  if (isOld) {
    throw unparseable(
      'The file is a chatflow or an older agent flow. Only AgentFlow V2 can be imported; rebuild it there and export it again.',
      { node: id, locator },
    );
  }
  const label = data.get('label');
  const title = hasText(label) ? label : id;
  const parent = value.get('parentNode');
  return {
    index,
    id,
    title,
    type,
    settings: mapOf(data.get('inputs')),
    position: positionOf(value),
    parent: hasText(parent) ? parent : null,
    ref: { source_id: id, source_label: title, locator },
  };
}

/** The number at the end of an output's handle; names without one are the first output. */
function outputOf(handle: Value | undefined): number {
  const match = /-output-(\d{1,4})$/.exec(textOf(handle) ?? '');
  return match === null ? 0 : Number(match[1]);
}

function readEdge(value: Value, index: number, titles: ReadonlyMap<string, string>): FlowiseEdge {
  const locator = `$.edges[${index}]`;
  if (!(value instanceof Map)) throw unparseable(`Edge ${index} is not an object.`, { locator });
  const source = textOf(value.get('source')) ?? '';
  const target = textOf(value.get('target')) ?? '';
  const label = `${titles.get(source) ?? '?'} → ${titles.get(target) ?? '?'}`;
  const isThere = titles.has(source) && titles.has(target);
  const output = outputOf(value.get('sourceHandle'));
  return { index, label, wire: isThere ? { source, target, output } : undefined };
}

function listAt(root: ValueMap, key: string): readonly Value[] {
  const list = root.get(key) ?? [];
  if (Array.isArray(list)) return list;
  throw unparseable(`The ${key} of the flow are not a list.`, { locator: `$.${key}` });
}

/** Checks the shape of an AgentFlow V2 export and reads it (importers 16). */
export function loadFlowise(root: Value): FlowiseDocument {
  if (!(root instanceof Map) || !Array.isArray(root.get('nodes'))) {
    throw unparseable('The file is no flow: it has no list of nodes.', { locator: '$.nodes' });
  }
  const elements = listAt(root, 'nodes').map(readNode);
  const titles = new Map(elements.map(({ id, title }) => [id, title]));
  if (titles.size < elements.length) throw unparseable('Two nodes have the same id.');
  const edges = listAt(root, 'edges').map((edge, index) => readEdge(edge, index, titles));
  const notes = new Set(elements.filter(({ type }) => type === NOTE).map(({ id }) => id));
  const wires = edges.flatMap(({ wire }) =>
    wire === undefined || notes.has(wire.source) || notes.has(wire.target) ? [] : [wire],
  );
  const name = textOf(root.get('name')) ?? textOf(root.get('label'));
  return { source: 'flowise', name: hasText(name) ? name : 'flow', elements, wires, edges };
}
