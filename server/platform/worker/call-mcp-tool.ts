import type { CallMcpTool } from '../../engine/effect.ts';
import type { McpTools } from '../../runtime/mcp/mcp-tools.ts';
import { EffectFailure } from '../../runtime/run-effects.ts';
import type { Spec } from '../../spec/spec-types.ts';

/** Calls tools of the MCP servers that a spec declares. */
export function createCallMcpTool(
  mcp: McpTools,
  spec: Spec,
): (effect: CallMcpTool, signal: AbortSignal) => Promise<string> {
  return (effect, signal) => {
    const server = Object.hasOwn(spec.mcp_servers, effect.server)
      ? spec.mcp_servers[effect.server]
      : undefined;
    if (server === undefined) {
      const message = `The spec declares no MCP server '${effect.server}'.`;
      return Promise.reject(new EffectFailure(message, { type: 'ValueError', retryable: false }));
    }
    const { remote_name: tool, arguments: args } = effect;
    return mcp.call({ name: effect.server, server, tool, arguments: args }, signal);
  };
}
