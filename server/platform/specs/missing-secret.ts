import { type Secrets, secretAdvice } from '../../runtime/secrets.ts';
import type { Spec } from '../../spec/schema/spec-types.ts';
import type { Diagnostic } from '../../spec/values/diagnostic.ts';

/**
 * What is wrong when a tool's MCP server names a client key that nobody has (spec-v1 4, McpServer: a
 * missing secret fails the build); undefined when nothing is missing.
 */
export function missingSecret(spec: Spec, secrets: Secrets): Diagnostic | undefined {
  for (const tool of Object.values(spec.tools)) {
    const name = tool.mcp?.['server'];
    if (typeof name !== 'string' || !Object.hasOwn(spec.mcp_servers, name)) continue;
    const key = spec.mcp_servers[name]?.client_key_ref ?? null;
    const answer = key === null ? undefined : secrets.named(key);
    if (key !== null && answer !== undefined && answer.kind !== 'found') {
      return {
        code: 'E_MCP_SECRET_MISSING',
        severity: 'error',
        message: `MCP server '${name}' needs the secret '${key}', which is not set.`,
        path: `mcp_servers.${name}.client_key_ref`,
        suggestion: secretAdvice(key, answer),
      };
    }
  }
  return undefined;
}

/** The finding as the message of a refusal. */
export function secretMessage({ message, suggestion }: Diagnostic): string {
  return suggestion === null ? message : `${message} ${suggestion}`;
}
