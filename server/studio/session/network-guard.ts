import type { FastifyRequest } from 'fastify';
import { refuse } from '../../contract/studio/errors.ts';
import { type Door, findForeign, isLoopbackHost } from '../../http/door-guard.ts';
import { isLocal } from '../../identity/forwarding.ts';
import type { StudioDeps } from '../deps.ts';

function isLoopbackSocket(address: string | undefined): boolean {
  return address === undefined || isLoopbackHost(address.replace(/^::ffff:/, ''));
}

/**
 * Checks of studio.md 4.4 in their order. Without sign-in only this machine may ask and nothing may
 * be forwarded; with it a client elsewhere needs a declared cap. A known Host, and no page of
 * another origin (decisions 45: for reads too), in every mode.
 */
export function guardNetwork(
  { signIn, config }: Pick<StudioDeps, 'signIn' | 'config'>,
  door: Door,
  request: FastifyRequest,
): void {
  const origin = signIn.originOf(request.raw);
  if (signIn.mode === 'none') {
    if (!isLoopbackSocket(request.raw.socket.localAddress)) throw refuse('unauthenticated_bind');
    if (origin.isForwarded && (origin.isUntrusted || !isLocal(origin))) {
      throw refuse('unauthenticated_proxy');
    }
  } else if (!isLocal(origin) && !config.isCapDeclared) throw refuse('deployment_cap_required');
  const path = request.originalUrl.split('?')[0] ?? '/';
  if (path === '/api/readyz') return;
  const foreign = findForeign(request.raw, door);
  if (foreign === 'host') throw refuse('host_not_allowed');
  if (foreign === 'origin') throw refuse('cross_origin_refused');
}
