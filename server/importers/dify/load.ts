import { unparseable } from '../source-refused.ts';
import { at, listOf, mapOf, textOf, type Value, type ValueMap } from '../value.ts';
import {
  type DifyDocument,
  type DifyEdge,
  type DifyMode,
  type DifyNode,
  isGraphMode,
} from './document.ts';
import { isEmpty } from './models.ts';

const MODES: readonly DifyMode[] = [
  'workflow',
  'advanced-chat',
  'chat',
  'agent-chat',
  'completion',
  'agent',
];
const NEWEST = [0, 7, 0] as const;
const VERSION = /^v?(\d+(?:\.\d+)*)$/;
const NOTE = 'custom-note';
const EMPTY: ValueMap = new Map();

function checkVersion(value: Value | undefined): void {
  const falsy = isEmpty(value) || value === false || value === 0;
  const text = falsy ? '0.1.0' : value;
  const match = typeof text === 'string' ? VERSION.exec(text) : null;
  const place = { field: 'version', locator: '$.version' };
  if (match === null) throw unparseable('The version of the app file cannot be read.', place);
  const numbers = (match[1] ?? '').split('.').map(Number);
  for (const [index, newest] of NEWEST.entries()) {
    const number = numbers[index] ?? 0;
    if (number < newest) return;
    if (number > newest) {
      throw unparseable('The app file has a newer version than this importer knows.', place);
    }
  }
}

function readMode(app: Value | undefined): DifyMode {
  const mode = MODES.find((known) => known === at(app, 'mode'));
  if (mode !== undefined) return mode;
  const place = { field: 'mode', locator: '$.app.mode' };
  throw unparseable('The mode of the app is missing or not known.', place);
}

function readPosition(value: Value | undefined): { x: number; y: number } | null {
  const [x, y] = [at(value, 'x'), at(value, 'y')];
  return typeof x === 'number' && typeof y === 'number' ? { x, y } : null;
}

function parentOf(node: ValueMap, data: ValueMap): string | null {
  for (const value of [data.get('iteration_id'), data.get('loop_id'), node.get('parentId')]) {
    if (typeof value === 'string' && value !== '') return value;
  }
  return null;
}

function readNode(value: Value, index: number): DifyNode {
  const locator = `$.workflow.graph.nodes[${index}]`;
  if (!(value instanceof Map)) throw unparseable(`Node ${index} is not a mapping.`, { locator });
  const id = textOf(value.get('id'));
  if (id === undefined || id === '') {
    throw unparseable(`Node ${index} has no id.`, { field: 'id', locator });
  }
  const data = value.get('data');
  if (!(data instanceof Map)) {
    throw unparseable(`The data of node ${index} is not a mapping.`, { field: 'data', locator });
  }
  const written = textOf(data.get('title'));
  const title = written === undefined || written === '' ? id : written;
  return {
    index,
    id,
    title,
    type: textOf(data.get('type')) ?? '',
    isNote: value.get('type') === NOTE,
    data,
    position: readPosition(value.get('position')),
    parent: parentOf(value, data),
    ref: { source_id: id, source_label: title, locator },
  };
}

function readNodes(graph: Value | undefined): DifyNode[] {
  const list = at(graph, 'nodes');
  if (!Array.isArray(list)) {
    throw unparseable('The app has no list of nodes.', { locator: '$.workflow.graph.nodes' });
  }
  const nodes = list.map(readNode);
  const seen = new Set<string>();
  for (const { id, title, ref } of nodes) {
    if (seen.has(id)) {
      throw unparseable('Two nodes have the same id.', { node: title, locator: ref.locator });
    }
    seen.add(id);
  }
  return nodes;
}

function readEdge(value: Value, index: number, nodes: ReadonlyMap<string, DifyNode>): DifyEdge {
  const locator = `$.workflow.graph.edges[${index}]`;
  if (!(value instanceof Map)) throw unparseable(`Edge ${index} is not a mapping.`, { locator });
  const source = textOf(value.get('source')) ?? null;
  const target = textOf(value.get('target')) ?? null;
  for (const end of [source, target]) {
    const node = end === null ? undefined : nodes.get(end);
    if (end === null || (node !== undefined && !node.isNote)) continue;
    throw unparseable(`Edge ${index} ends at a node that does not exist.`, { locator });
  }
  const written = value.get('sourceHandle');
  const handle = written === undefined || written === null ? 'source' : written;
  return { index, source, target, handle: textOf(handle) ?? null };
}

function readEdges(graph: Value | undefined, nodes: readonly DifyNode[]): DifyEdge[] {
  const list = at(graph, 'edges');
  if (list === undefined) return [];
  if (!Array.isArray(list)) {
    throw unparseable('The edges are not a list.', { locator: '$.workflow.graph.edges' });
  }
  const byId = new Map(nodes.map((node) => [node.id, node]));
  return list.map((edge, index) => readEdge(edge, index, byId));
}

function readEnvironment(workflow: Value): ValueMap[] {
  const list = at(workflow, 'environment_variables');
  if (list === undefined || list === null) return [];
  if (!Array.isArray(list)) {
    const locator = '$.workflow.environment_variables';
    throw unparseable('The environment variables are not a list.', { locator });
  }
  return list.map((item) => mapOf(item));
}

function readConfig(root: ValueMap): ValueMap {
  const config = root.get('model_config');
  if (!(config instanceof Map) || config.size === 0) {
    throw unparseable('The app has no model configuration.', { locator: '$.model_config' });
  }
  const tools = at(config, 'agent_mode', 'tools');
  if (tools !== undefined && tools !== null && !Array.isArray(tools)) {
    const locator = '$.model_config.agent_mode.tools';
    throw unparseable('The tools of the agent are not a list.', { locator });
  }
  return config;
}

/** Checks the shape of a Dify app file and reads it (importers 5.1). */
export function loadDify(root: Value): DifyDocument {
  if (!(root instanceof Map)) throw unparseable('The file is not a Dify app.');
  checkVersion(root.get('version'));
  const app = root.get('app');
  if (app === undefined || app === null) {
    throw unparseable('The file has no app.', { field: 'app', locator: '$.app' });
  }
  const mode = readMode(app);
  const written = textOf(at(app, 'name'));
  const name = written === undefined || written === '' ? 'app' : written;
  const base = {
    mode,
    name,
    nodes: [],
    edges: [],
    environment: [],
    conversation: [],
    features: EMPTY,
  };
  if (mode === 'agent') return { ...base, config: EMPTY };
  if (!isGraphMode(mode)) return { ...base, config: readConfig(root) };
  const workflow = root.get('workflow');
  if (!(workflow instanceof Map)) {
    throw unparseable('The app has no workflow.', { locator: '$.workflow' });
  }
  const graph = workflow.get('graph');
  const nodes = readNodes(graph);
  return {
    ...base,
    nodes,
    edges: readEdges(graph, nodes),
    environment: readEnvironment(workflow),
    conversation: listOf(workflow.get('conversation_variables')).map((item) => mapOf(item)),
    features: mapOf(workflow.get('features')),
    config: EMPTY,
  };
}
