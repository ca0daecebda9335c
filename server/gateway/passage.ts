import type { IncomingMessage } from 'node:http';
import type { Connection, ForwardedPath } from './connection.ts';
import type { GatewayErrorCode } from './gateway-errors.ts';
import { isProbe, mayAskPlatform } from './platform-rights.ts';
import type { Visit, Visitors } from './visitor.ts';

/** Whether a request goes on to its service, and as whose. */
export type Passage =
  | { readonly kind: 'forward'; readonly visit?: Visit }
  | { readonly kind: 'refused'; readonly code: GatewayErrorCode };

const refused = (code: GatewayErrorCode): Passage => ({ kind: 'refused', code });

/** Who may pass on a team's server, where services ask who somebody is (decision record 0028). */
export class Passages {
  readonly #connection: Connection;
  readonly #visitors: Visitors;

  constructor(connection: Connection, visitors: Visitors) {
    this.#connection = connection;
    this.#visitors = visitors;
  }

  /**
   * Decides for a request that the door has nothing against. `refusal` is why it has no session of
   * the link; undefined = it has one.
   */
  async of(
    request: IncomingMessage,
    path: ForwardedPath,
    refusal: GatewayErrorCode | undefined,
  ): Promise<Passage> {
    if (this.#connection.targets[path.service]?.signIn !== undefined) {
      const visit = this.#visitors.visitOf(request, path.service);
      return visit === undefined ? refused('untrusted_forwarding') : { kind: 'forward', visit };
    }
    const isPlatform = path.service === 'platform';
    if (isPlatform && isProbe(request.method ?? 'GET', path.rest)) {
      return refusal === undefined || this.#visitors.services.length > 0
        ? { kind: 'forward' }
        : refused(refusal);
    }
    // Whoever signed in at a service has the dashboard for what runs.
    if (refusal !== undefined) {
      return refused(this.#visitors.services.length === 0 ? refusal : 'link_required');
    }
    return isPlatform ? this.#toPlatform(request) : { kind: 'forward' };
  }

  /** Where the dashboard lets everybody in as one operator, that one does no more by another way. */
  async #toPlatform(request: IncomingMessage): Promise<Passage> {
    const operator = await this.#visitors.everybody();
    if (operator === undefined) return { kind: 'forward' };
    // Without an answer nobody knows what was taken from the operator, so nothing is let through.
    if (operator === 'unreached') return refused('rights_unknown');
    const may = mayAskPlatform(request.method ?? 'GET', operator);
    return may ? { kind: 'forward' } : refused('role_refused');
  }
}
