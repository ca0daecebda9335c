import type { IncomingHttpHeaders } from 'node:http';
import { sameSecret } from '../http/same-secret.ts';

/**
 * Where the program's own gateway says its key to a service with a sign-in. Not in `Authorization`,
 * which is for the visitor.
 */
export const GATEWAY_KEY_HEADER = 'x-specwright-gateway-key';

/** True when the gateway of this start asks. */
export function isGateway(headers: IncomingHttpHeaders, key: string | undefined): boolean {
  const given = headers[GATEWAY_KEY_HEADER];
  return key !== undefined && typeof given === 'string' && sameSecret(given, key);
}
