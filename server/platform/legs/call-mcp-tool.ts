import type { CallMcpTool } from '../../engine/effect.ts';
import type { ProjectMcp } from '../../runtime/mcp/project-mcp.ts';
import { EffectFailure } from '../../runtime/run-effects.ts';
import type { Spec } from '../../spec/schema/spec-types.ts';

type ToolOfServer = Pick<CallMcpTool, 'server' | 'remote_name' | 'arguments'>;

/** Calls tools of the MCP servers that a spec declares. */
export function createCallMcpTool(
  mcp: ProjectMcp,
  project: string | null,
  spec: Spec,
): (effect: ToolOfServer, signal: AbortSignal) => Promise<string> {
  return (effect, signal) => {
    const server = Object.hasOwn(spec.mcp_servers, effect.server)
      ? spec.mcp_servers[effect.server]
      : undefined;
    if (server === undefined) {
      const message = `The spec declares no MCP server '${effect.server}'.`;
      return Promise.reject(new EffectFailure(message, { type: 'ValueError', retryable: false }));
    }
    const { remote_name: tool, arguments: args } = effect;
    return mcp.of(project).call({ name: effect.server, server, tool, arguments: args }, signal);
  };
}
