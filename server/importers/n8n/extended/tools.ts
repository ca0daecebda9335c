import type { JsonObject } from '../../../kernel/json.ts';
import type { Definition, ToolKind } from '../../graph-ir.ts';
import { at, hasText, listOf, textOf } from '../../value.ts';
import { LANGCHAIN, type N8nNode } from '../document.ts';
import { readText } from '../expressions.ts';
import { workflowReference } from '../roles.ts';
import type { Role } from '../scene.ts';
import { agentLosses, readExtendedAgent } from './agents.ts';

const AGENT_TYPES: ReadonlySet<string> = new Set([`${LANGCHAIN}agent`, `${LANGCHAIN}agentTool`]);
const MCP_CLIENT = `${LANGCHAIN}mcpClientTool`;
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

function parametersOf(node: N8nNode): JsonObject | undefined {
  const properties: JsonObject = {};
  for (const item of listOf(at(node.parameters, 'placeholderDefinitions', 'values'))) {
    const name = textOf(at(item, 'name'));
    if (name === undefined || name === '' || name === '__proto__') continue;
    const description = textOf(at(item, 'description')) ?? name;
    properties[name] = { type: 'string', description };
  }
  return Object.keys(properties).length === 0 ? undefined : { type: 'object', properties };
}

function placeholder(node: N8nNode): Definition {
  return (name, protector) => {
    const description = protector.scrub(descriptionOf(node));
    const parameters = parametersOf(node);
    const base: JsonObject = { description };
    if (parameters !== undefined) base['parameters'] = parameters;
    return { ...base, implementation: `imported.${name}` };
  };
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
  return () => (isSse ? { transport: 'sse', sse_url: url } : { transport: 'http', url });
}

function workflowStub(node: N8nNode): Definition {
  return (_name, protector) => ({
    type: 'sequential',
    description: protector.scrub(workflowReference(node) || node.name),
    steps: [],
  });
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
    return {
      role: 'tool',
      kind: 'function',
      definition: () => plainTool(node),
      workflow: workflowStub(node),
    };
  }
  return {
    role: 'tool',
    kind: KINDS.get(node.type) ?? 'proprietary',
    definition: () => placeholder(node),
  };
}
