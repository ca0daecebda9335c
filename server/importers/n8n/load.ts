import { type RefusalPlace, unparseable } from '../source-refused.ts';
import {
  at,
  hasText,
  listOf,
  mapOf,
  numberOf,
  textOf,
  type Value,
  type ValueMap,
} from '../value.ts';
import type { N8nDocument, N8nLink, N8nNode, N8nRunSettings, OnError } from './document.ts';

const TEXT_FIELDS = ['name', 'id', 'type'];
const NUMBER_FIELDS = ['typeVersion', 'maxTries', 'waitBetweenTries'];
const FLAG_FIELDS = [
  'disabled',
  'continueOnFail',
  'retryOnFail',
  'alwaysOutputData',
  'executeOnce',
];
const CHOICE_FIELDS = ['onError'];
const OBJECT_FIELDS = ['parameters', 'credentials'];
const NEEDED_FIELDS = ['id', 'name', 'type', 'typeVersion', 'parameters'];
const ON_ERROR: readonly OnError[] = [
  'continueErrorOutput',
  'continueRegularOutput',
  'stopWorkflow',
];

function nodePlace(node: ValueMap, index: number, field: string): RefusalPlace {
  return {
    node: textOf(node.get('name')) ?? `node ${index}`,
    field,
    locator: `$.nodes[${index}].${field}`,
  };
}

function checkFields(
  node: ValueMap,
  index: number,
  fields: readonly string[],
  accepts: (value: Value) => boolean,
  wanted: string,
): void {
  for (const field of fields) {
    const value = node.get(field);
    if (value === undefined || value === null || accepts(value)) continue;
    throw unparseable(
      `Field "${field}" of node ${index} is not ${wanted}.`,
      nodePlace(node, index, field),
    );
  }
}

const isText = (value: Value): boolean => typeof value === 'string';
const isNumber = (value: Value): boolean => typeof value === 'number';
const isFlag = (value: Value): boolean => typeof value === 'boolean';
const isChoice = (value: Value): boolean => ON_ERROR.some((choice) => choice === value);
const isObject = (value: Value): boolean => value instanceof Map;

function checkNode(node: ValueMap, index: number): void {
  checkFields(node, index, TEXT_FIELDS, isText, 'text');
  checkFields(node, index, NUMBER_FIELDS, isNumber, 'a number');
  checkFields(node, index, FLAG_FIELDS, isFlag, 'true or false');
  checkFields(node, index, CHOICE_FIELDS, isChoice, 'a known choice');
  checkFields(node, index, OBJECT_FIELDS, isObject, 'an object');
  for (const field of NEEDED_FIELDS) {
    const value = node.get(field);
    if (value !== undefined && value !== null && value !== '') continue;
    throw unparseable(`Node ${index} has no "${field}".`, nodePlace(node, index, field));
  }
}

function readCredentials(node: ValueMap, index: number): Map<string, string> {
  const names = new Map<string, string>();
  const credentials = node.get('credentials');
  if (!(credentials instanceof Map)) return names;
  for (const [type, reference] of credentials) {
    if (reference !== null && !(reference instanceof Map)) {
      throw unparseable(
        `Credential "${type}" of node ${index} is not a reference.`,
        nodePlace(node, index, `credentials.${type}`),
      );
    }
    const name = reference === null ? undefined : textOf(reference.get('name'));
    names.set(type, name === undefined || name === '' ? type : name);
  }
  return names;
}

function readPosition(value: Value | undefined): { x: number; y: number } | null {
  const [x, y] = listOf(value);
  return typeof x === 'number' && typeof y === 'number' ? { x, y } : null;
}

function readNode(value: Value, index: number): N8nNode {
  if (!(value instanceof Map)) {
    throw unparseable(`Node ${index} is not an object.`, { locator: `$.nodes[${index}]` });
  }
  checkNode(value, index);
  const id = textOf(value.get('id')) ?? '';
  const name = textOf(value.get('name')) ?? '';
  const parameters = value.get('parameters');
  const onError = textOf(value.get('onError'));
  return {
    index,
    id,
    name,
    type: textOf(value.get('type')) ?? '',
    version: numberOf(value.get('typeVersion')) ?? 1,
    parameters: parameters instanceof Map ? parameters : new Map(),
    credentials: readCredentials(value, index),
    disabled: value.get('disabled') === true,
    onError: ON_ERROR.find((choice) => choice === onError) ?? null,
    continueOnFail: value.get('continueOnFail') === true,
    retryOnFail: value.get('retryOnFail') === true,
    maxTries: numberOf(value.get('maxTries')) ?? null,
    waitBetweenTries: numberOf(value.get('waitBetweenTries')) ?? null,
    alwaysOutputData: value.get('alwaysOutputData') === true,
    executeOnce: value.get('executeOnce') === true,
    position: readPosition(value.get('position')),
    ref: { source_id: id, source_label: name, locator: `$.nodes[${index}]` },
  };
}

function indexNodes(nodes: readonly N8nNode[]): Map<string, N8nNode> {
  const byName = new Map<string, N8nNode>();
  const ids = new Set<string>();
  for (const node of nodes) {
    const place = (): RefusalPlace => ({ node: node.name, locator: node.ref.locator });
    if (byName.has(node.name)) throw unparseable('Two nodes have the same name.', place());
    if (ids.has(node.id)) throw unparseable('Two nodes have the same id.', place());
    byName.set(node.name, node);
    ids.add(node.id);
  }
  return byName;
}

/** More inputs than any type has are a mistake of the file. */
const MOST_INPUTS = 100;

export function inputOf(link: Value): number {
  const index = link instanceof Map ? (numberOf(link.get('index')) ?? 0) : 0;
  return Number.isInteger(index) && index >= 0 && index < MOST_INPUTS ? index : 0;
}

class LinkReader {
  readonly links: N8nLink[] = [];
  readonly mainPorts = new Map<string, number>();
  private readonly byName: ReadonlyMap<string, N8nNode>;

  constructor(byName: ReadonlyMap<string, N8nNode>) {
    this.byName = byName;
  }

  readSource(name: string, buckets: Value): void {
    const place = { node: name, locator: '$.connections' };
    const source = this.byName.get(name);
    if (source === undefined) {
      throw unparseable('A connection starts at a node that does not exist.', place);
    }
    if (buckets === null) return;
    if (!(buckets instanceof Map)) throw unparseable('A connection is not an object.', place);
    for (const [type, ports] of buckets) this.readBucket(source, type, ports);
  }

  private readBucket(source: N8nNode, type: string, ports: Value): void {
    const place = { node: source.name, field: type, locator: '$.connections' };
    if (ports === null) return;
    if (!Array.isArray(ports)) throw unparseable('A connection type is not a list.', place);
    if (type === 'main') this.mainPorts.set(source.id, ports.length);
    for (const [port, links] of ports.entries()) {
      if (links === null) continue;
      if (!Array.isArray(links)) throw unparseable('A connection port is not a list.', place);
      for (const link of links) this.readLink(source, type, port, link);
    }
  }

  private readLink(source: N8nNode, type: string, port: number, link: Value): void {
    const place = (): RefusalPlace => ({
      node: source.name,
      field: `${type}[${port}]`,
      locator: '$.connections',
    });
    const name = link instanceof Map ? textOf(link.get('node')) : undefined;
    if (name === undefined || name === '') {
      throw unparseable('A connection does not name its target.', place());
    }
    const target = this.byName.get(name);
    if (target === undefined) {
      throw unparseable('A connection leads to a node that does not exist.', place());
    }
    this.links.push({ source, type, port, target, index: inputOf(link) });
  }
}

function readRunSettings(root: ValueMap): N8nRunSettings {
  const [zone, name] = [at(root, 'settings', 'timezone'), root.get('name')];
  return {
    order: at(root, 'settings', 'executionOrder') === 'v1' ? 'v1' : 'v0',
    zone: hasText(zone) && zone !== 'DEFAULT' ? zone : null,
    name: hasText(name) ? name : null,
  };
}

function readPinned(root: ValueMap): ReadonlySet<string> {
  const pinned = mapOf(root.get('pinData'));
  return new Set([...pinned].flatMap(([name, items]) => (listOf(items).length > 0 ? [name] : [])));
}

/** Checks the shape of an n8n export and reads it (importers 4.1). */
export function loadN8n(root: Value): N8nDocument {
  if (!(root instanceof Map)) throw unparseable('The file is not an n8n workflow export.');
  const list = root.get('nodes');
  if (!Array.isArray(list)) {
    throw unparseable('The file has no list of nodes.', { field: 'nodes', locator: '$.nodes' });
  }
  const nodes = list.map(readNode);
  const reader = new LinkReader(indexNodes(nodes));
  const connections = root.get('connections');
  if (connections instanceof Map) {
    for (const [name, buckets] of connections) reader.readSource(name, buckets);
  } else if (connections !== undefined && connections !== null) {
    throw unparseable('The connections are not an object.', { locator: '$.connections' });
  }
  const onMain = new Set<string>();
  for (const link of reader.links) {
    if (link.type === 'main') onMain.add(link.source.id).add(link.target.id);
  }
  const { links, mainPorts } = reader;
  return { nodes, links, mainPorts, onMain, run: readRunSettings(root), pinned: readPinned(root) };
}
