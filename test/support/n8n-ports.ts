// What built-in steps get of the world in tests: the real ports, with the server of the recorded cases.
import type { Credential } from '../../server/contract/credentials.ts';
import type { HandlerPorts } from '../../server/handlers/ports.ts';
import { createHandlerPorts } from '../../server/runtime/handlers/handler-ports.ts';
import type { N8nStub } from './n8n-stub.ts';

const POLICY = { allowedDomains: [], deniedDomains: [] };

/** Real ports without any credential; addresses of the recorded cases lead to the stub. */
export function n8nPorts(
  stub: N8nStub,
  credentials: Readonly<Record<string, Credential>> = {},
): HandlerPorts {
  const ports = createHandlerPorts({
    signal: new AbortController().signal,
    policy: POLICY,
    credential: (type) => Promise.resolve(credentials[type] ?? null),
  });
  return { ...ports, http: (request) => ports.http({ ...request, url: stub.here(request.url) }) };
}

/** Ports for steps that ask nobody: every host is denied. */
export const CLOSED_PORTS: HandlerPorts = createHandlerPorts({
  signal: new AbortController().signal,
  policy: { ...POLICY, allowedDomains: ['nowhere.invalid'] },
  credential: () => Promise.resolve(null),
});
