import { isIP, type LookupFunction } from 'node:net';
import { guardedLookup, type HttpPolicy, permittedHost } from './guarded-addresses.ts';

interface ServerAddress {
  readonly host: string;
  readonly port: number;
}

/**
 * Where to connect to a server that is no web server, when the policy lets a step ask it.
 *
 * @throws HttpFailure when the policy refuses the host
 */
export function guardedAddress(
  { host, port }: ServerAddress,
  policy: HttpPolicy,
): ServerAddress & { readonly lookup: LookupFunction } {
  const url = URL.parse(`tcp://${isIP(host) === 6 ? `[${host}]` : host}:${port}`);
  if (url === null) throw new Error('The host or the port of the server is no address');
  return { host, port, lookup: guardedLookup(permittedHost(url, policy), policy) };
}

/** What the system or a server says of a failure. */
export function wordsOf(error: unknown): string {
  const [cause = error] = error instanceof AggregateError ? (error.errors as unknown[]) : [error];
  return cause instanceof Error ? cause.message : String(cause);
}
