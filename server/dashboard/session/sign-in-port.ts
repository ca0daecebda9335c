import type { FastifyRequest } from 'fastify';
import type { Role } from '../access/capabilities.ts';

/** What a route that ends in another page answers. */
export interface Redirect {
  readonly location: string;
  readonly cookies: readonly string[];
}

/** What an identity provider sends back through the browser. */
export interface Returned {
  readonly code?: string | undefined;
  readonly state?: string | undefined;
  readonly iss?: string | undefined;
  readonly error?: string | undefined;
}

/** How operators sign in, as the routes and the checks of a request see it. */
export interface SignInPort {
  /** Sends a browser to the provider. */
  start(): Promise<Redirect>;
  /** Takes a browser back, with a session. @throws Refusal that says why not */
  finish(given: Returned, request: FastifyRequest): Promise<Redirect>;
  /** Who asks, by the session of the request. @throws Refusal `unauthorized` */
  identify(request: FastifyRequest): Promise<{ readonly identity: string; readonly role: Role }>;
  /** Ends the session of a request, if it has one. */
  end(request: FastifyRequest): Promise<void>;
}
