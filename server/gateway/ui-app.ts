import path from 'node:path';
import fastifyCookie from '@fastify/cookie';
import fastifyStatic from '@fastify/static';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { CONNECTION_HEADER } from '../contract/gateway/connections.ts';
import { isProgramPath } from '../contract/served.ts';
import { hasLeft } from '../http/client-abort.ts';
import { openEventStream } from '../http/sse.ts';
import { sendOverBody } from '../http/unread-body.ts';
import { hasWindow, KEPT_FOREVER, WINDOW_POLICY } from '../http/window-files.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Admission } from './admission.ts';
import { type GatewayErrorCode, gatewayEnvelope, refuseAtGateway } from './gateway-errors.ts';
import { type ModelKeys, registerModelKeyRoutes } from './model-keys.ts';
import { registerConnectionRoutes } from './remotes/connection-routes.ts';
import type { Remotes } from './remotes/remotes.ts';
import type { Statuses } from './remotes/statuses.ts';
import { registerSecretRoutes, type StoredSecretsDesk } from './secrets.ts';
import { registerSessionRoutes, type SessionDeps, sendSignInPage } from './session-routes.ts';
import type { SignInReason } from './sign-in-page.ts';
import { admitToTeam, type TeamDoor } from './team-door.ts';
import { registerTrustedFolderRoutes, type TrustedFolderDesk } from './trusted-folders.ts';

export interface UiDeps extends SessionDeps {
  /** Folder of the built renderer. */
  readonly uiFolder: string;
  readonly log: Log;
  readonly modelKeys: ModelKeys;
  readonly secrets: StoredSecretsDesk;
  readonly trustedFolders: TrustedFolderDesk;
  admission(request: FastifyRequest): Admission;
  /** True for the key of the person who started the program; it asks for links, nothing else. */
  holdsKey(request: FastifyRequest): boolean;
  readonly remotes: Remotes;
  readonly statuses: Statuses;
  readonly clock: Clock;
  /** Ends a stream with the session that opened it. */
  endWithSession(request: FastifyRequest, reply: FastifyReply): void;
  readonly team: TeamDoor;
}

/** The connection that a window names; undefined = this computer. */
function connectionNamed({ headers }: FastifyRequest): string | undefined {
  const named = headers[CONNECTION_HEADER];
  return typeof named === 'string' ? named : undefined;
}

function wantsDocument(request: FastifyRequest): boolean {
  return request.method === 'GET' && (request.headers.accept ?? '').includes('text/html');
}

function sendRefusal(request: FastifyRequest, reply: FastifyReply, refusal: Refusal): FastifyReply {
  const json = JSON.stringify(gatewayEnvelope(refusal, request.id));
  void reply.code(refusal.status).type('application/json; charset=utf-8');
  return sendOverBody(request, reply, Buffer.from(json));
}

/** What the server says of a body that is no JSON, of another type or too large. */
function unreadableCode(error: unknown): 'request_invalid' | 'payload_too_large' | undefined {
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  if (status < 400 || status >= 500) return undefined;
  return status === 413 ? 'payload_too_large' : 'request_invalid';
}

/** The answer to a document that is refused because there is no session. */
const REASONS: ReadonlyMap<GatewayErrorCode, SignInReason> = new Map([
  ['gateway_unauthorized', 'no_session'],
  ['gateway_session_expired', 'session_over'],
]);
const STATUS_STREAM = {
  heartbeatMs: 15_000,
  sendTimeoutMs: 10_000,
  heartbeat: () => 'here',
};
const LINKS = '/gateway/sign-in-links';

/** What stands open to a request that no session of the link goes with. */
function opensAnyway(request: FastifyRequest, deps: UiDeps): boolean {
  const { url } = request.routeOptions;
  if (url === '/sign-in') return true;
  return url === LINKS && request.method === 'POST' && deps.holdsKey(request);
}

function addAdmission(app: FastifyInstance, deps: UiDeps): void {
  app.addHook('onRequest', async (request, reply) => {
    void reply
      .header('x-request-id', request.id)
      .header('x-content-type-options', 'nosniff')
      .header('referrer-policy', 'no-referrer');
    const admission = deps.admission(request);
    if (admission.kind !== 'refused') return;
    const reason = REASONS.get(admission.code);
    if (reason !== undefined && opensAnyway(request, deps)) return;
    if (reason !== undefined && deps.team.isTeam) {
      const code = await admitToTeam(deps.team, request);
      if (code !== undefined) await sendRefusal(request, reply, refuseAtGateway(code));
      return;
    }
    if (reason !== undefined && wantsDocument(request)) await sendSignInPage(reply, reason);
    else await sendRefusal(request, reply, refuseAtGateway(admission.code));
  });
}

/** Tells a window at once when a service ends or comes back. */
function addStatus(app: FastifyInstance, deps: UiDeps): void {
  app.get('/gateway/status', (request) => deps.statuses.answer(connectionNamed(request)));
  app.get('/gateway/sign-in-ways', (request) => deps.team.ways(request));
  app.get('/gateway/status/stream', (request, reply) => {
    deps.endWithSession(request, reply);
    const stream = openEventStream(reply, STATUS_STREAM);
    const leave = deps.statuses.follow(connectionNamed(request), {
      tell: (status) => void stream.send('status', status).catch(() => stream.close()),
      over: () => stream.close(),
    });
    stream.closed.addEventListener('abort', leave);
  });
}

/** The gateway's own pages: the built workbench, the sign-in link and the routes under /gateway. */
export async function createUiApp(deps: UiDeps): Promise<FastifyInstance> {
  const app = Fastify({
    exposeHeadRoutes: true,
    bodyLimit: 64 * 1024,
    genReqId: (raw) => String(raw.headers['x-request-id']),
  });
  app.setErrorHandler((error, request, reply) => {
    if (error instanceof Refusal) return sendRefusal(request, reply, error);
    const code = unreadableCode(error);
    if (code !== undefined) return sendRefusal(request, reply, refuseAtGateway(code));
    if (!hasLeft(error, request, reply)) {
      deps.log.error({ request_id: request.id, err: error }, 'gateway request failed');
    }
    return sendRefusal(request, reply, refuseAtGateway('internal_error'));
  });
  await app.register(fastifyCookie);
  addAdmission(app, deps);
  const built = hasWindow(deps.uiFolder);
  const document = (reply: FastifyReply) =>
    reply
      .header('content-security-policy', WINDOW_POLICY)
      .sendFile('index.html', { cacheControl: false });
  registerSessionRoutes(app, deps, (request, reply) =>
    built && deps.team.isTeam && wantsDocument(request) ? document(reply) : undefined,
  );
  addStatus(app, deps);
  registerModelKeyRoutes(app, deps.modelKeys);
  registerSecretRoutes(app, deps.secrets);
  registerTrustedFolderRoutes(app, deps.trustedFolders);
  registerConnectionRoutes(app, deps.remotes, deps.clock);
  if (built) {
    await app.register(fastifyStatic, {
      root: deps.uiFolder,
      cacheControl: false,
      index: false,
      setHeaders: (reply, file) => {
        const hashed = file.includes(`${path.sep}assets${path.sep}`);
        void reply.header('cache-control', hashed ? KEPT_FOREVER : 'no-cache');
      },
    });
  }
  if (built) app.get('/', (_request, reply) => document(reply));
  app.setNotFoundHandler((request, reply) => {
    const pathname = request.url.split('?')[0] ?? '/';
    if (built && wantsDocument(request) && !isProgramPath(pathname)) return document(reply);
    return sendRefusal(request, reply, refuseAtGateway('not_found'));
  });
  await app.ready();
  return app;
}
