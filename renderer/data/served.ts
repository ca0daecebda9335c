import type { Route } from '../../server/contract/route.ts';
import { SERVED_META, type Served, served } from '../../server/contract/served.ts';

const AT_GATEWAY: Served = { service: 'gateway', sign_in: 'none', provider: null };

function readServed(): Served {
  const content = globalThis.document?.querySelector<HTMLMetaElement>(
    `meta[name="${SERVED_META}"]`,
  )?.content;
  return content === undefined ? AT_GATEWAY : served.parse(JSON.parse(content));
}

/** What the page says of the address that served it. */
export const SERVED = readServed();

/** True where the service answers at the address that served this window. */
export function isServed(service: Route['service']): boolean {
  return SERVED.service === 'gateway' || SERVED.service === service;
}
