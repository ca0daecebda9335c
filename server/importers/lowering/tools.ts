import { isObject, type JsonObject } from '../../kernel/json.ts';
import type { Card } from '../gaps/gap-stream.ts';
import { allNodes, type Graph, type Node, type Tool, type ToolBinding } from '../graph-ir.ts';
import type { Draft } from './draft.ts';
import { lowerBackingAgent } from './lower-agent.ts';

function offer(draft: Draft, agentId: string, toolName: string): void {
  const agent = draft.agents.get(callerOf(draft, agentId));
  if (agent === undefined) return;
  const tools = agent['tools'];
  const include = isObject(tools) && Array.isArray(tools['include']) ? tools['include'] : [];
  agent['tools'] = { include: [...include, toolName] };
}

function isBacked(tool: Tool): boolean {
  return (tool.agent ?? tool.server ?? tool.workflow ?? tool.settings) !== undefined;
}

/** The member of a tool that says what stands behind it. */
/**
 * The stub of a workflow that is not there with a step that fails: the steps beside it run, where a
 * run with an empty workflow is refused as a whole.
 */
function withMissing(draft: Draft, workflow: string, stub: JsonObject): JsonObject {
  const name = draft.claimName('functions', workflow, 'function');
  draft.addComponent('functions', name, { implementation: `imported.${name}` });
  return { ...stub, steps: [{ id: name, kind: 'function', ref: name }] };
}

function backingOf(draft: Draft, tool: Tool, offered: string): JsonObject {
  if (tool.settings !== undefined) {
    draft.toolSettings.set(offered, tool.settings(draft.protector));
    return {};
  }
  const agent = draft.backing.get(tool.id);
  if (agent !== undefined) return { agent };
  if (tool.server !== undefined) {
    const server = draft.claimName('servers', tool.name, 'server');
    draft.servers.set(server, tool.server(server, draft.protector));
    draft.addPart(tool.id, 'mcp_servers', server);
    return { mcp: { server } };
  }
  if (tool.workflow === undefined) return {};
  const workflow = draft.claimName('workflows', tool.name, 'workflow');
  const stub = tool.workflow(workflow, draft.protector);
  const isItems = draft.graph.items !== undefined;
  draft.addComponent('workflows', workflow, isItems ? withMissing(draft, workflow, stub) : stub);
  draft.addPart(tool.id, 'components', 'workflows', workflow);
  const wanted = tool.calls ?? [];
  const { inner } = tool.called ?? {};
  const call = { source_id: tool.id, component: workflow, wanted };
  draft.calls.push(inner === undefined ? call : { ...call, inner });
  const name = draft.claimName('agents', tool.name, 'agent');
  draft.addAgent(name, { name, as_agent: workflow });
  return { agent: name };
}

/** Which agents call which others as tools; a spec refuses a ring of them. */
class AgentCalls {
  private readonly calls = new Map<string, string[]>();

  /** Notes a call; false when it would close a ring. */
  add(caller: string, called: string): boolean {
    const reached = new Set([called]);
    for (const agent of reached) for (const next of this.calls.get(agent) ?? []) reached.add(next);
    if (reached.has(caller)) return false;
    this.calls.set(caller, [...(this.calls.get(caller) ?? []), called]);
    return true;
  }
}

function callerOf(draft: Draft, agentId: string): string {
  const step = draft.steps.get(agentId);
  return draft.backing.get(agentId) ?? (step?.kind === 'agent' ? step.ref : '');
}

/**
 * Writes the tools that have a definition, and offers the backed ones (importers 14). Answers the
 * bindings that would make an agent its own tool in the end.
 */
export function writeTools(draft: Draft): ReadonlySet<ToolBinding> {
  const circular = new Set<ToolBinding>();
  const calls = new AgentCalls();
  const names = new Map<string, string>();
  const backed = new Set(draft.graph.tools.filter(isBacked).map((tool) => tool.id));
  for (const tool of draft.graph.tools) {
    if (tool.agent !== undefined) {
      const agent = lowerBackingAgent(draft, tool.agent.node, tool.agent.payload);
      draft.backing.set(tool.id, agent);
      draft.addPart(tool.id, 'components', 'agents', agent);
    }
  }
  for (const tool of draft.graph.tools) {
    if (tool.definition === undefined) continue;
    const name = draft.claimName('tools', tool.name, 'tool');
    names.set(tool.id, name);
    draft.addPart(tool.id, 'tools', name);
    draft.tools.set(name, {
      ...tool.definition(name, draft.protector),
      ...backingOf(draft, tool, name),
    });
  }
  for (const binding of draft.graph.bindings) {
    const { agentId, toolId } = binding;
    const name = names.get(toolId);
    if (name === undefined || !backed.has(toolId)) continue;
    const called = draft.backing.get(toolId);
    const isCircular = called !== undefined && !calls.add(callerOf(draft, agentId), called);
    if (isCircular) circular.add(binding);
    else offer(draft, agentId, name);
  }
  return circular;
}

/** Where the draft says what a tool that a built-in step carries out is in its source. */
export function toolEntryOf(draft: Draft, sourceId: string): readonly string[] | undefined {
  const parts = draft.placesOf(sourceId).find(([block]) => block === 'tools');
  const name = parts?.[1];
  if (typeof name !== 'string' || !draft.toolSettings.has(name)) return undefined;
  return ['metadata', 'tools', name];
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
  if (tool.server !== undefined) {
    const detail = `Tool "${tool.name}" of "${target}" is in the draft with its server.`;
    const todo = 'Store the credential of the server on the platform, and name the tools to offer.';
    return { ref, kind: 'carried_as', severity: 'manual', detail, todo };
  }
  if (tool.settings !== undefined) {
    const detail = `Tool "${tool.name}" of "${target}" is carried out by a built-in step with the settings of the source; what the model gives stands in place of $fromAI.`;
    return { ref, kind: 'carried_as', severity: 'info', detail, todo: 'Nothing to do.' };
  }
  if (tool.workflow !== undefined) {
    const { words, todo: inner } = tool.called ?? { words: 'another workflow' };
    const detail = `Tool "${tool.name}" of "${target}" runs ${words}; an empty component workflow stands for it.`;
    if (inner !== undefined) return { ref, kind: 'subworkflow', detail, todo: inner };
    const todo = 'Import the called workflow in its place.';
    return { ref, kind: 'carried_as', severity: 'manual', detail, todo };
  }
  if (tool.agent !== undefined) {
    const detail = `"${tool.name}" is an agent that "${target}" may call; the draft has it as a tool backed by that agent.`;
    return { ref, kind: 'carried_as', severity: 'info', detail };
  }
  if (agent?.payload.kind === 'agent' || tool.definition !== undefined) {
    const why = tool.lacks === undefined ? '' : `: it has ${tool.lacks}`;
    const detail = `Tool "${tool.name}" (${tool.kind}) of "${target}" has nothing to back it${why}.`;
    return { ref, kind: 'tool_without_backing', detail };
  }
  const detail = `Tool "${tool.name}" is offered to "${target}", which is no agent.`;
  return { ref, kind: 'offered_tool_not_bound', detail };
}

function circularCard({ ref, name }: Tool, target: string): Card {
  const detail = `"${name}" is offered to "${target}", which it calls itself; agents cannot be tools of each other in a ring.`;
  const todo = 'Decide which of them leads, and offer the other to it.';
  return { ref, kind: 'offered_tool_not_bound', detail, todo };
}

/** One card for each binding that the draft does not hold (importers 6.3). */
export function bindingCards(graph: Graph, circular: ReadonlySet<ToolBinding>): Card[] {
  const tools = new Map(graph.tools.map((tool) => [tool.id, tool]));
  const nodes = new Map(allNodes(graph).map((node) => [node.id, node]));
  const labels = new Map(graph.entries.map((entry) => [entry.id, entry.ref.source_label]));
  const out: Card[] = [];
  for (const binding of graph.bindings) {
    const { agentId, toolId } = binding;
    const tool = tools.get(toolId);
    const agent = nodes.get(agentId);
    const source = nodes.get(toolId);
    const target = agent?.name ?? labels.get(agentId) ?? tools.get(agentId)?.name ?? agentId;
    if (tool !== undefined && circular.has(binding)) out.push(circularCard(tool, target));
    else if (tool !== undefined) out.push(toolCard(tool, agent, target));
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
