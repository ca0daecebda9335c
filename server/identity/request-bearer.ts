import type { IncomingHttpHeaders } from 'node:http';

/** The credential of an `Authorization: Bearer` header; undefined when there is none. */
export function bearerOf(headers: IncomingHttpHeaders): string | undefined {
  return /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1];
}
