import type { FastifyRequest } from 'fastify';
import { refuse } from '../../contract/studio/errors.ts';
import type { StudioConfig } from '../config.ts';

const LOCAL_NAMES = new Set(['localhost', '127.0.0.1', '[::1]', '::1']);
const FORWARDING = ['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'forwarded'];
const CHANGING = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

function isLoopback(address: string | undefined): boolean {
  if (address === undefined) return true;
  const plain = address.startsWith('::ffff:') ? address.slice(7) : address;
  return plain === '::1' || plain.startsWith('127.');
}

/** The name of a Host header, without its port. */
function hostName(header: string): string {
  if (header.startsWith('[')) return header.slice(0, header.indexOf(']') + 1).toLowerCase();
  const colon = header.indexOf(':');
  const single = colon !== -1 && colon === header.lastIndexOf(':');
  return (single ? header.slice(0, colon) : header).toLowerCase();
}

function originOf(request: FastifyRequest): string | undefined {
  const origin = request.headers.origin;
  if (origin !== undefined) return origin;
  const referer = request.headers.referer;
  if (referer === undefined) return undefined;
  return URL.canParse(referer) ? new URL(referer).origin : referer;
}

function isSameHost(origin: string, host: string | undefined): boolean {
  return URL.canParse(origin) && host !== undefined && new URL(origin).host === host.toLowerCase();
}

/**
 * Checks of studio.md 4.4 in their order, for a studio without sign-in: only this machine, nothing
 * forwarded, a known Host, and no page of another origin may change anything.
 */
export function guardNetwork(config: StudioConfig, request: FastifyRequest): void {
  if (!isLoopback(request.raw.socket.localAddress)) throw refuse('unauthenticated_bind');
  if (FORWARDING.some((name) => request.headers[name] !== undefined)) {
    throw refuse('unauthenticated_proxy');
  }
  const path = request.originalUrl.split('?')[0] ?? '/';
  if (path === '/api/readyz') return;
  const host = request.headers.host ?? '';
  const name = hostName(host);
  const allowed = config.allowedHosts.some((item) => hostName(item) === name);
  if (!LOCAL_NAMES.has(name) && !allowed) throw refuse('host_not_allowed');
  if (!CHANGING.has(request.method) || !path.startsWith('/api/')) return;
  const origin = originOf(request);
  if (origin === undefined || config.corsOrigins.includes(origin)) return;
  if (!isSameHost(origin, host)) throw refuse('cross_origin_refused');
}
