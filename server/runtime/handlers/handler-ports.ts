import { setTimeout as wait } from 'node:timers/promises';
import type { HandlerPorts } from '../../handlers/ports.ts';
import { MAX_TIMER_MS } from '../../kernel/timer-limit.ts';
import type { HttpPolicy } from './guarded-addresses.ts';
import { createHttp } from './http.ts';
import { nodeArchives } from './node-archives.ts';
import { nodeCrypto } from './node-crypto.ts';

export interface HandlerPortsOf {
  /** Ends what waits when the step's effect is given up. */
  readonly signal: AbortSignal;
  readonly policy: HttpPolicy;
  /** Finds what a credential of the source is bound to. */
  readonly credential: HandlerPorts['credential'];
  readonly mcp: HandlerPorts['mcp'];
}

/** What the built-in steps of a run get of the world; one call makes those of one effect. */
export function createHandlerPorts(of: HandlerPortsOf): HandlerPorts {
  const { signal, policy, credential, mcp } = of;
  return {
    http: createHttp(policy, signal),
    // Their libraries are read when a step first asks, not when the service starts.
    mail: async (server, mail) =>
      (await import('./mail.ts')).createMail(policy, signal)(server, mail),
    composeMail: async (mail) => (await import('./mail.ts')).composeMail(mail),
    postgres: async (server, options) =>
      (await import('./postgres.ts')).createPostgres(policy, signal)(server, options),
    credential,
    mcp,
    crypto: nodeCrypto,
    archives: nodeArchives,
    pause: (ms) => wait(Math.min(Math.max(0, ms), MAX_TIMER_MS), undefined, { signal }),
  };
}
