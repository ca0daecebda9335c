import { stringifySetCookie } from 'cookie';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { sameSecret } from '../../http/same-secret.ts';
import type { OidcAttempt } from '../../identity/oidc-client.ts';
import { cookieOf } from '../../identity/request-cookie.ts';
import { hmacSha256Hex } from '../../kernel/sha256.ts';

const ATTRIBUTES = { httpOnly: true, secure: true, sameSite: 'lax', path: '/' } as const;
/** The cookie of somebody who is at the provider. */
const HANDSHAKE = 'session';
const HANDSHAKE_SECONDS = 3600;

/** A text that nobody else can have made. */
function signed(text: string, secret: string): string {
  return `${text}.${hmacSha256Hex(secret, text)}`;
}

/** The text of what `signed` made; compared in constant time before anything looks at it. */
function verified(value: string | undefined, secret: string): string | undefined {
  const at = value?.lastIndexOf('.') ?? -1;
  if (value === undefined || at < 1) return undefined;
  const text = value.slice(0, at);
  return sameSecret(value, signed(text, secret)) ? text : undefined;
}

/** The id that a session cookie carries, if it is ours. */
export function sessionIdOf(
  request: FastifyRequest,
  name: string,
  secret: string,
): string | undefined {
  return verified(cookieOf(request, name), secret);
}

/** The cookie of a session. */
export function sessionCookie(name: string, id: string, secret: string, maxAge: number): string {
  return stringifySetCookie({ name, value: signed(id, secret), ...ATTRIBUTES, maxAge });
}

/** Takes a cookie from a browser. */
export function clearedCookie(name: string): string {
  return stringifySetCookie({ name, value: '', ...ATTRIBUTES, maxAge: 0 });
}

const Handshake = z.strictObject({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  until: z.number(),
});

/** The cookie that carries a sign-in while a person is at the provider. */
export function handshakeCookie(attempt: OidcAttempt, now: number, secret: string): string {
  const text = JSON.stringify({ ...attempt, until: now + HANDSHAKE_SECONDS * 1000 });
  const value = signed(Buffer.from(text).toString('base64url'), secret);
  return stringifySetCookie({ name: HANDSHAKE, value, ...ATTRIBUTES, maxAge: HANDSHAKE_SECONDS });
}

/** Clears the handshake cookie. */
export function clearedHandshake(): string {
  return clearedCookie(HANDSHAKE);
}

/** The sign-in that a browser is in the middle of; undefined when it is over, forged or none. */
export function handshakeOf(
  request: FastifyRequest,
  now: number,
  secret: string,
): z.infer<typeof Handshake> | undefined {
  const text = verified(cookieOf(request, HANDSHAKE), secret);
  if (text === undefined) return undefined;
  const read = Handshake.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString()));
  return read.success && read.data.until > now ? read.data : undefined;
}
