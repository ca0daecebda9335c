import { isObject } from '../../kernel/json.ts';
import type { Card } from '../gaps/gap-stream.ts';
import type { Graph, Node, Tool } from '../graph-ir.ts';
import type { Draft } from './draft.ts';
import { lowerBackingAgent } from './lower-agent.ts';

function offer(draft: Draft, agentId: string, toolName: string): void {
  const step = draft.steps.get(agentId);
  const agent = draft.agents.get(draft.backing.get(agentId) ?? step?.ref ?? '');
  if (agent === undefined) return;
  const tools = agent['tools'];
  const include = isObject(tools) && Array.isArray(tools['include']) ? tools['include'] : [];
  agent['tools'] = { include: [...include, toolName] };
}

function isAgentBacked(tool: Tool): boolean {
  return tool.agent !== undefined;
}

/** Writes the tools that have a definition, and offers the backed ones (importers 14). */
export function writeTools(draft: Draft): void {
  const names = new Map<string, string>();
  for (const tool of draft.graph.tools) {
    if (tool.agent !== undefined) {
      draft.backing.set(tool.id, lowerBackingAgent(draft, tool.agent.node, tool.agent.payload));
    }
  }
  for (const tool of draft.graph.tools) {
    if (tool.definition === undefined) continue;
    const name = draft.claimName('tools', tool.name, 'tool');
    names.set(tool.id, name);
    const definition = tool.definition(name, draft.protector);
    const agent = draft.backing.get(tool.id);
    draft.tools.set(name, agent === undefined ? definition : { ...definition, agent });
  }
  for (const { agentId, toolId } of draft.graph.bindings) {
    const name = names.get(toolId);
    if (name !== undefined && draft.backing.has(toolId)) offer(draft, agentId, name);
  }
}

/** Tools that nothing is offered (importers 6.3). */
export function unboundTools(graph: Graph): Card[] {
  const bound = new Set(graph.bindings.map((binding) => binding.toolId));
  return graph.tools
    .filter((tool) => !bound.has(tool.id))
    .map((tool) => ({
      ref: tool.ref,
      kind: 'deterministic_tool',
      detail: `Tool "${tool.name}" is offered to no agent.`,
    }));
}

function toolCard(tool: Tool, agent: Node | undefined, target: string): Card {
  const { ref } = tool;
  if (isAgentBacked(tool)) {
    const detail = `"${tool.name}" is an agent that "${target}" may call; the draft has it as a tool backed by that agent.`;
    return { ref, kind: 'carried_as', severity: 'info', detail };
  }
  if (agent?.payload.kind === 'agent' || tool.definition !== undefined) {
    const detail = `Tool "${tool.name}" (${tool.kind}) of "${target}" has nothing to back it.`;
    return { ref, kind: 'tool_without_backing', detail };
  }
  const detail = `Tool "${tool.name}" is offered to "${target}", which is no agent.`;
  return { ref, kind: 'offered_tool_not_bound', detail };
}

/** One card for each binding that the draft does not hold (importers 6.3). */
export function bindingCards(graph: Graph): Card[] {
  const tools = new Map(graph.tools.map((tool) => [tool.id, tool]));
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]));
  const labels = new Map(graph.entries.map((entry) => [entry.id, entry.ref.source_label]));
  const out: Card[] = [];
  for (const { agentId, toolId } of graph.bindings) {
    const tool = tools.get(toolId);
    const agent = nodes.get(agentId);
    const source = nodes.get(toolId);
    const target = agent?.name ?? labels.get(agentId) ?? agentId;
    if (tool !== undefined) out.push(toolCard(tool, agent, target));
    else if (source !== undefined && !isOpaque(source.payload.kind)) {
      const detail = `"${source.name}" is offered to "${target}" as a tool; the draft has it as a step or not at all.`;
      out.push({ ref: source.ref, kind: 'offered_tool_not_bound', detail });
    }
  }
  return out;
}

function isOpaque(kind: string): boolean {
  return kind === 'unknown' || kind === 'deactivated';
}
