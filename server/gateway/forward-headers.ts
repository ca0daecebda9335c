import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { CONNECTION_HEADER } from '../contract/gateway/connections.ts';
import { GATEWAY_KEY_HEADER } from '../identity/gateway-key.ts';
import { withoutTrailingSlashes } from '../kernel/trailing-slashes.ts';
import type { ServiceName, Target } from './connection.ts';
import { targetHeaders, type Visit, visitHeaders } from './visitor.ts';
import { intoJar } from './visitor-cookies.ts';

const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** What must not reach a target: who asked from where, and any credential of the window. */
const REQUEST_ONLY_HERE = new Set([
  'origin',
  'referer',
  'cookie',
  'authorization',
  'forwarded',
  'host',
  CONNECTION_HEADER,
  GATEWAY_KEY_HEADER,
]);

/** What stays in the gateway: a session of the target belongs to the connection. */
const RESPONSE_ONLY_HERE = new Set(['set-cookie', 'location']);

function namedByConnection(headers: IncomingHttpHeaders): Set<string> {
  const names = (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase());
  return new Set(names);
}

const WITH_BODY = new Set(['POST', 'PUT', 'PATCH']);

/** Headers of the forwarded request (decisions 31). */
export function requestHeaders(
  method: string,
  headers: IncomingHttpHeaders,
  target: Target,
  requestId: string,
  visit?: Visit | undefined,
): OutgoingHttpHeaders {
  const named = namedByConnection(headers);
  const kept: OutgoingHttpHeaders = {};
  for (const [name, value] of Object.entries(headers)) {
    const drop =
      HOP_BY_HOP.has(name) ||
      REQUEST_ONLY_HERE.has(name) ||
      name.startsWith('x-forwarded-') ||
      name.startsWith('sec-fetch-') ||
      named.has(name);
    if (!drop && value !== undefined) kept[name] = value;
  }
  kept['host'] = new URL(target.baseUrl).host;
  kept['x-request-id'] = requestId;
  Object.assign(kept, targetHeaders(target));
  if (headers['transfer-encoding'] !== undefined) kept['transfer-encoding'] = 'chunked';
  else if (kept['content-length'] === undefined && WITH_BODY.has(method))
    kept['content-length'] = '0';
  return visit === undefined ? kept : { ...kept, ...visitHeaders(visit) };
}

/** The gateway path that a target's Location means; undefined when it leads elsewhere. */
export function gatewayLocation(
  location: string,
  service: ServiceName,
  target: Target,
  requestUrl: string,
): string | undefined {
  const base = new URL(target.baseUrl);
  const basePath = withoutTrailingSlashes(base.pathname);
  if (!URL.canParse(location, requestUrl)) return undefined;
  const meant = new URL(location, requestUrl);
  if (meant.origin !== base.origin || !meant.pathname.startsWith(`${basePath}/`)) return undefined;
  return `/${service}${meant.pathname.slice(basePath.length)}${meant.search}${meant.hash}`;
}

/** What a service with a sign-in of its own keeps in the browser, under the gateway's names. */
export function cookiesOf(headers: IncomingHttpHeaders, { jar, isHttps }: Visit): string[] {
  return (headers['set-cookie'] ?? []).flatMap((given) => intoJar(given, jar, isHttps) ?? []);
}

/** Headers of the target's answer that the client may see. */
export function responseHeaders(
  headers: IncomingHttpHeaders,
  location: string | undefined,
  visit?: Visit | undefined,
): OutgoingHttpHeaders {
  const named = namedByConnection(headers);
  const kept: OutgoingHttpHeaders = {};
  for (const [name, value] of Object.entries(headers)) {
    const drop =
      HOP_BY_HOP.has(name) ||
      RESPONSE_ONLY_HERE.has(name) ||
      name.startsWith('access-control-') ||
      named.has(name);
    if (!drop && value !== undefined) kept[name] = value;
  }
  if (location !== undefined) kept['location'] = location;
  const cookies = visit === undefined ? [] : cookiesOf(headers, visit);
  return cookies.length === 0 ? kept : { ...kept, 'set-cookie': cookies };
}
