import { stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { cookieOf } from '../../identity/request-cookie.ts';
import { newToken, tokenHash } from '../../identity/secret-token.ts';
import { sessionEnd } from '../../identity/session-times.ts';
import { parseTimestamp, toTimestamp } from '../../kernel/timestamp.ts';
import type { PrincipalRow } from '../../store/studio-tables.ts';
import type { StudioDeps } from '../deps.ts';
import type { Handle } from '../handle.ts';
import { endSession, findSession, replaceSessions, slideSession } from './sessions-repository.ts';

const COOKIE = 'studio_session';
const BINDING = 'studio_oidc_binding';
const HOUR_MS = 3_600_000;
const LIMITS = { idleMs: 8 * HOUR_MS, absoluteMs: 7 * 24 * HOUR_MS };
/** A session is written again when its end moved by this much: not for every request. */
const SLIDE_MS = 60_000;

type SessionDeps = Pick<StudioDeps, 'clock' | 'db' | 'signIn' | 'timestamp'>;

/** The cookie of sessions for a browser that came by https, if a named proxy says so. */
function attributes(deps: SessionDeps, request: FastifyRequest, path: string) {
  const { isHttps } = deps.signIn.originOf(request.raw);
  return { httpOnly: true, sameSite: 'lax', path, secure: isHttps } as const;
}

/** Starts a session in a transaction; the text of its cookie. */
export async function startSession(
  deps: SessionDeps,
  handle: Handle,
  principal: PrincipalRow,
  request: FastifyRequest,
): Promise<string> {
  const token = newToken();
  const now = deps.clock.now();
  await replaceSessions(handle, {
    token_hash: tokenHash(token),
    principal_id: principal.id,
    created_at: toTimestamp(now),
    expires_at: toTimestamp(sessionEnd(now, now, LIMITS)),
  });
  return stringifySetCookie({ name: COOKIE, value: token, ...attributes(deps, request, '/') });
}

/** Whose session a request carries; using it puts its end off. */
export async function principalOfSession(
  deps: SessionDeps,
  request: FastifyRequest,
): Promise<PrincipalRow | undefined> {
  const token = cookieOf(request, COOKIE);
  if (token === undefined || token === '') return undefined;
  const found = await findSession(deps.db, tokenHash(token));
  const now = deps.clock.now();
  const ends = parseTimestamp(found?.session.expires_at ?? '') ?? 0;
  if (found === undefined || ends <= now || found.principal.state !== 'active') return undefined;
  const created = parseTimestamp(found.session.created_at) ?? now;
  const end = sessionEnd(now, created, LIMITS);
  if (end - ends >= SLIDE_MS) {
    await slideSession(deps.db, found.session.token_hash, toTimestamp(end));
  }
  return found.principal;
}

/** Ends the session of a request, if it has one; the text of the cookie that clears it. */
export async function endOwnSession(deps: SessionDeps, request: FastifyRequest): Promise<string> {
  const token = cookieOf(request, COOKIE);
  if (token !== undefined) await endSession(deps.db, tokenHash(token));
  return stringifySetCookie({
    name: COOKIE,
    value: '',
    ...attributes(deps, request, '/'),
    maxAge: 0,
  });
}

/** The cookie that ties a sign-in at the provider to this browser. */
export const binding = {
  make(deps: SessionDeps, request: FastifyRequest, path: string, seconds: number) {
    const token = newToken();
    const text = stringifySetCookie({
      name: BINDING,
      value: token,
      ...attributes(deps, request, path),
      maxAge: seconds,
    });
    return { token, text };
  },
  read: (request: FastifyRequest): string | undefined => cookieOf(request, BINDING),
};

/** Adds a cookie to an answer. */
export function giveCookie(reply: FastifyReply, text: string): void {
  void reply.header('set-cookie', text);
}
