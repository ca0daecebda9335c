import type { FastifyRequest } from 'fastify';
import { refuse } from '../../contract/studio/errors.ts';
import { type Door, findForeign, isLoopbackHost } from '../../http/door-guard.ts';

const FORWARDING = ['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'forwarded'];

function isLoopbackSocket(address: string | undefined): boolean {
  return address === undefined || isLoopbackHost(address.replace(/^::ffff:/, ''));
}

/**
 * Checks of studio.md 4.4 in their order, for a studio without sign-in: only this machine, nothing
 * forwarded, a known Host, and no page of another origin (decisions 45: for reads too).
 */
export function guardNetwork(door: Door, request: FastifyRequest): void {
  if (!isLoopbackSocket(request.raw.socket.localAddress)) throw refuse('unauthenticated_bind');
  if (FORWARDING.some((name) => request.headers[name] !== undefined)) {
    throw refuse('unauthenticated_proxy');
  }
  const path = request.originalUrl.split('?')[0] ?? '/';
  if (path === '/api/readyz') return;
  const foreign = findForeign(request.raw, door);
  if (foreign === 'host') throw refuse('host_not_allowed');
  if (foreign === 'origin') throw refuse('cross_origin_refused');
}
