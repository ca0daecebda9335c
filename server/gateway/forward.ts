import http, { type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import { forgetBody } from '../http/unread-body.ts';
import type { Log } from '../kernel/log.ts';
import { withoutTrailingSlashes } from '../kernel/trailing-slashes.ts';
import type { Connection, ForwardedPath, Target } from './connection.ts';
import { cookiesOf, gatewayLocation, requestHeaders, responseHeaders } from './forward-headers.ts';
import type { GatewayErrorCode } from './gateway-errors.ts';
import { failureOf } from './remotes/remote-failure.ts';
import type { Destination } from './remotes/remotes.ts';
import { requestTo } from './request-to.ts';
import { journeyLocation, refusedAt, stepOf } from './sign-in-journey.ts';
import type { Visit } from './visitor.ts';

/** Milliseconds to reach a target's port; an answer may take as long as it likes. */
const CONNECT_TIMEOUT = 10_000;
/** A body over this many bytes waits a moment for an early refusal before it is sent. */
const LARGE_BODY = 256 * 1024;
const LARGE_BODY_PAUSE = 25;

export interface ForwardDeps {
  readonly log: Log;
  connection(): Connection;
  /** Answers a failure of the gateway itself. */
  fail(response: ServerResponse, code: GatewayErrorCode): void;
}

/** A request that goes on to a target. */
export interface Forwarding {
  readonly path: ForwardedPath;
  readonly requestId: string;
  /** Who stands at the door of a service with a sign-in of its own. */
  readonly visit?: Visit | undefined;
  /** The server of another computer that it goes to; none = the service of this one. */
  readonly destination?: Destination | undefined;
}

export interface Forwarder {
  forward(request: IncomingMessage, response: ServerResponse, forwarding: Forwarding): void;
  close(): void;
}

function guardConnect(upstream: ClientRequest): void {
  upstream.once('socket', (socket) => {
    if (!socket.connecting) return;
    const timer = setTimeout(
      () => upstream.destroy(new Error('the connection was not made in time')),
      CONNECT_TIMEOUT,
    );
    socket.once('connect', () => clearTimeout(timer));
    socket.once('close', () => clearTimeout(timer));
  });
}

function isLarge(request: IncomingMessage): boolean {
  return (
    request.headers['transfer-encoding'] !== undefined ||
    Number(request.headers['content-length'] ?? '0') > LARGE_BODY
  );
}

function sendBody(request: IncomingMessage, upstream: ClientRequest): void {
  if (!isLarge(request)) {
    request.pipe(upstream);
    return;
  }
  // A target that refuses by the declared length closes at once, and what was sent by then could
  // wipe its answer out.
  upstream.flushHeaders();
  const timer = setTimeout(() => request.pipe(upstream), LARGE_BODY_PAUSE);
  upstream.once('response', () => clearTimeout(timer));
  upstream.once('close', () => clearTimeout(timer));
}

/** Of this computer's own services there is only one thing to say. */
function failureAt(destination: Destination | undefined, error: Error): GatewayErrorCode {
  return destination === undefined ? 'connection_unreachable' : failureOf(error);
}

function targetUrl(target: Target, path: ForwardedPath): { base: URL; path: string } {
  const base = new URL(target.baseUrl);
  return { base, path: `${withoutTrailingSlashes(base.pathname)}${path.rest}` };
}

/**
 * Passes requests on to the current connection without reading them: the path goes byte for byte,
 * bodies and streams are piped, and a client that leaves takes its request with it.
 */
export function createForwarder(deps: ForwardDeps): Forwarder {
  const agents = {
    'http:': new http.Agent({ keepAlive: true }),
    'https:': new https.Agent({ keepAlive: true }),
  };

  const open = (
    target: Target,
    request: IncomingMessage,
    { path, requestId, visit, destination }: Forwarding,
  ) => {
    const { base, path: wanted } = targetUrl(target, path);
    const method = request.method ?? 'GET';
    const headers = requestHeaders(method, request.headers, target, requestId, visit);
    if (destination !== undefined) {
      return destination.way.request(base, { path: wanted, method, headers });
    }
    const agent = agents[base.protocol === 'https:' ? 'https:' : 'http:'];
    return requestTo(base, agent, { path: wanted, method, headers });
  };

  const attempt = (
    request: IncomingMessage,
    response: ServerResponse,
    forwarding: Forwarding,
    mayRepeat: boolean,
  ) => {
    const { path, requestId, destination } = forwarding;
    const target = destination?.target ?? deps.connection().targets[path.service];
    if (target === undefined) {
      deps.fail(response, 'connection_unknown');
      return;
    }
    const upstream = open(target, request, forwarding);
    const leave = () => {
      if (!response.writableFinished) upstream.destroy();
    };
    response.once('close', leave);
    guardConnect(upstream);
    let answered = false;
    upstream.once('response', (answer) => {
      answer.once('end', () => {
        answered = true;
      });
      const refused = refusedByRemote(answer, { ...forwarding, target });
      if (refused === undefined) {
        relay(answer, request, response, { ...forwarding, target });
        return;
      }
      answer.resume();
      response.off('close', leave);
      void refused.then((code) => {
        upstream.destroy();
        if (!response.destroyed) deps.fail(response, code);
      });
    });
    upstream.on('error', (error) => {
      // Its answer came whole: what it says of a body that it did not want concerns nobody.
      if (answered) return;
      response.off('close', leave);
      if (response.headersSent || response.destroyed) {
        response.destroy();
      } else if (mayRepeat && upstream.reusedSocket) {
        attempt(request, response, forwarding, false);
      } else {
        deps.log.warn(
          { request_id: requestId, service: path.service, err: error },
          'target failed',
        );
        deps.fail(response, failureAt(destination, error));
      }
    });
    sendBody(request, upstream);
  };

  return {
    forward(request, response, forwarding) {
      // A kept-alive socket may have been closed by the other side: without a body, ask again.
      const bodyless = request.method === 'GET' || request.method === 'HEAD';
      attempt(request, response, forwarding, bodyless);
    },
    close() {
      agents['http:'].destroy();
      agents['https:'].destroy();
    },
  };
}

interface Relayed extends Forwarding {
  readonly target: Target;
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * What of a remote's answer is not passed on: a redirect out of its address, which nobody follows,
 * and that it does not know the credential that the gateway added.
 */
function refusedByRemote(
  answer: IncomingMessage,
  { path, target, destination }: Relayed,
): Promise<GatewayErrorCode> | undefined {
  if (destination === undefined) return undefined;
  const { statusCode = 502, headers } = answer;
  if (statusCode === 401) return destination.refused();
  if (!REDIRECTS.has(statusCode)) return undefined;
  const url = targetUrl(target, path);
  const asked = `${url.base.origin}${url.path}`;
  const within = gatewayLocation(headers.location ?? '', path.service, target, asked);
  return within === undefined ? Promise.resolve('remote_redirected') : undefined;
}

/** A page that cannot be shown to people is answered by the window's own. */
async function leadBack(
  answer: IncomingMessage,
  response: ServerResponse,
  { path, visit }: Relayed,
): Promise<void> {
  const cookies = visit === undefined ? [] : cookiesOf(answer.headers, visit);
  const location = await refusedAt(path, answer);
  if (cookies.length > 0) response.setHeader('set-cookie', cookies);
  response.setHeader('cache-control', 'no-store');
  response.writeHead(303, { location }).end();
}

function locationOf(
  answer: IncomingMessage,
  request: IncomingMessage,
  { path, target }: Relayed,
): string | undefined {
  const { location } = answer.headers;
  if (location === undefined) return undefined;
  const step = stepOf(request.method, path, target);
  if (step !== undefined) return journeyLocation(step, path, location);
  const url = targetUrl(target, path);
  return gatewayLocation(location, path.service, target, `${url.base.origin}${url.path}`);
}

function relay(
  answer: IncomingMessage,
  request: IncomingMessage,
  response: ServerResponse,
  relayed: Relayed,
): void {
  const { path, target, visit } = relayed;
  const status = answer.statusCode ?? 502;
  const isPage = (request.headers.accept ?? '').includes('text/html');
  if (status >= 400 && isPage && stepOf(request.method, path, target) !== undefined) {
    void leadBack(answer, response, relayed);
    return;
  }
  const location = locationOf(answer, request, relayed);
  const headers = responseHeaders(answer.headers, location, visit);
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) response.setHeader(name, value);
  }
  if (!request.complete) response.setHeader('connection', 'close');
  response.writeHead(status);
  response.flushHeaders();
  answer.once('error', () => response.destroy());
  answer.once('aborted', () => response.destroy());
  answer.pipe(response, { end: false });
  // A target that refuses early leaves a body on its way; its sender must not be cut off.
  answer.once('end', () => {
    request.unpipe();
    void forgetBody(request).finally(() => response.end());
  });
}
