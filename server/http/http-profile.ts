import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Route } from '../contract/route.ts';
import type { Log } from '../kernel/log.ts';
import type { Refusal } from '../kernel/refusal.ts';
import type { Answer } from './answer.ts';
import type { Issue } from './validation-issues.ts';

/** What a handler knows of its request beside the parsed input. */
export interface RequestContext<P> {
  readonly requestId: string;
  readonly principal: P;
  /** Lower-case header names; repeated headers joined. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Aborted when the client leaves before the answer is complete. */
  readonly signal: AbortSignal;
  readonly raw: FastifyRequest;
  readonly reply: FastifyReply;
}

/** How a service says the failures that the plumbing finds. */
export interface GeneralRefusals {
  notFound(): Refusal;
  methodNotAllowed(allow: readonly string[]): Refusal;
  tooLarge(limit: number): Refusal;
  invalid(issues: readonly Issue[]): Refusal;
  internal(): Refusal;
  storeUnavailable?(): Refusal;
  /** Bytes that are no HTTP request, headers over the limit; `invalid` when absent. */
  unreadable?(): Refusal;
}

/** One finished request. */
export interface AccessEntry {
  readonly request_id: string;
  readonly method: string;
  readonly path: string;
  readonly route: string | null;
  readonly status_code: number;
  readonly duration_ms: number;
  readonly client_ip: string;
  readonly user_agent: string | null;
  /** Decoded parameters of the path. */
  readonly params: Readonly<Record<string, unknown>>;
  /** Why it was refused. */
  readonly refusal: Refusal | null;
}

/** What distinguishes one service's HTTP side from another's; the order of its fields is the order of the checks. */
export interface HttpProfile<P> {
  /** Every route is mounted at each of these, such as `/v1` and the empty prefix. */
  readonly prefixes: readonly string[];
  /** Bytes; a declared or chunked body above it is refused before anything else looks at it. */
  readonly bodyLimit: number;
  /** Names the request; sent as X-Request-ID on every response. */
  requestId(incoming: string | undefined): string;
  /** Body of every refusal. */
  envelope(failure: Refusal, requestId: string): unknown;
  /** Extra headers of a refusal, such as WWW-Authenticate. */
  refusalHeaders?(failure: Refusal): Readonly<Record<string, string>>;
  readonly refusals: GeneralRefusals;
  /** Every request, unknown paths included: guards and security headers. */
  everyRequest?(request: FastifyRequest, reply: FastifyReply): void | Promise<void>;
  /** After the route is known and before the body is read; returns the principal. */
  beforeBody?(route: Route, request: FastifyRequest): P | Promise<P>;
  /** After the body was read as JSON and before it is validated; returns the principal. */
  afterBody?(route: Route, request: FastifyRequest, principal: P | undefined): P | Promise<P>;
  /** Around the handler, after validation: idempotency. `next` may hand on another context. */
  around?(
    route: Route,
    input: unknown,
    context: RequestContext<P>,
    next: (context: RequestContext<P>) => Promise<Answer<unknown>>,
  ): Promise<Answer<unknown>>;
  accessLog?(entry: AccessEntry, request: FastifyRequest): void;
  readonly log?: Log;
  /** Redirect (307) a known path with a trailing slash to the one without. */
  readonly trailingSlashRedirect?: boolean;
  /** A non-empty body of another content type than JSON is a finding. */
  readonly requireJsonType?: boolean;
  /** `ignored`: a route that declares no body does not look at one; else it must be JSON. */
  readonly unwantedBody?: 'ignored' | 'checked';
  /** Tests: an answer outside the route's schema is an internal error. */
  readonly checkResponses?: boolean;
}
