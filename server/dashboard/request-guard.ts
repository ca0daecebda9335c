import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Door, findForeign } from '../http/door-guard.ts';
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

/** Answers without an operator and says nothing that a foreign page could use. */
const PROBES: ReadonlySet<string> = new Set([
  '/api/livez',
  '/api/readyz',
  '/api/healthz',
  '/metrics',
]);

/**
 * Refuses a request that a foreign page steers: by a name that is none of the dashboard's, by
 * Origin, and for a change by the origin of Referer (contract/dashboard.md 3, decisions 45).
 * @throws Refusal `forbidden`.
 */
export function guardDoor(request: FastifyRequest, door: Door): void {
  if (PROBES.has(pathOf(request))) return;
  const foreign = findForeign(request.raw, door);
  if (foreign === 'host') {
    throw refuse('forbidden', {
      message:
        'The dashboard does not answer to this host name. Use its own address, or list the name in DASH_ALLOWED_HOSTS.',
    });
  }
  if (foreign === 'origin') {
    throw refuse('forbidden', { message: 'The request comes from another site.' });
  }
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
