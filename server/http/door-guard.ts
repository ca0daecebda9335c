import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/** What a listener goes by when it decides whether a request is meant for it. */
export interface Door {
  knows(hostName: string): boolean;
  /** Origins of other addresses whose pages may ask; `*` = every one. */
  readonly origins: readonly string[];
  /** When a Referer stands in for a missing Origin. */
  readonly refererFor: 'every request' | 'changes';
}

/** What of a request is foreign to the listener; undefined = nothing. */
export type Foreign = 'host' | 'origin' | undefined;

// DNS rebinding needs a name that the browser looks up, and it looks up none of these.
const LOOPBACK_NAMES: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]', '::1']);
const WILDCARDS: ReadonlySet<string> = new Set(['0.0.0.0', '::', '[::]', '*', '']);
const CHANGING: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
const NAME_AND_PORT = /^(\[[\da-f:.]+\]|[^\s:@/,[\]]+)(?::\d{0,5})?$/;

/** True for an address that only this machine reaches. */
export function isLoopbackHost(host: string): boolean {
  const name = host.trim().toLowerCase();
  return LOOPBACK_NAMES.has(name) || (name.startsWith('127.') && isIP(name) === 4);
}

/** The name of a Host header in lower case, without its port; undefined when it is malformed. */
function nameOf(host: string): string | undefined {
  const plain = host.toLowerCase();
  return plain === '::1' ? plain : NAME_AND_PORT.exec(plain)?.[1];
}

function bracketed(address: string): string {
  return isIP(address) === 6 ? `[${address.toLowerCase()}]` : address.toLowerCase();
}

/**
 * The names that a listener answers to: loopback's, the address that it is bound to, and those that
 * the operator lists. One that is bound to every address also answers to any address in numbers,
 * which nobody can rebind; every other name has to be listed.
 */
export function knownNames(
  bound: string,
  listed: readonly string[],
): (hostName: string) => boolean {
  const names = new Set(LOOPBACK_NAMES);
  for (const item of listed) names.add(nameOf(item) ?? item.toLowerCase());
  const everywhere = WILDCARDS.has(bound);
  if (!everywhere) names.add(bracketed(bound));
  return (name) => {
    if (names.has(name)) return true;
    return everywhere && isIP(name.replaceAll(/[[\]]/g, '')) !== 0;
  };
}

/** Node keeps the first of several Host headers; a proxy before us may go by the last. */
function hostOf(request: Pick<IncomingMessage, 'headers' | 'rawHeaders'>): string | undefined {
  let count = 0;
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    if (request.rawHeaders[index]?.toLowerCase() === 'host') count += 1;
  }
  return count > 1 ? undefined : request.headers.host;
}

function originOf(request: Pick<IncomingMessage, 'headers' | 'method'>, door: Door) {
  const { origin, referer } = request.headers;
  if (origin !== undefined) return origin;
  const counts = door.refererFor === 'every request' || CHANGING.has(request.method ?? 'GET');
  if (referer === undefined || !counts) return undefined;
  return URL.canParse(referer) ? new URL(referer).origin : 'null';
}

/** True when a page of this origin was loaded from the very address that the request names. */
function isOwnOrigin(origin: string, host: string): boolean {
  if (!/^https?:\/\/./i.test(origin) || !URL.canParse(origin)) return false;
  const url = new URL(origin);
  const standard = url.protocol === 'https:' ? /:443$/ : /:80$/;
  return url.host !== '' && url.host === host.toLowerCase().replace(standard, '');
}

/** A browser says of a request without Origin (an image, a script, a frame) where its page is from. */
function isEmbeddedElsewhere(headers: IncomingMessage['headers']): boolean {
  const site = headers['sec-fetch-site'];
  return (
    (site === 'cross-site' || site === 'same-site') && headers['sec-fetch-mode'] !== 'navigate'
  );
}

/**
 * Finds what makes a request one that a web page steers: a name that is none of the listener's (DNS
 * rebinding), or an origin that is not the address it asks (platform.md 1.1, decisions 33 and 45).
 * Every listener asks this before anything else, whether or not it wants a key.
 */
export function findForeign(
  request: Pick<IncomingMessage, 'headers' | 'rawHeaders' | 'method'>,
  door: Door,
): Foreign {
  const host = hostOf(request);
  const name = host === undefined ? undefined : nameOf(host);
  if (host === undefined || name === undefined || !door.knows(name)) return 'host';
  const origin = originOf(request, door);
  if (origin === undefined) return isEmbeddedElsewhere(request.headers) ? 'origin' : undefined;
  const listed = door.origins.includes('*') || door.origins.includes(origin);
  return listed || isOwnOrigin(origin, host) ? undefined : 'origin';
}
