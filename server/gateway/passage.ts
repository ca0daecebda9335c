import type { IncomingMessage } from 'node:http';
import type { Log } from '../kernel/log.ts';
import type { Connection, ForwardedPath } from './connection.ts';
import type { GatewayErrorCode } from './gateway-errors.ts';
import { platformRightOf } from './platform-rights.ts';
import type { Unknown, Visit, Visitors } from './visitor.ts';

/** Whether a request goes on to its service, and as whose. */
export type Passage =
  | { readonly kind: 'forward'; readonly visit?: Visit }
  | { readonly kind: 'refused'; readonly code: GatewayErrorCode };

const UNKNOWN: Readonly<Record<Unknown, GatewayErrorCode>> = {
  nobody: 'sign_in_required',
  unreached: 'connection_unreachable',
  untrusted: 'untrusted_forwarding',
};

const refused = (code: GatewayErrorCode): Passage => ({ kind: 'refused', code });

/** Who may pass on a team's server, where services ask who somebody is (decision record 0028). */
export class Passages {
  readonly #connection: Connection;
  readonly #visitors: Visitors;
  readonly #log: Log;

  constructor(connection: Connection, visitors: Visitors, log: Log) {
    this.#connection = connection;
    this.#visitors = visitors;
    this.#log = log;
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
    if (refusal === undefined) return { kind: 'forward' };
    if (this.#visitors.services.length === 0) return refused(refusal);
    return path.service === 'platform' ? this.#toPlatform(request, path) : refused('link_required');
  }

  /** The dashboard knows operators and their roles; the platform behind it only the one key. */
  async #toPlatform(request: IncomingMessage, path: ForwardedPath): Promise<Passage> {
    const right = platformRightOf(request.method ?? 'GET', path.rest);
    if (right === undefined) return refused('link_required');
    if (right.kind === 'open') return { kind: 'forward' };
    if (!this.#visitors.services.includes('dashboard')) return refused('link_required');
    const operator = await this.#visitors.operatorOf(request);
    if (typeof operator === 'string') return refused(UNKNOWN[operator]);
    const { capability } = right;
    const lacks = capability !== undefined && !operator.capabilities.includes(capability);
    if (operator.isLimited || lacks) return refused('role_refused');
    if (capability !== undefined) {
      this.#log.info(
        {
          request_id: request.headers['x-request-id'],
          operator: operator.identity,
          action: capability,
          path: path.rest.split('?')[0],
        },
        'an operator acts at the platform',
      );
    }
    return { kind: 'forward' };
  }
}
