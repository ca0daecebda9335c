import { z } from 'zod';
import { gatewayRoute } from '../route.ts';

const ownSignIn = z.object({
  service: z.enum(['studio', 'dashboard']),
  mode: z.enum(['static', 'oidc']),
  /** The identity provider's name for people; null where there are passwords. */
  provider: z.string().nullable(),
});

/** A service that asks who somebody is, and how. */
export type SignInWay = z.output<typeof ownSignIn>;

/** How people sign in here. */
export const signInWays = z
  .object({
    /** Empty on a computer of one person: there the link of the program is the way in. */
    services: z.array(ownSignIn),
    /** This browser came by the link of who runs the program: what asks nobody is open to it. */
    link: z.boolean(),
  })
  .meta({ id: 'SignInWays' });

export type SignInWays = z.output<typeof signInWays>;

export const getSignInWays = gatewayRoute.get('getSignInWays', {
  path: '/sign-in-ways',
  summary: 'The services that ask who somebody is; on a team’s server for everybody',
  responses: { 200: signInWays },
  access: null,
});
