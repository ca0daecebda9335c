import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { HandlerInput, Route, SuccessBody } from '../contract/route.ts';
import type { Refusal } from '../kernel/refusal.ts';
import { type Answer, isAnswer } from './answer.ts';
import { installBodyParser } from './body-parser.ts';
import type { AccessEntry, HttpProfile, RequestContext } from './http-profile.ts';
import { loggedParams, loggedPath, loggedText } from './logged-request.ts';
import { parseInput } from './parse-input.ts';
import { sendAnswer, sendRefusal } from './replies.ts';
import { trackRequests } from './request-drain.ts';
import { RouteTable } from './route-table.ts';
import {
  answerUnreadable,
  KEPT_MS,
  LISTENER_LIMITS,
  REQUEST_MS,
  serveUnknownExpectations,
  type UnreadableAnswer,
} from './unreadable-request.ts';
import type { Issue } from './validation-issues.ts';

/** Serves one operation. Throws a Refusal to refuse; anything else is the internal error. */
export type Handler<R extends Route, P> = (
  input: HandlerInput<R>,
  context: RequestContext<P>,
) => SuccessBody<R> | Answer<SuccessBody<R>> | Promise<SuccessBody<R> | Answer<SuccessBody<R>>>;

/** The HTTP side of one service. */
export interface HttpApp<P> {
  /** Binds a contract route at every prefix of the profile. */
  implement<R extends Route>(route: R, handler: Handler<R, P>): void;
  /** For the rare thing that is no contract route (metrics, static UI, streams). */
  readonly fastify: FastifyInstance;
  /** Binds a GET that is no contract route; other methods of its path are refused as those of a route. */
  serve(path: string, handler: (request: FastifyRequest, reply: FastifyReply) => unknown): void;
  /** Starts listening; port 0 picks a free one. */
  listen(host: string, port: number): Promise<{ url: string; port: number }>;
  /**
   * Takes no new request and waits for those in progress, at most `graceMs` (ten seconds); a
   * connection that carries none is closed at once.
   */
  close(graceMs?: number): Promise<void>;
}

const UNREADABLE: Issue = {
  loc: ['header'],
  msg: 'The request cannot be read',
  type: 'value_error',
};

function pathOf(request: FastifyRequest): string {
  return request.originalUrl.split('?')[0] ?? '/';
}

/**
 * The router accepts an empty segment as the value of a parameter; no path of a contract has one.
 */
function hasEmptySegment(request: FastifyRequest): boolean {
  const { params } = request;
  return typeof params === 'object' && params !== null && Object.values(params).includes('');
}

/** True once the handler has taken the socket over (streams). */
function isHijacked(reply: FastifyReply): boolean {
  return reply.sent;
}

function contextOf<P>(
  request: FastifyRequest,
  reply: FastifyReply,
  principal: P,
  signal: AbortSignal,
): RequestContext<P> {
  const headers: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return { requestId: String(request.id), principal, headers, signal, raw: request, reply };
}

function abortOnDisconnect(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableEnded) controller.abort();
  });
  return controller.signal;
}

function accessEntry(request: FastifyRequest, reply: FastifyReply): AccessEntry {
  return {
    request_id: String(request.id),
    method: request.method,
    path: loggedPath(pathOf(request)),
    route: request.routeOptions.url ?? null,
    status_code: reply.statusCode,
    duration_ms: Math.round(reply.elapsedTime * 1000) / 1000,
    client_ip: request.ip,
    user_agent: loggedText(request.headers['user-agent'] ?? null),
    params: loggedParams(request.params),
    refusal: request.refusal,
  };
}

function unreadable<P>(
  profile: HttpProfile<P>,
  status: number,
  hasLeft: boolean,
): UnreadableAnswer {
  const requestId = profile.requestId(undefined);
  const refusal = profile.refusals.unreadable?.() ?? profile.refusals.invalid([UNREADABLE]);
  if (!hasLeft) {
    profile.log?.warn({ request_id: requestId, status_code: status }, 'unreadable request');
  }
  return { requestId, body: profile.envelope(refusal, requestId) };
}

/** A path with a broken escape or an endless segment names nothing. */
function refuseUnreadablePath<P>(
  profile: HttpProfile<P>,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  void reply.header('x-request-id', String(request.id));
  void sendRefusal(profile, profile.refusals.notFound(), request, reply);
}

/** Answers a path that no route has, or that its routes do not take by that method. */
function unknownPathOf<P>(profile: HttpProfile<P>, table: RouteTable) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const path = pathOf(request);
    const target = profile.trailingSlashRedirect === true ? table.withoutSlash(path) : undefined;
    if (target !== undefined) {
      const query = request.originalUrl.slice(path.length);
      return reply.redirect(`${target}${query}`, 307);
    }
    const allowed = table.methodsOf(path);
    if (allowed.length === 0) {
      return sendRefusal(profile, profile.refusals.notFound(), request, reply);
    }
    void reply.header('allow', allowed.join(', '));
    return sendRefusal(profile, profile.refusals.methodNotAllowed(allowed), request, reply);
  };
}

async function listenAt(fastify: FastifyInstance, host: string, port: number) {
  await fastify.listen({ host, port });
  const address = fastify.server.address();
  if (address === null || typeof address === 'string') throw new TypeError('no port to listen on');
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return { url: `http://${name}:${address.port}`, port: address.port };
}

/** Builds the HTTP app of a service; nothing listens until `listen`. */
export function createHttpApp<P>(profile: HttpProfile<P>): HttpApp<P> {
  const table = new RouteTable(profile.prefixes);
  const principals = new WeakMap<FastifyRequest, P>();
  const invalid = (issues: readonly Issue[]): Refusal => profile.refusals.invalid(issues);
  const unknownPath = unknownPathOf(profile, table);
  const fastify = Fastify({
    exposeHeadRoutes: false,
    bodyLimit: profile.bodyLimit,
    routerOptions: { maxParamLength: 4096 },
    forceCloseConnections: 'idle',
    requestTimeout: REQUEST_MS,
    keepAliveTimeout: KEPT_MS,
    genReqId: (raw) => {
      const incoming = raw.headers['x-request-id'];
      return profile.requestId(Array.isArray(incoming) ? incoming[0] : incoming);
    },
    rewriteUrl: (raw) => table.rewrite(raw.method ?? 'GET', raw.url ?? '/'),
    frameworkErrors: (_error, request, reply) => refuseUnreadablePath(profile, request, reply),
    http: { ...LISTENER_LIMITS, requireHostHeader: false },
    clientErrorHandler: (error, socket) =>
      answerUnreadable(error, socket, (status, left) => unreadable(profile, status, left)),
  });
  fastify.decorateRequest('refusal', null);
  serveUnknownExpectations(fastify);

  const drain = trackRequests(fastify);
  installBodyParser(fastify, {
    limit: profile.bodyLimit,
    tooLarge: () => profile.refusals.tooLarge(profile.bodyLimit),
    invalid,
    requireJsonType: profile.requireJsonType ?? false,
  });
  fastify.addHook('onRequest', async (request, reply) => {
    void reply.header('x-request-id', String(request.id));
    await profile.everyRequest?.(request, reply);
    if (request.is404 && !reply.sent) await unknownPath(request, reply);
  });
  fastify.addHook('onResponse', async (request, reply) => {
    profile.accessLog?.(accessEntry(request, reply), request);
  });
  fastify.setErrorHandler((error, request, reply) => sendRefusal(profile, error, request, reply));
  fastify.setNotFoundHandler(unknownPath);

  async function handle<R extends Route>(
    route: R,
    handler: Handler<R, P>,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply | undefined> {
    const parsed = parseInput(route, request);
    if (!parsed.ok) throw invalid(parsed.issues);
    const principal = principals.get(request);
    if (principal === undefined) throw new TypeError(`${route.id} has no principal`);
    const context = contextOf(request, reply, principal, abortOnDisconnect(reply));
    const run = async (given: RequestContext<P>): Promise<Answer<unknown>> => {
      const result = await handler(parsed.input, given);
      return isAnswer(result) ? result : { kind: 'answer', body: result, headers: {} };
    };
    const result = await (profile.around?.(route, parsed.input, context, run) ?? run(context));
    if (isHijacked(reply)) return undefined;
    return sendAnswer(reply, route, result, profile.checkResponses ?? false);
  }

  function implement<R extends Route>(route: R, handler: Handler<R, P>): void {
    for (const url of table.add(route)) {
      fastify.route({
        method: route.method,
        url,
        config: { ignoresBody: profile.unwantedBody === 'ignored' && route.body === undefined },
        onRequest: async (request, reply) => {
          if (hasEmptySegment(request)) return unknownPath(request, reply);
          if (profile.beforeBody === undefined) return;
          principals.set(request, await profile.beforeBody(route, request));
        },
        preValidation: async (request) => {
          if (profile.afterBody === undefined) return;
          principals.set(request, await profile.afterBody(route, request, principals.get(request)));
        },
        handler: (request, reply) => handle(route, handler, request, reply),
      });
    }
  }

  function serve(
    path: string,
    handler: (request: FastifyRequest, reply: FastifyReply) => unknown,
  ): void {
    table.addPath('GET', path);
    fastify.get(path, async (request, reply) => handler(request, reply));
  }

  const listen = (host: string, port: number) => listenAt(fastify, host, port);
  return { implement, fastify, serve, listen, close: drain };
}
