import { existsSync } from 'node:fs';
import path from 'node:path';
import fastifyCookie from '@fastify/cookie';
import fastifyStatic from '@fastify/static';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { GatewayStatus } from '../contract/gateway/status.ts';
import { hasLeft } from '../http/client-abort.ts';
import { sendOverBody } from '../http/unread-body.ts';
import type { Log } from '../kernel/log.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Admission } from './admission.ts';
import { type GatewayErrorCode, gatewayEnvelope, refuseAtGateway } from './gateway-errors.ts';
import { addModelKeys, type ModelKeys } from './model-keys.ts';
import { addSession, type SessionDeps, sendSignInPage } from './session-routes.ts';
import type { SignInReason } from './sign-in-page.ts';

export interface UiDeps extends SessionDeps {
  /** Folder of the built renderer. */
  readonly uiFolder: string;
  readonly log: Log;
  readonly modelKeys: ModelKeys;
  admission(request: FastifyRequest): Admission;
  /** True for the key of the person who started the program; it asks for links, nothing else. */
  holdsKey(request: FastifyRequest): boolean;
  status(): Promise<GatewayStatus>;
}

const UI_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self' blob:",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "object-src 'none'",
].join('; ');

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

function isAddress(pathname: string): boolean {
  return path.posix.extname(pathname) === '' && !pathname.startsWith('/gateway');
}

/** What a document is told that is refused for want of a session. */
const REASONS: ReadonlyMap<GatewayErrorCode, SignInReason> = new Map([
  ['gateway_unauthorized', 'no_session'],
  ['gateway_session_expired', 'session_over'],
]);
const LINKS = '/gateway/sign-in-links';

function addAdmission(app: FastifyInstance, deps: UiDeps): void {
  app.addHook('onRequest', async (request, reply) => {
    void reply
      .header('x-request-id', request.id)
      .header('x-content-type-options', 'nosniff')
      .header('referrer-policy', 'no-referrer');
    const admission = deps.admission(request);
    if (admission.kind !== 'refused') return;
    const reason = REASONS.get(admission.code);
    if (reason !== undefined) {
      const { url } = request.routeOptions;
      if (url === '/sign-in') return;
      if (url === LINKS && request.method === 'POST' && deps.holdsKey(request)) return;
      if (wantsDocument(request)) {
        await sendSignInPage(reply, reason);
        return;
      }
    }
    await sendRefusal(request, reply, refuseAtGateway(admission.code));
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
  addSession(app, deps);
  app.get('/gateway/status', () => deps.status());
  addModelKeys(app, deps.modelKeys);
  const built = existsSync(path.join(deps.uiFolder, 'index.html'));
  if (built) {
    await app.register(fastifyStatic, {
      root: deps.uiFolder,
      cacheControl: false,
      index: false,
      setHeaders: (reply, file) => {
        const hashed = file.includes(`${path.sep}assets${path.sep}`);
        void reply.header(
          'cache-control',
          hashed ? 'public, max-age=31536000, immutable' : 'no-cache',
        );
      },
    });
  }
  const document = (reply: FastifyReply) =>
    reply
      .header('content-security-policy', UI_POLICY)
      .sendFile('index.html', { cacheControl: false });
  if (built) app.get('/', (_request, reply) => document(reply));
  app.setNotFoundHandler((request, reply) => {
    const pathname = request.url.split('?')[0] ?? '/';
    // The workbench keeps its addresses behind the hash, so that one file serves every view.
    if (built && wantsDocument(request) && isAddress(pathname)) {
      return reply.redirect(`/#${request.url}`, 302);
    }
    return sendRefusal(request, reply, refuseAtGateway('not_found'));
  });
  await app.ready();
  return app;
}
