import { type Secrets, secretAdvice } from '../../runtime/secrets.ts';
import type { Spec } from '../../spec/spec-types.ts';

/**
 * What is wrong when a tool's MCP server names a client key that nobody has (spec-v1 4, McpServer: a
 * missing secret fails the build); undefined when nothing is missing.
 */
export function missingSecret(spec: Spec, secrets: Secrets): string | undefined {
  for (const tool of Object.values(spec.tools)) {
    const name = tool.mcp?.['server'];
    if (typeof name !== 'string' || !Object.hasOwn(spec.mcp_servers, name)) continue;
    const key = spec.mcp_servers[name]?.client_key_ref ?? null;
    const answer = key === null ? undefined : secrets.named(key);
    if (key !== null && answer !== undefined && answer.kind !== 'found') {
      return `MCP server '${name}' needs the secret '${key}', which is not set. ${secretAdvice(key, answer)}`;
    }
  }
  return undefined;
}
