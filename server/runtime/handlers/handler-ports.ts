import { setTimeout as wait } from 'node:timers/promises';
import type { HandlerPorts } from '../../handlers/ports.ts';
import { MAX_TIMER_MS } from '../../kernel/timer-limit.ts';
import type { HttpPolicy } from './guarded-addresses.ts';
import { createHttp } from './http.ts';
import { composeMail, createMail } from './mail.ts';
import { nodeArchives } from './node-archives.ts';
import { nodeCrypto } from './node-crypto.ts';
import { createPostgres } from './postgres.ts';

export interface HandlerPortsOf {
  /** Ends what waits when the step's effect is given up. */
  readonly signal: AbortSignal;
  readonly policy: HttpPolicy;
  /** Finds what a credential of the source is bound to. */
  readonly credential: HandlerPorts['credential'];
}

/** What the built-in steps of a run get of the world; one call makes those of one effect. */
export function createHandlerPorts({ signal, policy, credential }: HandlerPortsOf): HandlerPorts {
  return {
    http: createHttp(policy, signal),
    mail: createMail(policy, signal),
    composeMail,
    postgres: createPostgres(policy, signal),
    credential,
    crypto: nodeCrypto,
    archives: nodeArchives,
    pause: (ms) => wait(Math.min(Math.max(0, ms), MAX_TIMER_MS), undefined, { signal }),
  };
}
