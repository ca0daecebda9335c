import { named } from '../schema/elements.ts';
import type { McpServer, Spec, Tool } from '../schema/spec-types.ts';
import type { Diagnostic } from '../values/diagnostic.ts';
import { meant } from '../values/nearest.ts';
import { fault, unknownName, warning } from './finding.ts';

function checkBacking(spec: Spec, name: string, tool: Tool, findings: Diagnostic[]): void {
  const path = `tools.${name}`;
  const given = (['implementation', 'mcp', 'agent'] as const).filter((key) => tool[key] !== null);
  if (given.length === 0) {
    const message = 'Nothing stands behind this tool.';
    const advice = 'Set one of implementation, mcp and agent.';
    findings.push(fault('E_TOOL_NO_BACKING', path, message, advice));
  } else if (given.length > 1) {
    const message = `More than one thing stands behind this tool: ${given.join(', ')}.`;
    findings.push(fault('E_TOOL_MULTIPLE_BACKINGS', path, message, 'Keep one of them.'));
  }
  if (tool.agent === null) return;
  if (named(spec.components.agents, tool.agent) === undefined) {
    const names = Object.keys(spec.components.agents);
    const message = `There is no agent "${tool.agent}" in components.agents.`;
    const advice = meant(tool.agent, names, 'Declare it under components.agents.');
    const missing = { kind: 'agent', name: tool.agent } as const;
    const at = `${path}.agent`;
    findings.push(unknownName('E_AGENT_TOOL_UNKNOWN_AGENT', at, missing, message, advice));
  }
  if (Object.keys(tool.parameters).length > 0) {
    const message = 'An agent behind a tool takes one input text; these parameters are ignored.';
    const advice = 'Remove parameters.';
    findings.push(
      warning('W_AGENT_TOOL_PARAMETERS_IGNORED', `${path}.parameters`, message, advice),
    );
  }
}

/** Family 10: what stands behind a tool. */
export function checkToolBackings(spec: Spec, findings: Diagnostic[]): void {
  for (const [name, tool] of Object.entries(spec.tools)) checkBacking(spec, name, tool, findings);
}

const NEEDED = { stdio: 'command', http: 'url', sse: 'sse_url' } as const;

function checkServer(name: string, server: McpServer, findings: Diagnostic[]): void {
  const path = `mcp_servers.${name}`;
  const field = NEEDED[server.transport];
  if (!server[field]) {
    const message = `A server with the transport ${server.transport} needs ${field}.`;
    findings.push(fault('E_MCP_MISSING_FIELD', `${path}.${field}`, message, `Set ${field}.`));
  }
  if (server.transport !== 'stdio' && server.verify === false) {
    const message = 'Certificates of this server are not checked; anybody may stand in for it.';
    const advice = 'Remove verify, or set ca_bundle for a private authority.';
    findings.push(warning('W_MCP_TLS_VERIFY_DISABLED', `${path}.verify`, message, advice));
  }
}

/** Family 12: MCP servers and the tools on them. */
export function checkMcp(spec: Spec, findings: Diagnostic[]): void {
  for (const [name, server] of Object.entries(spec.mcp_servers))
    checkServer(name, server, findings);
  for (const [name, { mcp }] of Object.entries(spec.tools)) {
    if (mcp === null) continue;
    const server = mcp['server'];
    if (!server) {
      const message = 'The tool does not say on which server it is.';
      findings.push(fault('E_MCP_TOOL_NO_SERVER', `tools.${name}.mcp`, message, 'Set mcp.server.'));
    } else if (typeof server !== 'string' || named(spec.mcp_servers, server) === undefined) {
      const message = `There is no server "${String(server)}" in mcp_servers.`;
      const advice = meant(
        String(server),
        Object.keys(spec.mcp_servers),
        'Declare it under mcp_servers.',
      );
      const missing = { kind: 'mcp_server', name: String(server) } as const;
      const at = `tools.${name}.mcp.server`;
      findings.push(unknownName('E_MCP_UNKNOWN_SERVER', at, missing, message, advice));
    }
  }
}
