import type { FastifyRequest } from 'fastify';
import type { SignInWays } from '../contract/gateway/sign-in.ts';
import type { Connection } from './connection.ts';
import type { GatewayErrorCode } from './gateway-errors.ts';

/** What the gateway's own pages ask about on a team's server. */
export interface TeamDoor {
  /** Services of the connection ask who somebody is. */
  readonly isTeam: boolean;
  /** True for somebody who is signed in at one of them. */
  isKnown(request: FastifyRequest): Promise<boolean>;
  ways(request: FastifyRequest): SignInWays;
}

/** How people sign in at the services of a connection. */
export function signInWaysOf({ targets }: Connection, link: boolean): SignInWays {
  const services = (['studio', 'dashboard'] as const).flatMap((service) => {
    const signIn = targets[service]?.signIn;
    return signIn === undefined ? [] : [{ service, ...signIn }];
  });
  return { services, link };
}

/**
 * Why somebody without the link may not have one of the gateway's own pages; undefined when they
 * may. The program itself is for everybody, since it asks there who somebody is; what it says of its
 * services is for people who are signed in, keys and links are for its owner.
 */
export async function admitToTeam(
  team: TeamDoor,
  request: FastifyRequest,
): Promise<GatewayErrorCode | undefined> {
  const { url } = request.routeOptions;
  if (url === '/gateway/sign-in-ways') return undefined;
  if (url === '/gateway/status' || url === '/gateway/status/stream') {
    return (await team.isKnown(request)) ? undefined : 'sign_in_required';
  }
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  return isRead && !request.url.startsWith('/gateway') ? undefined : 'link_required';
}
