// What built-in steps get of the world in tests: the real ports.
import type { Credential } from '../../server/contract/credentials.ts';
import { StepFailure } from '../../server/handlers/handler.ts';
import type { HandlerPorts } from '../../server/handlers/ports.ts';
import { createHandlerPorts } from '../../server/runtime/handlers/handler-ports.ts';

/** Real ports with these credentials, by their type; every host may be asked. */
export function n8nPorts(credentials: Readonly<Record<string, Credential>> = {}): HandlerPorts {
  return createHandlerPorts({
    signal: new AbortController().signal,
    policy: { allowedDomains: [], deniedDomains: [] },
    credential: (type) => Promise.resolve(credentials[type] ?? null),
    mcp: (server) =>
      Promise.reject(new StepFailure(`The spec declares no MCP server '${server}'.`)),
  });
}
