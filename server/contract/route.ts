import type { z } from 'zod';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'DELETE';
export type AnySchema = z.ZodType;
export type Responses = Readonly<Record<number, AnySchema | null>>;

/**
 * One operation of a service, declared once: the server binds a handler to it, the typed client
 * calls it, the OpenAPI document is written from it.
 */
export interface Route {
  /** Operation id: unique in the service. */
  readonly id: string;
  readonly service: 'platform' | 'dashboard' | 'studio' | 'gateway';
  readonly method: HttpMethod;
  /** Path with `{name}` parameters, without the service's mount prefix; `{name+}` is greedy. */
  readonly path: string;
  readonly summary: string;
  readonly params: z.ZodObject | undefined;
  readonly query: z.ZodObject | undefined;
  readonly body: AnySchema | undefined;
  /** False: the operation works without a body (an empty body is `undefined`). */
  readonly bodyRequired: boolean;
  /** Status → body schema; null = no body. The first 2xx is the success. */
  readonly responses: Responses;
  /** Error codes the operation may answer beside the general ones of its service. */
  readonly errors: readonly string[];
  /** What a caller must hold: a scope (platform), a capability (dashboard), a role (studio); null = anybody. */
  readonly access: string | null;
  /** Free-form per-service facts read by hooks, such as the idempotency scope. */
  readonly meta: Readonly<Record<string, unknown>>;
}

export interface TypedRoute<
  Params extends z.ZodObject | undefined,
  Query extends z.ZodObject | undefined,
  Body extends AnySchema | undefined,
  Res extends Responses,
> extends Route {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly responses: Res;
}

/** What a declaration says; the rest of a route has its usual value. */
type RouteInit<Params, Query, Body, Res> = Pick<Route, 'path' | 'summary' | 'access'> &
  Partial<Pick<Route, 'bodyRequired' | 'errors' | 'meta'>> & {
    readonly params?: Params;
    readonly query?: Query;
    readonly body?: Body;
    readonly responses: Res;
  };

function routesBy(service: Route['service'], method: HttpMethod) {
  return <
    const Res extends Responses,
    Params extends z.ZodObject | undefined = undefined,
    Query extends z.ZodObject | undefined = undefined,
    Body extends AnySchema | undefined = undefined,
  >(
    id: string,
    init: RouteInit<Params, Query, Body, Res>,
  ): TypedRoute<Params, Query, Body, Res> => ({
    bodyRequired: init.body !== undefined,
    errors: [],
    meta: {},
    ...init,
    id,
    service,
    method,
    params: init.params as Params,
    query: init.query as Query,
    body: init.body as Body,
  });
}

function routesOf(service: Route['service']) {
  return {
    get: routesBy(service, 'GET'),
    post: routesBy(service, 'POST'),
    put: routesBy(service, 'PUT'),
    delete: routesBy(service, 'DELETE'),
  };
}

/**
 * Declare an operation of the service, with its method and its id. Nothing is registered here:
 * `server/http` implements, `renderer/data` calls.
 * @example export const getMe = studioRoute.get('get_me', { path: '/me', … });
 */
export const platformRoute = routesOf('platform');
export const dashboardRoute = routesOf('dashboard');
export const studioRoute = routesOf('studio');
export const gatewayRoute = routesOf('gateway');

type OutputOf<S> = S extends z.ZodType ? z.output<S> : undefined;
type InputOf<S> = S extends z.ZodType ? z.input<S> : undefined;
type SuccessStatus = 200 | 201 | 202 | 204 | 302 | 303;

/** What a handler receives: parsed values with defaults filled in. */
export type HandlerInput<R extends Route> = {
  readonly params: OutputOf<R['params']>;
  readonly query: OutputOf<R['query']>;
  readonly body: OutputOf<R['body']>;
};

/** What a client passes. */
export type ClientInput<R extends Route> = {
  readonly params?: InputOf<R['params']>;
  readonly query?: InputOf<R['query']>;
  readonly body?: InputOf<R['body']>;
};

/** The body of any success status of the route. */
export type SuccessBody<R extends Route> = {
  [Status in keyof R['responses']]: Status extends SuccessStatus
    ? OutputOf<R['responses'][Status]>
    : never;
}[keyof R['responses']];
