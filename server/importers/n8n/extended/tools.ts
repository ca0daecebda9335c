import { builtInName } from '../../../contract/flow.ts';
import { N8N_STEP_TYPES } from '../../../items/n8n-types.ts';
import { placeholdersIn } from '../../../items/placeholders.ts';
import { stepTypeOfTool } from '../../../items/tool-types.ts';
import { isJsonObject, type JsonObject, setOwn } from '../../../kernel/json.ts';
import { readExpression } from '../../expressions/read-expression.ts';
import { splitTemplate } from '../../expressions/split-template.ts';
import type { Definition, ToolKind } from '../../graph-ir.ts';
import type { Protector } from '../../secrets.ts';
import { at, hasText, listOf, textOf, type Value } from '../../value.ts';
import { LANGCHAIN, type N8nNode } from '../document.ts';
import { readText } from '../expressions.ts';
import { lacksWords, leftOut } from '../items/left-out.ts';
import { entryOf } from '../items/settings.ts';
import { workflowReference } from '../roles.ts';
import type { Role } from '../scene.ts';
import { agentLosses, readExtendedAgent } from './agents.ts';
import { calledBy, innerText, SAVE_INNER } from './called.ts';

const AGENT_TYPES: ReadonlySet<string> = new Set([`${LANGCHAIN}agent`, `${LANGCHAIN}agentTool`]);
const MCP_CLIENT = `${LANGCHAIN}mcpClientTool`;
const CODE_TOOL = `${LANGCHAIN}toolCode`;
const THINK_TOOL = `${LANGCHAIN}toolThink`;
const REQUEST_TOOL = `${LANGCHAIN}toolHttpRequest`;
const WORKFLOW_TOOL = `${LANGCHAIN}toolWorkflow`;
const KINDS: ReadonlyMap<string, ToolKind> = new Map<string, ToolKind>([
  [`${LANGCHAIN}toolHttpRequest`, 'http'],
  ['n8n-nodes-base.httpRequestTool', 'http'],
  [`${LANGCHAIN}toolCode`, 'function'],
  [MCP_CLIENT, 'mcp'],
]);

function descriptionOf(node: N8nNode): string {
  for (const key of ['toolDescription', 'description']) {
    const value = node.parameters.get(key);
    if (!hasText(value)) continue;
    const reading = readText(value);
    if (!reading.computed) return reading.text;
  }
  return node.name;
}

const ARGUMENT_TYPES: ReadonlySet<string> = new Set(['string', 'number', 'boolean']);

function argumentSchema(type: string, description: string): JsonObject {
  const schema: JsonObject = ARGUMENT_TYPES.has(type) ? { type } : {};
  if (description !== '') schema['description'] = description;
  return schema;
}

/** Values that the calling model fills in by `$fromAI(name, description, type)`. */
function addArguments(value: Value, properties: JsonObject): void {
  if (typeof value !== 'string') {
    const items = value instanceof Map ? value.values() : Array.isArray(value) ? value : [];
    for (const item of items) addArguments(item, properties);
    return;
  }
  if (!value.includes('$fromAI')) return;
  for (const part of splitTemplate(readText(value).text)) {
    const meaning = part.kind === 'expression' ? readExpression(part.body) : undefined;
    if (meaning?.kind !== 'argument' || meaning.name === '') continue;
    setOwn(properties, meaning.name, argumentSchema(meaning.type, meaning.description));
  }
}

/** Names in braces, and pairs whose value the model gives. */
function addPlaceholders(value: Value, properties: JsonObject): void {
  if (typeof value === 'string') {
    for (const { name } of placeholdersIn(value)) setOwn(properties, name, { type: 'string' });
    return;
  }
  const items = value instanceof Map ? [...value.values()] : Array.isArray(value) ? value : [];
  for (const item of items) addPlaceholders(item, properties);
}

function addPairs(node: N8nNode, properties: JsonObject): void {
  for (const part of ['Query', 'Headers', 'Body']) {
    if (node.parameters.get(`send${part}`) !== true) continue;
    if (node.parameters.get(`specify${part}`) === 'model')
      setOwn(properties, part.toLowerCase(), { type: 'object' });
    for (const pair of listOf(at(node.parameters, `parameters${part}`, 'values'))) {
      const name = textOf(at(pair, 'name')) ?? '';
      const provider = at(pair, 'valueProvider');
      const isGiven =
        provider === 'fieldValue' || (provider === undefined && at(pair, 'value') !== undefined);
      if (!isGiven && name !== '') setOwn(properties, name, { type: 'string' });
    }
  }
}

/** What the model gives to a tool of the source's package for models. */
function ownArguments(node: N8nNode): JsonObject {
  const properties: JsonObject = {};
  if (node.type === THINK_TOOL) properties['input'] = { type: 'string' };
  if (node.type === CODE_TOOL && node.parameters.get('specifyInputSchema') !== true)
    properties['query'] = { type: 'string' };
  if (node.type === REQUEST_TOOL) {
    for (const [key, value] of node.parameters)
      if (!/^(?:toolDescription|placeholderDefinitions)$/.test(key))
        addPlaceholders(value, properties);
    addPairs(node, properties);
  }
  return properties;
}

/** The schema that the author wrote for the input of a code tool. */
function writtenSchema(node: N8nNode): JsonObject | undefined {
  if (node.type !== CODE_TOOL || node.parameters.get('specifyInputSchema') !== true)
    return undefined;
  const isWritten = node.parameters.get('schemaType') === 'manual';
  const text = textOf(node.parameters.get(isWritten ? 'inputSchema' : 'jsonSchemaExample'));
  const json = text === undefined ? undefined : parsedJson(text);
  if (!isJsonObject(json)) return { type: 'object' };
  if (isWritten) return json;
  const properties = Object.entries(json).map(([key, value]) => [
    key,
    ARGUMENT_TYPES.has(typeof value) ? { type: typeof value } : {},
  ]);
  return { type: 'object', properties: Object.fromEntries(properties) };
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function parametersOf(node: N8nNode): JsonObject | undefined {
  const written = writtenSchema(node);
  if (written !== undefined) return written;
  const properties: JsonObject = ownArguments(node);
  for (const value of node.parameters.values()) addArguments(value, properties);
  for (const item of listOf(at(node.parameters, 'placeholderDefinitions', 'values'))) {
    const name = textOf(at(item, 'name'));
    if (name === undefined || name === '' || name === '__proto__') continue;
    const description = textOf(at(item, 'description')) ?? name;
    properties[name] = { type: 'string', description };
  }
  return Object.keys(properties).length === 0 ? undefined : { type: 'object', properties };
}

function scrubbed(schema: JsonObject, protector: Protector): JsonObject {
  const out: JsonObject = {};
  for (const [key, value] of Object.entries(schema)) {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    const kept = typeof value === 'string' ? protector.scrub(value) : value;
    setOwn(out, key, isObject ? scrubbed(value, protector) : kept);
  }
  return out;
}

function placeholder(node: N8nNode): Definition {
  return (name, protector) => {
    const description = protector.scrub(descriptionOf(node));
    const parameters = parametersOf(node);
    const base: JsonObject = { description };
    if (parameters !== undefined) base['parameters'] = scrubbed(parameters, protector);
    return { ...base, implementation: `imported.${name}` };
  };
}

/** A node that a built-in step carries out when a model calls it. */
function builtInTool(node: N8nNode, type: string): Definition {
  return (name, protector) => ({
    ...placeholder(node)(name, protector),
    implementation: builtInName(type),
  });
}

/** The built-in step that carries a tool out; undefined for one that has none. */
function stepTypeOf(node: N8nNode): string | undefined {
  const language = node.parameters.get('language') ?? 'javaScript';
  if (node.type === CODE_TOOL && language !== 'javaScript') return undefined;
  const type = stepTypeOfTool(node.type);
  const lowest = type === undefined ? undefined : N8N_STEP_TYPES[type]?.versions[0];
  return lowest !== undefined && node.version >= lowest ? type : undefined;
}

function plainTool(node: N8nNode): Definition {
  return (_name, protector) => ({ description: protector.scrub(descriptionOf(node)) });
}

/** The server of an MCP client; undefined when its address is computed or no http address. */
function mcpServer(node: N8nNode): Definition | undefined {
  const streamed = textOf(node.parameters.get('endpointUrl'));
  const address = streamed ?? textOf(node.parameters.get('sseEndpoint')) ?? '';
  const reading = readText(address);
  const url = reading.text.trim();
  if (reading.computed || !/^https?:\/\/[^\s<>@]+$/.test(url)) return undefined;
  const isSse = streamed === undefined || node.parameters.get('serverTransport') === 'sse';
  return (_name, protector) => {
    const safe = protector.scrub(url);
    return isSse ? { transport: 'sse', sse_url: safe } : { transport: 'http', url: safe };
  };
}

function workflowStub(node: N8nNode): Definition {
  return (_name, protector) => ({
    type: 'sequential',
    description: protector.scrub(workflowReference(node) || node.name),
    steps: [],
  });
}

function innerOf(node: N8nNode): { readonly inner?: string } {
  const inner = innerText(node);
  return inner === undefined ? {} : { inner };
}

/** The role of an element that is offered to agents as a tool (importers 14). */
export function toolRole(node: N8nNode): Role {
  if (AGENT_TYPES.has(node.type)) {
    return {
      role: 'tool',
      kind: 'function',
      definition: () => (_name, protector) => ({
        description: protector.scrub(descriptionOf(node)),
      }),
      agent: {
        losses: agentLosses,
        payload: (n, scene) => ({ kind: 'agent', ...readExtendedAgent(n, scene) }),
      },
      losses: agentLosses,
    };
  }
  if (node.type === MCP_CLIENT) {
    const server = mcpServer(node);
    if (server !== undefined) {
      return { role: 'tool', kind: 'mcp', definition: () => plainTool(node), server };
    }
  }
  if (node.type === WORKFLOW_TOOL) {
    const { words, isInside } = calledBy(node);
    return {
      role: 'tool',
      kind: 'function',
      definition: () => plainTool(node),
      workflow: workflowStub(node),
      called: isInside ? { words, todo: SAVE_INNER, ...innerOf(node) } : { words },
    };
  }
  const kind = KINDS.get(node.type) ?? 'proprietary';
  const type = stepTypeOf(node);
  if (type === undefined) return { role: 'tool', kind, definition: () => placeholder(node) };
  const setting = leftOut(node, type);
  if (setting !== undefined) {
    const lacks = lacksWords(type, setting);
    return { role: 'tool', kind, definition: () => placeholder(node), lacks };
  }
  const facts = { hasParameters: true, isOff: false, isHandled: false };
  return {
    role: 'tool',
    kind,
    definition: () => builtInTool(node, type),
    settings: () => (protector) => entryOf(node, facts, protector),
  };
}
