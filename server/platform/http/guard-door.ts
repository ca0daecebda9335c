import type { IncomingMessage } from 'node:http';
import { type Door, findForeign } from '../../http/door-guard.ts';
import { refuse } from '../refuse.ts';

const EXEMPT = /^(?:\/v1)?\/(?:healthz|livez|readyz|metrics)\/?$/;

/**
 * A web page must not steer the service: a foreign Host name or a foreign Origin (else Referer) is
 * refused (contract/platform.md 1.1), with and without authentication (decisions 45).
 * @throws Refusal forbidden.
 */
export function guardDoor(path: string, request: IncomingMessage, door: Door): void {
  if (EXEMPT.test(path)) return;
  const foreign = findForeign(request, door);
  if (foreign === 'host') {
    throw refuse('forbidden', {
      message:
        'The platform does not answer to this host name. Use its own address, or list the name in SERV_ALLOWED_HOSTS.',
    });
  }
  if (foreign === 'origin') {
    throw refuse('forbidden', { message: 'Requests from other web origins are refused.' });
  }
}
