import { connect, isIP, type Socket } from 'node:net';
import { guardedLookup, type HttpPolicy, permittedHost } from './guarded-addresses.ts';

/**
 * Connects to a server that is no web server, when the policy lets a step ask it. It is gone when `signal`
 * aborts.
 *
 * @throws HttpFailure when the policy refuses the host
 */
export function guardedSocket(
  { host, port }: { readonly host: string; readonly port: number },
  policy: HttpPolicy,
  signal: AbortSignal,
): Socket {
  const name = isIP(host) === 6 ? `[${host}]` : host;
  const url = URL.parse(`tcp://${name}:${port}`);
  if (url === null) throw new Error('The host or the port of the server is no address');
  const permitted = permittedHost(url, policy);
  return connect({ host, port, lookup: guardedLookup(permitted, policy), signal });
}
