import type { FastifyReply, FastifyRequest } from 'fastify';
import { refuse } from './refusals.ts';

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "object-src 'none'",
].join('; ');

const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': POLICY,
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
};
const CHANGING: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
const EVERY_ORIGIN = '*';

/** The path of a request without its query. */
export function pathOf(request: FastifyRequest): string {
  return request.originalUrl.split('?')[0] ?? '/';
}

/** True below the API's prefix, which never falls through to the UI. */
export function isApiPath(path: string): boolean {
  return path === '/api' || path.startsWith('/api/');
}

function cacheControl(path: string): string {
  if (isApiPath(path)) return 'no-store';
  return path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
}

/** Sets the headers of every response that the handler did not set itself. */
export function setResponseHeaders(request: FastifyRequest, reply: FastifyReply): void {
  const headers = { ...SECURITY_HEADERS, 'cache-control': cacheControl(pathOf(request)) };
  for (const [name, value] of Object.entries(headers)) {
    if (!reply.hasHeader(name)) void reply.header(name, value);
  }
}

function hostOf(url: string): string | undefined {
  try {
    return new URL(url).host.toLowerCase();
  } catch {
    return undefined;
  }
}

function originOf(request: FastifyRequest): string | undefined {
  const { origin, referer } = request.headers;
  if (origin !== undefined && origin !== '') return origin;
  if (referer === undefined || referer === '') return undefined;
  try {
    return new URL(referer).origin;
  } catch {
    return 'null';
  }
}

function isAllowedOrigin(
  origin: string,
  host: string | undefined,
  allowed: readonly string[],
): boolean {
  if (allowed.includes(EVERY_ORIGIN) || allowed.includes(origin)) return true;
  return host !== undefined && hostOf(origin) === host.toLowerCase();
}

/**
 * Refuses a change that a foreign page asks for: by Origin, else by the origin of Referer; a
 * request with neither passes (contract/dashboard.md 3).
 * @throws Refusal `forbidden`.
 */
export function guardOrigin(request: FastifyRequest, allowed: readonly string[]): void {
  if (!CHANGING.has(request.method) || !isApiPath(pathOf(request))) return;
  const origin = originOf(request);
  if (origin === undefined || isAllowedOrigin(origin, request.headers.host, allowed)) return;
  throw refuse('forbidden', { message: 'The request comes from another site.' });
}

/** Lets the configured origins read answers; every origin only without credentials. */
export function setCorsHeaders(
  request: FastifyRequest,
  reply: FastifyReply,
  allowed: readonly string[],
): void {
  const { origin } = request.headers;
  if (origin === undefined || allowed.length === 0) return;
  if (allowed.includes(origin)) {
    void reply.header('access-control-allow-origin', origin);
    void reply.header('access-control-allow-credentials', 'true');
    void reply.header('vary', 'Origin');
  } else if (allowed.includes(EVERY_ORIGIN)) {
    void reply.header('access-control-allow-origin', EVERY_ORIGIN);
  }
}
