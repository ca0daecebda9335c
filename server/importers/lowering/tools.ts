import type { Card } from '../gaps/gap-stream.ts';
import type { Graph } from '../graph-ir.ts';

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

/** One card for each binding that the draft does not hold (importers 6.3). */
export function bindingCards(graph: Graph): Card[] {
  const tools = new Map(graph.tools.map((tool) => [tool.id, tool]));
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]));
  const out: Card[] = [];
  for (const { agentId, toolId } of graph.bindings) {
    const tool = tools.get(toolId);
    const agent = nodes.get(agentId);
    const source = nodes.get(toolId);
    if (tool !== undefined && agent?.payload.kind === 'agent') {
      const detail = `Tool "${tool.name}" (${tool.kind}) of "${agent.name}" has nothing to back it.`;
      out.push({ ref: tool.ref, kind: 'tool_without_backing', detail });
    } else if (tool !== undefined) {
      const target = agent?.name ?? agentId;
      const detail = `Tool "${tool.name}" is offered to "${target}", which is no agent.`;
      out.push({ ref: tool.ref, kind: 'offered_tool_not_bound', detail });
    } else if (source !== undefined && !isOpaque(source.payload.kind)) {
      const target = agent?.name ?? agentId;
      const detail = `"${source.name}" is offered to "${target}" as a tool; the draft has it as a step or not at all.`;
      out.push({ ref: source.ref, kind: 'offered_tool_not_bound', detail });
    }
  }
  return out;
}

function isOpaque(kind: string): boolean {
  return kind === 'unknown' || kind === 'deactivated';
}
