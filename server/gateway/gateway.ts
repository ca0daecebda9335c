import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import { BlockList, isIP } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { CONNECTION_HEADER } from '../contract/gateway/connections.ts';
import { isProgramPath } from '../contract/served.ts';
import { knownNames } from '../http/door-guard.ts';
import { isOneOf } from '../http/same-secret.ts';
import { endOverBody } from '../http/unread-body.ts';
import {
  answerUnreadable,
  KEPT_MS,
  LISTENER_LIMITS,
  REQUEST_MS,
} from '../http/unreadable-request.ts';
import { bearerOf } from '../identity/request-bearer.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Ids } from '../kernel/ids.ts';
import type { Log } from '../kernel/log.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { RunningService } from '../kernel/running-service.ts';
import { type Admission, type AdmissionRules, admit } from './admission.ts';
import { type Connection, type ForwardedPath, parseForwardedPath } from './connection.ts';
import { createForwarder } from './forward.ts';
import {
  type GatewayErrorCode,
  gatewayEnvelope,
  isGatewayCode,
  refuseAtGateway,
} from './gateway-errors.ts';
import type { ModelKeys } from './model-keys.ts';
import { Passages } from './passage.ts';
import type { RemoteSecrets } from './remotes/remote-secrets.ts';
import { type ConnectionBook, Remotes } from './remotes/remotes.ts';
import { Statuses } from './remotes/statuses.ts';
import type { AskSystemProxy } from './remotes/system-proxy.ts';
import type { StoredSecretsDesk } from './secrets.ts';
import { createSignIn, type SignInLimits } from './sign-in.ts';
import { signInWaysOf } from './team-door.ts';
import type { TrustedFolderDesk } from './trusted-folders.ts';
import { createUiApp } from './ui-app.ts';
import { Visitors } from './visitor.ts';

export interface GatewayOptions {
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  readonly connection: Connection;
  /** Folder of the built renderer; without an index.html there the gateway only forwards. */
  readonly uiFolder: string;
  /** The shell's window, when there is one. */
  readonly window: { readonly origin: string; readonly token: string } | undefined;
  /** Names that the listener answers to beside its own. */
  readonly allowedHosts: readonly string[];
  /** Keys of the person who started the program: they ask for sign-in links. */
  readonly linkKeys: readonly string[];
  readonly limits: SignInLimits;
  /** Proxies that may say for whom they ask. */
  readonly proxies?: BlockList | undefined;
  readonly version: string;
  readonly modelKeys: ModelKeys;
  readonly secrets: StoredSecretsDesk;
  readonly trustedFolders: TrustedFolderDesk;
  readonly remotes: {
    readonly book: ConnectionBook;
    readonly secrets: RemoteSecrets;
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly askSystem?: AskSystemProxy | undefined;
  };
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
}

export interface RunningGateway extends RunningService {
  /** A fresh one-time link that signs one browser in. */
  signInLink(): string;
}

const ALLOWED_HEADERS =
  'content-type, authorization, idempotency-key, x-kneo-env, x-request-id, if-none-match, if-match, last-event-id, ' +
  CONNECTION_HEADER;
const EXPOSED_HEADERS = 'x-request-id, retry-after, etag, location';
const REQUEST_ID = /^[\w.:-]{1,128}$/;

function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

function urlOf(host: string, port: number): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${isIP(reachable) === 6 ? `[${reachable}]` : reachable}:${port}`;
}

function nameOrigin(response: ServerResponse, origin: string): void {
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('access-control-expose-headers', EXPOSED_HEADERS);
  response.setHeader('vary', 'origin');
}

function answerPreflight(response: ServerResponse): void {
  response.setHeader('access-control-allow-methods', 'GET, HEAD, POST, PUT, PATCH, DELETE');
  response.setHeader('access-control-allow-headers', ALLOWED_HEADERS);
  response.setHeader('access-control-allow-private-network', 'true');
  response.setHeader('access-control-max-age', '600');
  response.writeHead(204).end();
}

function listen(server: http.Server, host: string, port: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  server.once('error', reject);
  server.listen(port, host, () => {
    server.off('error', reject);
    const address = server.address();
    resolve(typeof address === 'object' && address !== null ? address.port : port);
  });
  return promise;
}

function fail(response: ServerResponse, code: GatewayErrorCode, requestId: string): void {
  const refusal = refuseAtGateway(code);
  response.statusCode = refusal.status;
  response.setHeader('content-type', 'application/json; charset=utf-8');
  response.setHeader('x-request-id', requestId);
  endOverBody(response, Buffer.from(JSON.stringify(gatewayEnvelope(refusal, requestId))));
}

/** A page of a service's own address: here the gateway's window stands in its place. */
function isPage({ method }: IncomingMessage, { service, rest }: ForwardedPath): boolean {
  const isRead = method === 'GET' || method === 'HEAD';
  return isRead && service !== 'platform' && !isProgramPath(rest.split('?')[0] ?? '/');
}

/** A secret that cannot be opened now is a refusal of the gateway; anything else its own failure. */
function codeOf(error: unknown): GatewayErrorCode {
  return error instanceof Refusal && isGatewayCode(error.code) ? error.code : 'internal_error';
}

function isStream({ headers }: IncomingMessage): boolean {
  return (headers.accept ?? '').includes('text/event-stream');
}

const SWEEP_MS = 15_000;

/** Starts the workbench's one address (decisions 23, 31). */
export async function startGateway(options: GatewayOptions): Promise<RunningGateway> {
  const signIn = createSignIn(options.clock, options.limits);
  let url = '';
  let port = options.port;
  let cookieName = 'gateway_session';
  const rules: AdmissionRules = {
    door: {
      knows: knownNames(options.host, options.allowedHosts),
      origins: [],
      refererFor: 'changes',
    },
    window: options.window,
    isSession: signIn.isSession,
  };
  const sessionOf = (request: IncomingMessage): string | undefined =>
    ui.parseCookie(request.headers.cookie ?? '')[cookieName];
  const admission = (request: IncomingMessage): Admission =>
    admit(request, sessionOf(request), rules);
  const signInLink = () => `${url}/sign-in?code=${signIn.issueCode()}`;
  const visitors = new Visitors(options.connection, options.proxies ?? new BlockList(), () => port);
  const passages = new Passages(options.connection, visitors);
  const { clock, ids, log } = options;
  const remotes = new Remotes({ ...options.remotes, clock, ids, log });
  const statuses = new Statuses(options.connection, remotes, options.version);
  /** A stream ends with the session that opened it. */
  const endWithSession = (request: IncomingMessage, response: ServerResponse): void => {
    const session = sessionOf(request);
    if (session === undefined || !signIn.isSession(session)) {
      if (visitors.services.length > 0) visitors.endWithVisit(request, response);
      return;
    }
    response.once(
      'close',
      signIn.whileLasts(session, () => response.destroy()),
    );
  };

  const ui: FastifyInstance = await createUiApp({
    uiFolder: options.uiFolder,
    signIn,
    cookieName: () => cookieName,
    log: options.log,
    admission: (request) => admission(request.raw),
    signInLink,
    holdsKey: ({ headers }) => isOneOf(bearerOf(headers) ?? '', options.linkKeys),
    modelKeys: options.modelKeys,
    secrets: options.secrets,
    trustedFolders: options.trustedFolders,
    remotes,
    statuses,
    clock,
    endWithSession: (request, reply) => endWithSession(request.raw, reply.raw),
    team: {
      isTeam: visitors.services.length > 0,
      isKnown: (request) => visitors.isKnown(request.raw),
      ways: (request) =>
        signInWaysOf(options.connection, admission(request.raw).kind === 'admitted'),
    },
  });
  const forwarder = createForwarder({
    log: options.log,
    connection: () => options.connection,
    fail: (response, code) => fail(response, code, String(response.getHeader('x-request-id'))),
  });

  /** Answers a request of a window on another connection; false = it is for this computer. */
  const passFar = async (
    request: IncomingMessage,
    response: ServerResponse,
    { path, requestId }: { readonly path: ForwardedPath; readonly requestId: string },
    refusal: GatewayErrorCode | undefined,
  ): Promise<boolean> => {
    const named = single(request.headers[CONNECTION_HEADER]);
    if (named === undefined || named === options.connection.id) return false;
    // Connections are those of whoever has the link, also on a team's server.
    const door = visitors.services.length === 0 ? refusal : refusal && 'link_required';
    const found =
      door === undefined
        ? await remotes.destination(named, path.service, {
            method: request.method ?? 'GET',
            rest: path.rest,
          })
        : { code: door };
    if (found === undefined) return false;
    if ('code' in found) {
      fail(response, found.code, requestId);
      return true;
    }
    endWithSession(request, response);
    forwarder.forward(request, response, { path, requestId, destination: found });
    return true;
  };
  const pass = async (
    request: IncomingMessage,
    response: ServerResponse,
    forwarding: { readonly path: ForwardedPath; readonly requestId: string },
    refusal: GatewayErrorCode | undefined,
  ): Promise<void> => {
    const { path, requestId } = forwarding;
    if (await passFar(request, response, forwarding, refusal)) return;
    const passage = await passages.of(request, path, refusal);
    if (passage.kind === 'refused') {
      fail(response, passage.code, requestId);
      return;
    }
    const { visit } = passage;
    if (visit === undefined) endWithSession(request, response);
    else if (isStream(request)) visitors.endWithVisit(request, response, [path.service]);
    forwarder.forward(request, response, { path, requestId, visit });
  };
  const answer = async (
    request: IncomingMessage,
    response: ServerResponse,
    requestId: string,
  ): Promise<void> => {
    const decided = admission(request);
    if (decided.origin !== undefined) nameOrigin(response, decided.origin);
    if (decided.kind === 'preflight') {
      answerPreflight(response);
      return;
    }
    const path = parseForwardedPath(request.url ?? '/');
    if (path === undefined || isPage(request, path)) ui.routing(request, response);
    else if (decided.kind === 'refused' && decided.code === 'gateway_origin_refused') {
      fail(response, decided.code, requestId);
    } else {
      const refusal = decided.kind === 'refused' ? decided.code : undefined;
      await pass(request, response, { path, requestId }, refusal);
    }
  };
  /** A request that fails must not keep the others from being served. */
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    const given = single(request.headers['x-request-id']);
    const requestId = given !== undefined && REQUEST_ID.test(given) ? given : options.ids.hex();
    request.headers['x-request-id'] = requestId;
    response.setHeader('x-request-id', requestId);
    answer(request, response, requestId).catch((error: unknown) => {
      options.log.error({ request_id: requestId, err: error }, 'gateway request failed');
      if (response.headersSent) response.destroy();
      else fail(response, codeOf(error), requestId);
    });
  };
  const server = http.createServer(
    { ...LISTENER_LIMITS, requestTimeout: REQUEST_MS, keepAliveTimeout: KEPT_MS },
    serve,
  );
  server.on('clientError', (error, socket) =>
    answerUnreadable(error, socket, () => {
      const requestId = options.ids.hex();
      return { requestId, body: gatewayEnvelope(refuseAtGateway('request_invalid'), requestId) };
    }),
  );
  port = await listen(server, options.host, options.port);
  url = urlOf(options.host, port);
  cookieName = `gateway_session_${port}`;
  const sweep = setInterval(() => signIn.sweep(), SWEEP_MS);
  sweep.unref();

  return {
    url,
    port,
    signInLink,
    async stop() {
      clearInterval(sweep);
      statuses.close();
      const { promise, resolve } = Promise.withResolvers<void>();
      server.close(() => resolve());
      server.closeIdleConnections();
      // Streams never end by themselves.
      const timer = setTimeout(() => server.closeAllConnections(), 500);
      await promise;
      clearTimeout(timer);
      forwarder.close();
      await remotes.close();
      await ui.close();
    },
  };
}
