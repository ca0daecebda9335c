import { parseCookie } from 'cookie';
import type { FastifyRequest } from 'fastify';

/** The value of a cookie that a request carries. */
export function cookieOf(request: FastifyRequest, name: string): string | undefined {
  return parseCookie(request.headers.cookie ?? '')[name];
}
