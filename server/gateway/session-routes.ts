import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { SignIn } from './sign-in.ts';
import { type SignInReason, signInPage } from './sign-in-page.ts';

export interface SessionDeps {
  readonly signIn: SignIn;
  readonly cookieName: () => string;
  signInLink(): string;
}

const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";
const COOKIE = { httpOnly: true, sameSite: 'strict', path: '/' } as const;
const AHEAD = /prefetch|prerender|preview/i;

/** Answers a document with the page that says where the link is. */
export function sendSignInPage(reply: FastifyReply, reason: SignInReason): FastifyReply {
  return reply
    .code(401)
    .header('content-security-policy', PAGE_POLICY)
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(signInPage(reason));
}

/** True when nobody has followed the link yet: the browser looks ahead, or embeds it. */
function isAhead({ headers }: FastifyRequest): boolean {
  const purposes = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].map((name) => headers[name]);
  if (purposes.some((purpose) => AHEAD.test(String(purpose ?? '')))) return true;
  const destination = headers['sec-fetch-dest'];
  return destination !== undefined && destination !== 'document';
}

/** The one-time link, more of them, and the end of a session. */
export function registerSessionRoutes(
  app: FastifyInstance,
  deps: SessionDeps,
  /** The window's own page of that address, where people sign in at services. */
  page: (request: FastifyRequest, reply: FastifyReply) => FastifyReply | undefined,
): void {
  app.get<{ Querystring: { code?: string } }>(
    '/sign-in',
    { exposeHeadRoute: false },
    (request, reply) => {
      const own = request.query.code === undefined ? page(request, reply) : undefined;
      if (own !== undefined) return own;
      void reply.header('cache-control', 'no-store');
      // The browser asks again when the person follows the link.
      if (isAhead(request)) return reply.code(503).header('vary', 'sec-purpose, purpose').send();
      const session = deps.signIn.redeem(String(request.query.code ?? ''));
      if (session === undefined) return sendSignInPage(reply, 'used_link');
      return reply.setCookie(deps.cookieName(), session, COOKIE).redirect('/', 303);
    },
  );
  // Whoever only looks whether the link leads somewhere does not use it up.
  app.head('/sign-in', (_request, reply) => reply.header('cache-control', 'no-store').send());
  app.delete('/gateway/session', (request, reply) => {
    const session = request.cookies[deps.cookieName()];
    if (session !== undefined) deps.signIn.end(session);
    return reply.clearCookie(deps.cookieName(), COOKIE).code(204).send();
  });
  app.post('/gateway/sign-in-links', (_request, reply) =>
    reply.code(201).send({ url: deps.signInLink() }),
  );
}
